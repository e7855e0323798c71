# benchmarks: an X server without a screen, a program that runs on it, and the driver that sends the program its events.
import contextlib
import os
import shutil
import subprocess
import time

from harness.rounds import Failed

# The whole menu must fit below the pointer: otherwise it opens with an entry under the pointer, which closing it would execute.
SCREEN = "1024x768x24"
# A process is idle when it sleeps and has used no processor time between readings.
IDLE_READINGS, READING_S = 3, 0.02
LONGEST_IDLE_WAIT_S = 60
LONGEST_END_S = 120  # an instrumented program writes its profile when it ends


def cpu_nanoseconds(pid):
    """Processor time of the process's only thread, user and system."""
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0])


def sleeps(pid):
    """On a busy machine a process that waits for a processor uses no time either."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[0] == "S"


def settled(pid):
    """Waits until the process is idle. Its processor time then."""
    readings = []
    limit = time.monotonic() + LONGEST_IDLE_WAIT_S
    while len(readings) < IDLE_READINGS or len(set(readings[-IDLE_READINGS:])) > 1:
        if time.monotonic() > limit:
            raise Failed("the program does not become idle")
        time.sleep(READING_S)
        readings = [*readings, cpu_nanoseconds(pid)] if sleeps(pid) else []
    return readings[-1]


@contextlib.contextmanager
def running(command, **places):
    """The process, which is killed if an exception occurs before it ends by itself."""
    process = subprocess.Popen(command, **places)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


@contextlib.contextmanager
def x_server(log):
    """The name of a server's display. The server chooses a free number."""
    told, tells = os.pipe()
    command = ["Xvfb", "-displayfd", str(tells), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with running(command, pass_fds=(tells,), stdin=subprocess.DEVNULL, stdout=log, stderr=log) as server:
        os.close(tells)
        with open(told, encoding="ascii") as number:
            display = number.readline().strip()
        if not display:
            raise Failed(f"Xvfb did not start (see {log.name})")
        yield f":{display}"
        server.terminate()
        server.wait()


class Session:
    """What a user does. `pid`: of the process that was started: the program's, unless a tool starts it."""

    def __init__(self, pid, driver):
        self.pid = pid
        self.driver = driver

    def answer(self, wanted):
        words = self.driver.stdout.readline().split()
        if words[:1] != [wanted]:
            raise Failed(f"the driver answers {' '.join(words) or 'nothing'}, not {wanted}")
        return words[1:]

    def ask(self, command):
        self.driver.stdin.write(f"{command}\n")
        return self.answer(command.split()[0])

    def popup(self, count):
        """Sends the event so often. Every menu must be mapped and unmapped."""
        if self.ask(f"popup {count}") != [str(count), str(count)]:
            raise Failed(f"of {count} menus not all were opened and closed")

    def pictures(self):
        """Digests of the screen with an open menu and without one."""
        digests = []
        for step in ("open", "close"):
            self.ask(step)
            settled(self.pid)
            digests += self.ask("picture")
        if digests[0] == digests[1]:
            raise Failed("the menu does not change the screen")
        return digests


@contextlib.contextmanager
def session(folder, driver, command, environment):
    """Starts a server, the program and the driver. `command` gets the path of a fifo as its last word: the program must end when the fifo is closed."""
    shutil.rmtree(folder, ignore_errors=True)
    home = os.path.join(folder, "home")
    os.makedirs(home)
    fifo = os.path.join(folder, "end")
    os.mkfifo(fifo)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(os.path.join(folder, "log"), "wb"))
        places = {"cwd": home, "env": environment | {"HOME": home, "DISPLAY": stack.enter_context(x_server(log))}, "stderr": log}
        end = os.open(fifo, os.O_RDWR)
        program = stack.enter_context(running([*command, fifo], stdin=subprocess.DEVNULL, stdout=log, **places))
        asked = stack.enter_context(running([driver], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **places))
        try:
            user = Session(program.pid, asked)
            user.answer("ready")
            yield user
        finally:
            os.close(end)
        asked.stdin.close()
        try:
            ended = program.wait(LONGEST_END_S)
        except subprocess.TimeoutExpired as problem:
            raise Failed(f"{command[0]} does not end") from problem
        if ended != 0:
            raise Failed(f"{' '.join(command)[:200]} ended with {ended} (see {log.name})")
