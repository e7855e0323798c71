#!/usr/bin/env python3
# tests: tools/gdb_waits.py in a real gdb, on a program whose functions wait.   usage: gdb_test.py TRACED PLAIN
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "..", "tools", "gdb_waits.py")
SOURCE = open(os.path.join(HERE, "blocked.cc"), encoding="utf-8").read().splitlines()


def line_of(text):
    return next(number for number, line in enumerate(SOURCE, 1) if text in line)


IDLE = ("catch syscall epoll_wait epoll_pwait epoll_pwait2", "run idle")


def waits(program, *stop, after=()):
    """What the command shows where the program stops, and what gdb says to the commands after it."""
    commands = ["set pagination off", *(stop or ("break look_here", "run")), "thalweg-waits", *after]
    done = subprocess.run(["gdb", "-q", "-batch", "-nx", "-x", SCRIPT, *(word for one in commands for word in ("-ex", one)), program],
                          capture_output=True, text=True, timeout=120, check=False)
    assert "thread 1: " in done.stdout, done.stdout + done.stderr
    return done.stdout[done.stdout.index("thread 1: "):]


class Waits(unittest.TestCase):
    def test_a_traced_program_shows_all_chains_with_the_lines_of_waits_and_events(self):
        shown = waits(TRACED)
        self.assertIn("thread 1: 7 functions wait\n", shown)
        look_up, serve = line_of("answer = mkevent(all, address)"), line_of("co_await look_up")
        self.assertRegex(shown, rf"  blocked.cc:{look_up + 1} waits for all of its events, in .*look_up.*\n"
                                rf"      1 made at blocked.cc:{look_up}\n"
                                rf"    blocked.cc:{serve} waits for a function, in .*serve")
        self.assertRegex(shown, rf"  blocked.cc:{line_of('pause_for(1h)')} waits for a time, in .*rest")
        self.assertRegex(shown, r"adapters.h:\d+ waits for any of its events, in .*time_out.*\n      1 made at adapters.h")
        self.assertRegex(shown, rf"  blocked.cc:{line_of('reads(gather')} waits for all of its events, in .*reads.*\n"
                                rf"      1 made at blocked.cc:{line_of('mkevent(bytes)')}")

    def test_any_program_shows_what_waits_for_timers(self):
        shown = waits(PLAIN)
        self.assertRegex(shown, rf"rest\(.*\) at blocked.cc:{line_of('rest()')} waits for a time\n"
                                rf"    .*sits\(.*\) at blocked.cc:{line_of('sits()')} waits for a function")
        self.assertRegex(shown, r"time_out.* waits for events\n      1 made at adapters.h")

    def test_an_idle_program_shows_the_same_though_its_frame_is_the_c_library_s(self):
        for program, claim in ((TRACED, "7 functions wait\n"), (PLAIN, "from the timers")):
            self.assertIn(claim, waits(program, *IDLE))
        self.assertRegex(waits(PLAIN, *IDLE), r"rest\(.*\) at blocked.cc:\d+ waits for a time")

    def test_gdb_s_language_and_frame_are_left_as_they_were(self):
        shown = waits(PLAIN, "break look_here", "run", "set language ada", "up", after=("show language", "frame"))
        self.assertRegex(shown, r'language is "ada"')
        self.assertRegex(shown, r"#1 .* main \(")
        self.assertRegex(waits(PLAIN, *IDLE, after=("show language",)), r'"auto; currently \S+"')

    def test_it_does_not_show_what_nobody_noted(self):
        self.assertIsNone(re.search("look_up|serve", waits(PLAIN)))


if __name__ == "__main__":
    TRACED, PLAIN = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
