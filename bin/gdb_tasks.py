"""Orujo's tasks in gdb: gdb -x bin/gdb_tasks.py -p PID (or --args PROGRAM ...).

  tasks       every task of every core of the process: its number, state, origin and what it waits for
  task N      go to the stack of task N; backtrace, up, info locals then work there
  task back   return to where the core was; continue, detach and the end of gdb do so first

The process tells by itself where its fields lie (orujo_debugger_view, system/tasks/scheduler.cpp), so this needs no
debug information. Stacks of suspended tasks: x86-64 only.
"""

import struct

import gdb

SAVED_REGISTERS = ("r12", "r13", "r14", "r15", "rbx", "rbp", "rip")  # after 8 bytes of floating-point control
VIEW = ("version", "first", "workers", "current", "saved", "origin", "waits_for")


def words(address, count):
    return struct.unpack("<%dQ" % count, gdb.selected_inferior().read_memory(address, 8 * count).tobytes())


def word(address):
    return words(address, 1)[0]


def text(address):
    found = b""
    while address and len(found) < 500 and b"\0" not in found:
        found += gdb.selected_inferior().read_memory(address + len(found), 1).tobytes()
    return found.split(b"\0")[0].decode(errors="replace")


class Task:
    def __init__(self, view, worker, locale, core, thread, runs):
        self.locale, self.core, self.thread = locale, core, thread
        self.origin = text(word(worker + view["origin"]))
        self.saved = word(worker + view["saved"])
        waits_for = text(word(worker + view["waits_for"]))
        self.state = "running" if runs else "ready" if waits_for == "its turn" else "suspended"
        self.waits_for = waits_for if self.state == "suspended" else ""

    def line(self, number):
        return "%5d  [locale %d core %d]  %-9s  %s%s" % (
            number, self.locale, self.core, self.state, self.origin,
            " waits for " + self.waits_for if self.waits_for else "")


def all_tasks():
    try:
        place = int(gdb.parse_and_eval("(unsigned long)&orujo_debugger_view"))
    except gdb.error:
        raise gdb.GdbError("this is no program of Orujo's, or its symbols are stripped")
    view = dict(zip(VIEW, words(place, len(VIEW))))
    if view["version"] != 1:
        raise gdb.GdbError("this program is of another version than gdb_tasks.py")
    tasks = []
    record = view["first"]
    while record:
        record, core, locale, number, _, thread = words(record, 6)
        begin, end = words(core + view["workers"], 2)
        current = word(core + view["current"])
        for worker in words(begin, (end - begin) // 8) if end > begin else ():
            task = Task(view, worker, locale, number, thread, worker == current)
            if task.origin:  # a worker without a task has none
                tasks.append(task)
    return sorted(tasks, key=lambda task: (task.locale, task.core))


def select_thread(number):
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == number:
            thread.switch()
            return
    raise gdb.GdbError("the thread of this core is gone")


before = None  # the thread and its registers, while another task's stack is shown


def set_registers(values):
    gdb.newest_frame().select()
    for name, value in values.items():
        gdb.execute("set var $%s = %d" % (name, value), to_string=True)


def go_back(*_):
    global before
    if before:
        (thread, values), before = before, None
        select_thread(thread)
        set_registers(values)


class TasksCommand(gdb.Command):
    """List the tasks of all cores of this process."""

    def __init__(self):
        super().__init__("tasks", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        go_back()
        tasks = all_tasks()
        for number, task in enumerate(tasks):
            print(task.line(number))
        print("%d tasks" % len(tasks))


class TaskCommand(gdb.Command):
    """task N: go to the stack of task N, as numbered by tasks. task back: return."""

    def __init__(self):
        super().__init__("task", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        global before
        go_back()
        if argument.strip() == "back":
            return
        tasks = all_tasks()
        if not argument.strip().isdigit() or int(argument) >= len(tasks):
            raise gdb.GdbError("task N with N below %d, or task back" % len(tasks))
        task = tasks[int(argument)]
        print(task.line(int(argument)))
        select_thread(task.thread)
        if task.state == "running":
            return
        saved = dict(zip(SAVED_REGISTERS, words(task.saved + 8, len(SAVED_REGISTERS))))
        saved["rsp"] = task.saved + 8 * (1 + len(SAVED_REGISTERS))
        frame = gdb.newest_frame()
        registers = {name: int(frame.read_register(name)) for name in saved}
        before = (task.thread, registers)
        try:
            set_registers(saved)
        except gdb.error:
            before = None
            raise gdb.GdbError("the registers cannot be set: this needs a live process, not a core file")


TasksCommand()
TaskCommand()
for command in ("continue", "detach", "step", "next", "stepi", "nexti", "finish", "until", "advance", "kill"):
    gdb.execute("define hook-%s\ntask back\nend" % command)
gdb.events.gdb_exiting.connect(go_back)
