# Commands for a reproducer under gdb. TURNS, HANGING and EXITS are set in front of this.
#
#   to-failure    run to the place where the program goes wrong
#   to-switch N   run from the beginning to turn N of the schedule
#
# The shim stops in functions of its own; what is shown is the line of the program.

import gdb


def is_own(frame):
    """Whether it is in a line of the program, not of the shim or of a library."""
    table = frame.find_sal().symtab
    name = frame.name() or ""
    if table is None or name.startswith("exeunt_"):
        return False
    system = ("/usr/include/", "/usr/lib/", "./nptl/", "../sysdeps/", "./stdlib/", "./assert/", "../csu/")
    path = table.filename
    return not any(part in path for part in system) and "/reproducer.c" not in path


def own_frame():
    frame = gdb.newest_frame()
    while frame is not None and not is_own(frame):
        frame = frame.older()
    return frame


def at_hang():
    frame = gdb.newest_frame()
    return frame is not None and frame.name() == "exeunt_hangs"


def at_exit():
    frame = gdb.newest_frame()
    return frame is not None and frame.name() in ("exit", "__GI_exit")


def hanging():
    """The threads of the program that hang, by their numbers in the report."""
    found = {}
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame = own_frame()
        if frame is not None:
            found[int(gdb.parse_and_eval("exeunt_me"))] = (thread, frame.find_sal())
    return found


def show():
    """Goes to the line of the program, and says which threads hang where."""
    if gdb.selected_thread() is None or not gdb.selected_thread().is_valid():
        return
    if at_hang():
        found = hanging()
        # A thread that hangs in several sections is told once.
        wanted = [number for number in dict.fromkeys(HANGING) if number in found] or sorted(found)
        for number in wanted:
            thread, place = found[number]
            print("thread %d of the report hangs at %s:%d (gdb's thread %d)"
                  % (number, place.symtab.filename, place.line, thread.num))
        if wanted:
            found[wanted[0]][0].switch()
    if at_exit():
        print("the program exits with %d" % (int(gdb.parse_and_eval("$rdi")) & 0xff))
    frame = own_frame()
    if frame is not None:
        frame.select()
        gdb.execute("frame")
    elif gdb.newest_frame().name() == "exeunt_switched":
        thread, turn = (int(gdb.newest_frame().read_var(name)) for name in ("thread", "turn"))
        print("thread %d of the report begins (turn %d)" % (thread, turn))


def command(name, text, call):
    class Command(gdb.Command):
        __doc__ = text

        def __init__(self):
            super().__init__(name, gdb.COMMAND_USER)

        def invoke(self, argument, _):
            call(argument.strip())

    Command()


# Whether a `continue` of the user came to where the program hangs, and that is not told yet. Threads must not be
# switched while gdb is in the middle of a stop: gdb 13 ends with a fault then.
untold = False


def stopped(event):
    global untold
    if isinstance(event, gdb.BreakpointEvent) and at_hang():
        untold = True


def tell():
    """What the user's own commands led to: before the next prompt, or behind `continue` where there is none."""
    global untold
    if untold:
        untold = False
        show()


def run():
    """Runs without what gdb says on the way."""
    gdb.events.stop.disconnect(stopped)
    told = gdb.execute("run", to_string=True)
    gdb.events.stop.connect(stopped)
    for line in told.splitlines():
        if "received signal" in line or "exited" in line:
            print(line)
    show()


def to_failure(_):
    run()


def to_switch(text):
    if not text.isdigit() or not 1 <= int(text) <= TURNS:
        print("there is no such turn: `to-switch N` takes a number from 1 to %d" % TURNS)
        return
    turn = int(text)
    where = "main" if turn == 1 else "exeunt_switched if turn >= %d" % turn
    gdb.execute("tbreak " + where, to_string=True)
    run()


for setting in ["pagination off", "confirm off", "debuginfod enabled off", "breakpoint pending on",
                "print thread-events off"]:
    gdb.execute("set " + setting)
command("to-failure", "Run to the place where the program goes wrong.", to_failure)
command("to-switch", "Run from the beginning to the given turn of the schedule, counted from 1.", to_switch)
gdb.execute("break exeunt_hangs", to_string=True)
if EXITS:
    gdb.execute("break exit", to_string=True)
gdb.events.stop.connect(stopped)
gdb.events.before_prompt.connect(tell)
gdb.execute("define hookpost-continue\npython tell()\nend")
