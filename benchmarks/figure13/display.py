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
LINES = 1000  # of text, more than a window shows
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
    """What a user does, always the same gesture. `pid`: of the process that was started: the program's, unless a tool starts it."""

    def __init__(self, pid, driver, gesture):
        self.pid = pid
        self.driver = driver
        self.gesture = gesture

    def answer(self, wanted):
        words = self.driver.stdout.readline().split()
        if words[:1] != [wanted]:
            raise Failed(f"the driver answers {' '.join(words) or 'nothing'}, not {wanted}")
        return words[1:]

    def ask(self, command):
        self.driver.stdin.write(f"{command}\n")
        return self.answer(command.split()[0])

    def repeat(self, count):
        """Makes the gesture so often. What each changes on the screen must have been shown."""
        if self.ask(f"{self.gesture} {count}") != [str(count)]:
            raise Failed(f"not {count} events of {self.gesture} were answered")

    def pictures(self):
        """Digests of the screen in the middle of the gesture and after it."""
        digests = []
        for half in ("begin", "end"):
            self.ask(f"{half} {self.gesture}")
            settled(self.pid)
            digests += self.ask("picture")
        if digests[0] == digests[1]:
            raise Failed(f"{self.gesture} does not change the screen")
        return digests


@contextlib.contextmanager
def session(folder, driver, command, environment, gesture):
    """Starts a server, the program in a home of its own that has nothing but the file `lines`, and the driver, which in the end asks the program's window to close."""
    shutil.rmtree(folder, ignore_errors=True)
    home = os.path.join(folder, "home")
    os.makedirs(home)
    with open(os.path.join(home, "lines"), "w", encoding="ascii") as lines:
        lines.writelines(f"{number:5} line\n" for number in range(1, LINES + 1))
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(os.path.join(folder, "log"), "wb"))
        places = {"cwd": home, "env": environment | {"HOME": home, "DISPLAY": stack.enter_context(x_server(log))}, "stderr": log}
        program = stack.enter_context(running(command, stdin=subprocess.DEVNULL, stdout=log, **places))
        asked = stack.enter_context(running([driver], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **places))
        user = Session(program.pid, asked, gesture)
        user.answer("ready")
        settled(program.pid)
        yield user
        user.ask("quit")
        asked.stdin.close()
        try:
            ended = program.wait(LONGEST_END_S)
        except subprocess.TimeoutExpired as problem:
            raise Failed(f"{command[0]} does not end") from problem
        if ended != 0:
            raise Failed(f"{' '.join(command)[:200]} ended with {ended} (see {log.name})")
