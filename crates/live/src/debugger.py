# Commands for a native program that runs along a schedule of exeunt.
#
#   to-failure    run to the place where the program goes wrong
#   forward       go on to the next step of the schedule
#   back          to the step before, by running again
#   to-step N     to step N, by running again
#   of N COMMAND  do a command on the stack of thread N ("of 2 bt")
#   all           where every thread is
#
#   info threads  the threads of the program, and where each is
#
# The threads of the program are coroutines on one kernel thread: gdb's own
# "thread" does not know them.

import gdb

REGISTERS = ["r15", "r14", "r13", "r12", "rbx", "rbp"]
place = {"step": 0, "over": False, "wanted": None, "ready": False, "saved": None}


def number(name):
    return int(gdb.parse_and_eval("*(unsigned long *)&" + name))


def threads():
    return number("EXEUNT_LIVE_THREADS")


def context(thread):
    base = int(gdb.parse_and_eval("(unsigned long)&EXEUNT_LIVE_CONTEXTS"))
    return word(base + 8 * (thread - 1))


def word(address):
    return int(gdb.parse_and_eval("*(unsigned long *)%d" % address))


class AtStep(gdb.Breakpoint):
    def __init__(self):
        super().__init__("exeunt_live_step", internal=True)
        self.silent = True

    def stop(self):
        place["step"] = int(gdb.parse_and_eval("(unsigned long)$rdi"))
        return place["wanted"] == place["step"]


class AtFailure(gdb.Breakpoint):
    def __init__(self):
        super().__init__("exeunt_live_stop", internal=True)
        self.silent = True

    def stop(self):
        place["over"] = True
        place["engine"] = int(gdb.parse_and_eval("(unsigned long)$rdi")) == 1
        return True


def run(step):
    place.update(step=0, over=False, engine=False, wanted=step, saved=None)
    if not place["ready"]:
        gdb.execute("tcatch load exeunt-live-runtime", to_string=True)
        gdb.execute("run", to_string=True)
        AtStep()
        AtFailure()
        place["ready"] = True
        gdb.execute("continue", to_string=True)
    else:
        gdb.execute("run", to_string=True)
    tell()


def tell():
    if gdb.selected_thread() is None or not gdb.selected_thread().is_valid():
        print("the program has ended")
    elif place["over"] and place["engine"]:
        print("no thread goes on after step %d; `all` shows where they are" % place["step"])
        hang()
    else:
        words = "it goes wrong in" if place["over"] else "before"
        current = number("EXEUNT_LIVE_CURRENT") + 1
        print("%s step %d, thread %d" % (words, place["step"], current))
        up()


def is_own(frame):
    """Whether it is in a file that is no header or library of the system."""
    table = frame.find_sal().symtab
    system = ("/usr/include/", "/usr/lib/", "/rustc/", "/library/std/", "../sysdeps/")
    return table is not None and not any(part in table.fullname() for part in system)


def up():
    """To the innermost frame of the program itself."""
    frame = gdb.newest_frame()
    while frame is not None and not is_own(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def enter(thread):
    """Puts gdb on the stack of a thread; false if that has ended."""
    current = number("EXEUNT_LIVE_CURRENT") + 1
    engine = place["over"] and place["engine"]
    gdb.newest_frame().select()
    if engine or thread != current:
        stack = context(thread)
        if stack == 0:
            return False
        values = [word(stack + 8 + 8 * at) for at in range(len(REGISTERS) + 1)]
        for name, value in zip(REGISTERS, values):
            gdb.execute("set $%s = %d" % (name, value))
        gdb.execute("set $rsp = %d" % (stack + 8 + 8 * (len(REGISTERS) + 1)))
        gdb.execute("set $rip = %d" % values[-1])
    return True


def registers():
    return {name: int(gdb.parse_and_eval("(unsigned long)$" + name))
            for name in REGISTERS + ["rsp", "rip"]}


def restore(saved):
    gdb.newest_frame().select()
    for name, value in saved.items():
        gdb.execute("set $%s = %d" % (name, value))


def leave():
    """Gives the engine its registers back, before it goes on."""
    saved, place["saved"] = place["saved"], None
    if saved is not None:
        restore(saved)


def hang():
    """Stays on the stack of the first thread that hangs."""
    place["saved"] = registers()
    for thread in range(1, threads() + 1):
        if enter(thread):
            print("thread %d hangs in" % thread)
            up()
            return


def own_place():
    frame = gdb.newest_frame()
    while frame is not None and not is_own(frame):
        frame = frame.older()
    if frame is None:
        return "in a library"
    place = frame.find_sal()
    return "%s () at %s:%d" % (frame.name(), place.symtab.filename, place.line)


def on_stack(thread, command):
    """Does a command as if this thread ran."""
    saved = registers()
    if not enter(thread):
        print("thread %d has ended" % thread)
        return
    try:
        gdb.newest_frame().select()
        gdb.execute(command)
    finally:
        restore(saved)


def command(name, call):
    class Command(gdb.Command):
        def __init__(self):
            super().__init__(name, gdb.COMMAND_USER)

        def invoke(self, text, _):
            call(text.strip())

    Command()


def forward(_):
    if place["over"]:
        print("the schedule is at its end")
        return
    place["wanted"] = place["step"] + 1
    gdb.execute("continue", to_string=True)
    tell()


def of(text):
    thread, _, rest = text.partition(" ")
    if not thread.isdigit() or not 1 <= int(thread) <= threads():
        print("of N COMMAND: there are threads 1 to %d" % threads())
        return
    on_stack(int(thread), rest or "backtrace")


def everything(_):
    for thread in range(1, threads() + 1):
        print("thread %d" % thread)
        on_stack(thread, "backtrace")


def list_threads(_):
    current = number("EXEUNT_LIVE_CURRENT") + 1
    for thread in range(1, threads() + 1):
        mark = "*" if thread == current and not (place["over"] and place["engine"]) else " "
        on_stack(thread, "python print('%s thread %d  ' + own_place())" % (mark, thread))


gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set print thread-events off")
gdb.execute("set debuginfod enabled off")
# Where atomic instructions are steps, the runtime stops the program by this signal.
gdb.execute("handle SIGILL nostop noprint pass", to_string=True)
command("to-failure", lambda _: run(None))
command("to-step", lambda text: run(int(text)))
command("back", lambda _: run(max(1, place["step"] - (0 if place["over"] else 1))))
command("forward", forward)
command("of", of)
command("all", everything)
command("info threads", list_threads)
gdb.execute("define hook-continue\npython leave()\nend")
