// Run-time type information: the classes of type descriptions, and
// dynamic_cast.
//
// The compiler describes every class by an object of one of three classes,
// which the ABI names (cxxabi.h); which of them it is tells its vtable. Their
// virtual functions serve exceptions, which are not supported.

#include <cxxabi.h>
#include <string.h>
#include <typeinfo>

std::type_info::~type_info() {}
bool std::type_info::__is_pointer_p() const { return false; }
bool std::type_info::__is_function_p() const { return false; }
bool std::type_info::__do_catch(const type_info *, void **, unsigned) const { return false; }
bool std::type_info::__do_upcast(const __cxxabiv1::__class_type_info *, void **) const {
    return false;
}

namespace __cxxabiv1 {

__class_type_info::~__class_type_info() {}
bool __class_type_info::__do_upcast(const __class_type_info *, void **) const { return false; }
bool __class_type_info::__do_catch(const type_info *, void **, unsigned) const { return false; }
bool __class_type_info::__do_upcast(const __class_type_info *, const void *,
                                    __upcast_result &) const {
    return false;
}
bool __class_type_info::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *,
                                     const void *, const __class_type_info *, const void *,
                                     __dyncast_result &) const {
    return false;
}
__class_type_info::__sub_kind
__class_type_info::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *,
                                        const void *) const {
    return __unknown;
}

__si_class_type_info::~__si_class_type_info() {}
bool __si_class_type_info::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *,
                                        const void *, const __class_type_info *, const void *,
                                        __dyncast_result &) const {
    return false;
}
__class_type_info::__sub_kind
__si_class_type_info::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *,
                                           const void *) const {
    return __unknown;
}
bool __si_class_type_info::__do_upcast(const __class_type_info *, const void *,
                                       __upcast_result &) const {
    return false;
}

__vmi_class_type_info::~__vmi_class_type_info() {}
bool __vmi_class_type_info::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *,
                                         const void *, const __class_type_info *, const void *,
                                         __dyncast_result &) const {
    return false;
}
__class_type_info::__sub_kind
__vmi_class_type_info::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *,
                                            const void *) const {
    return __unknown;
}
bool __vmi_class_type_info::__do_upcast(const __class_type_info *, const void *,
                                        __upcast_result &) const {
    return false;
}

// ---- dynamic_cast --------------------------------------------------------------

namespace {

using Type = __class_type_info;

bool same(const std::type_info *a, const std::type_info *b) {
    return a == b || strcmp(a->name(), b->name()) == 0;
}

const void *const *vtable_of(const void *object) {
    return *static_cast<const void *const *const *>(object);
}

// A walk over the parts of an object that come from base classes.
struct Search {
    const void *source;
    const Type *source_type;
    const Type *wanted;
    // Parts of the wanted type that have the source as a public base.
    const void *around = nullptr;
    bool around_twice = false;
    // Public parts of the wanted type, and whether the source is public.
    const void *beside = nullptr;
    bool beside_twice = false;
    bool source_is_public = false;

    void visit(const Type *type, const void *part, const void *holder, bool is_public);
    void bases(const Type *type, const void *part, const void *holder, bool is_public);
};

void note(const void *&known, bool &twice, const void *part) {
    twice |= known && known != part;
    known = part;
}

// `holder` is the innermost part of the wanted type that `part` is a public
// base of.
void Search::visit(const Type *type, const void *part, const void *holder, bool is_public) {
    if (same(type, wanted)) {
        holder = part;
        if (is_public)
            note(beside, beside_twice, part);
    }
    if (part == source && same(type, source_type)) {
        if (holder)
            note(around, around_twice, holder);
        source_is_public |= is_public;
    }
    bases(type, part, holder, is_public);
}

void Search::bases(const Type *type, const void *part, const void *holder, bool is_public) {
    if (typeid(*type) == typeid(__si_class_type_info)) {
        visit(static_cast<const __si_class_type_info *>(type)->__base_type, part, holder,
              is_public);
    } else if (typeid(*type) == typeid(__vmi_class_type_info)) {
        auto *multiple = static_cast<const __vmi_class_type_info *>(type);
        for (unsigned i = 0; i < multiple->__base_count; i++) {
            const __base_class_type_info &base = multiple->__base_info[i];
            ptrdiff_t offset = base.__offset();
            if (base.__is_virtual_p()) {
                auto *table = reinterpret_cast<const char *>(vtable_of(part));
                offset = *reinterpret_cast<const ptrdiff_t *>(table + offset);
            }
            bool open = base.__is_public_p();
            visit(base.__base_type, static_cast<const char *>(part) + offset,
                  open ? holder : nullptr, open && is_public);
        }
    }
}

} // namespace

// The standard's rule: the one part of the wanted type around the source, or
// else the one that is public if the source is. Anything ambiguous is null.
extern "C" void *__dynamic_cast(const void *source, const __class_type_info *source_type,
                                const __class_type_info *wanted, ptrdiff_t) {
    const void *const *table = vtable_of(source);
    ptrdiff_t to_top = reinterpret_cast<ptrdiff_t>(table[-2]);
    const void *whole = static_cast<const char *>(source) + to_top;
    auto *whole_type = static_cast<const __class_type_info *>(
        static_cast<const std::type_info *>(table[-1]));
    Search search{source, source_type, wanted};
    search.visit(whole_type, whole, nullptr, true);
    const void *found = nullptr;
    if (search.around && !search.around_twice)
        found = search.around;
    else if (search.source_is_public && search.beside && !search.beside_twice)
        found = search.beside;
    return const_cast<void *>(found);
}

} // namespace __cxxabiv1
