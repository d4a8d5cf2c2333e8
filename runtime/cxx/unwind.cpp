// Exceptions of C++ on the unwinder of the virtual machine.
//
// Looks for the call that accepts an exception; the machine then leaves the calls
// in between (crates/vm/src/cxx/unwind.rs). Stands in for libgcc's unwinder and for the
// library's personality function. Compiled with the library's own sources, because it
// needs their header of an exception.

#include "unwind-cxx.h"

#include <exception>

using namespace __cxxabiv1;

extern "C" {
// The first call from `up` calls further out on that can receive exceptions, or -1.
int __exeunt_next_pad(int up);
// What the entry of such a call is, and the type it names.
int __exeunt_clause_kind(int up, int entry);
const std::type_info *__exeunt_clause_type(int up, int entry);
// What the machine has to know of the entry that accepts.
unsigned long __exeunt_catcher(int up, int entry);
void __exeunt_throws(const char *type);
void __exeunt_uncaught(const char *type, const char *text, const void *object, int on_its_way);
void __exeunt_not_rethrown();
void __exeunt_terminate();
// Not defined: a handler of the program for std::unexpected is not supported.
void __exeunt_own_handler_of_unexpected();
}

namespace {

enum { NOTHING, CATCH, FILTER_TYPE, FILTER_END };

// Whether a handler for `wanted` takes the exception; `object` becomes what it sees.
bool accepts(const std::type_info *wanted, const std::type_info *thrown, void *&object) {
    if (!wanted)
        return true;
    void *seen = object;
    if (thrown->__is_pointer_p())
        seen = *static_cast<void **>(seen);
    if (!wanted->__do_catch(thrown, &seen, 1))
        return false;
    object = seen;
    return true;
}

// The entry of a pad that accepts the exception, or -1.
int accepting_entry(int up, const std::type_info *thrown, void *&object) {
    bool allowed = false;
    for (int entry = 0;; entry++) {
        int kind = __exeunt_clause_kind(up, entry);
        const std::type_info *type = __exeunt_clause_type(up, entry);
        void *seen = object;
        switch (kind) {
        case NOTHING:
            return -1;
        case CATCH:
            if (accepts(type, thrown, object))
                return entry;
            break;
        case FILTER_TYPE:
            allowed |= accepts(type, thrown, seen);
            break;
        case FILTER_END:
            if (!allowed)
                return entry;
            allowed = false;
        }
    }
}

const _Unwind_Exception_Class FORCED = 0x474e5543464f5200; // "GNUCFOR\0"

void not_rethrown(_Unwind_Reason_Code, _Unwind_Exception *) { __exeunt_not_rethrown(); }

} // namespace

// What pthread_exit and cancellation throw.
extern "C" __thread _Unwind_Exception __exeunt_forced = {FORCED, not_rethrown, 0, 0};

extern "C" _Unwind_Reason_Code _Unwind_RaiseException(_Unwind_Exception *exception) {
    __cxa_exception *header = __get_exception_header_from_ue(exception);
    void *object = __get_object_from_ue(exception);
    const std::type_info *thrown = __get_exception_header_from_obj(object)->exceptionType;
    if (!exception->private_2)
        __exeunt_throws(thrown->name());
    for (int up = __exeunt_next_pad(1); up >= 0; up = __exeunt_next_pad(up + 1)) {
        void *seen = object;
        int entry = accepting_entry(up, thrown, seen);
        if (entry >= 0) {
            header->adjustedPtr = seen;
            exception->private_1 = __exeunt_catcher(up, entry);
            _Unwind_Resume(exception);
        }
    }
    exception->private_1 = 0;
    return _URC_END_OF_STACK;
}

extern "C" _Unwind_Reason_Code _Unwind_Resume_or_Rethrow(_Unwind_Exception *exception) {
    if (exception->exception_class == FORCED)
        _Unwind_Resume(exception);
    return _Unwind_RaiseException(exception);
}

extern "C" void _Unwind_DeleteException(_Unwind_Exception *exception) {
    if (exception->exception_cleanup)
        exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

// An exception that a specification like `throw(int)` does not list.
extern "C" void __cxa_call_unexpected(void *exception) {
    __cxa_begin_catch(exception);
    if (std::get_unexpected() != std::terminate)
        __exeunt_own_handler_of_unexpected();
    std::terminate();
}

// What happens unless the program has its own handler for std::terminate.
void __gnu_cxx::__verbose_terminate_handler() {
    std::type_info *type = __cxa_current_exception_type();
    if (!type) {
        __exeunt_terminate();
        return;
    }
    __cxa_exception *header = __cxa_get_globals()->caughtExceptions;
    int on_its_way = header->unwindHeader.private_1 != 0;
    const void *object = __get_object_from_ambiguous_exception(header);
    // To look at it is not to throw it again.
    header->unwindHeader.private_2 = 1;
    try {
        throw;
    } catch (const std::exception &known) {
        __exeunt_uncaught(type->name(), known.what(), object, on_its_way);
    } catch (...) {
        __exeunt_uncaught(type->name(), nullptr, object, on_its_way);
    }
}
