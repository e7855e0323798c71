#!/usr/bin/env python3
# examples: the video player as a whole: the same pictures by every way they can travel   usage: run_test.py BIN_FOLDER
import hashlib
import os
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BIN = Path(sys.argv.pop(1)).resolve()
FLAVOURS = ("", "-c", "-hand", "-c-hand")
FRAME_BYTES = 176 * 144 * 3 // 2
ALL_FRAMES = 120


def run(*words, sender="", receiver=""):
    command = [str(HERE / "run"), "--sender", str(BIN / f"video_sender{sender}"),
               "--receiver", str(BIN / f"video_receiver{receiver}"), "--timeout", "120", *words]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "DISPLAY": ""})
    return done


class Video(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = subprocess.run([str(HERE / "get-clip")], stdout=subprocess.PIPE, text=True, check=True)
        cls.clip = made.stdout.strip()
        # What ffmpeg itself makes of the clip: the judge is not our own decoder's digest.
        cls.pictures = subprocess.run(["ffmpeg", "-v", "error", "-flags", "+bitexact", "-i", cls.clip, "-f", "rawvideo",
                                       "-pix_fmt", "yuv420p", "-"], stdout=subprocess.PIPE, check=True).stdout

    def shown(self, frames, times=1):
        digest = hashlib.sha256(self.pictures[:frames * FRAME_BYTES] * times).hexdigest()
        n = frames * times
        return f"frames {n}, pictures {n}, damaged 0\ndigest sha256:{digest}\n"

    def check(self, done, frames=ALL_FRAMES, times=1):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.shown(frames, times))

    def test_every_flavour_shows_what_ffmpeg_decodes(self):
        for flavour in FLAVOURS:
            with self.subTest(flavour=flavour):
                self.check(run("--fps", "0", sender=flavour, receiver=flavour))

    def test_both_interfaces_understand_each_other(self):
        self.check(run("--fps", "0", sender="-c", receiver=""))
        self.check(run("--fps", "0", sender="", receiver="-c"))

    def test_every_frame_rate_shows_the_same(self):
        rates = (10, 15, 20, 25)
        with ThreadPoolExecutor() as pool:  # they mostly wait
            runs = pool.map(lambda rate: (rate, run("--fps", str(rate), "--frames", "12")), rates)
            for rate, done in runs:
                with self.subTest(rate=rate):
                    self.check(done, frames=12)

    def test_with_losses_every_frame_arrives(self):
        for flavour, seed in (("", 1), ("", 2), ("-c", 3), ("-hand", 4), ("-c-hand", 5)):
            with self.subTest(flavour=flavour, seed=seed):
                done = run("--fps", "0", "--loss", "0.05", "--seed", str(seed), "--stats", sender=flavour, receiver=flavour)
                self.check(done)
                self.assertRegex(done.stderr, r"video_receiver: .* [1-9]\d* recovered")

    def test_with_many_losses_segments_are_sent_again(self):
        done = run("--fps", "0", "--loss", "0.2", "--stats", "--frames", "40")
        self.check(done, frames=40)
        self.assertRegex(done.stderr, r"video_sender: .* [1-9]\d* sent again")

    def test_a_clip_played_twice_is_twice_as_long(self):
        self.check(run("--fps", "0", "--frames", "20", "--times", "2"), frames=20, times=2)

    def test_a_sender_without_a_receiver_says_so(self):
        done = subprocess.run([str(BIN / "video_sender"), "--port", "9", "--fps", "0", self.clip],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not answer", done.stderr)

    def test_a_receiver_whose_sender_dies_says_so(self):
        ready, tell = os.pipe()
        receiver = subprocess.Popen([str(BIN / "video_receiver"), "--ready-fd", str(tell), "--patience", "1"],
                                    pass_fds=(tell,), stderr=subprocess.PIPE, text=True)
        os.close(tell)
        with os.fdopen(ready) as pipe:
            port = pipe.readline().strip()
        sender = subprocess.Popen([str(BIN / "video_sender"), "--port", port, "--fps", "10", self.clip])
        time.sleep(0.5)
        sender.kill()
        sender.wait()
        said = receiver.communicate(timeout=30)[1]
        self.assertEqual(receiver.returncode, 1)
        self.assertIn("before the clip's end", said)

    def test_a_program_that_is_not_there_is_named(self):
        done = run(sender="-that-is-not-there")
        self.assertEqual(done.returncode, 7)
        self.assertIn("cannot start", done.stderr)

    def test_a_clip_that_is_none_is_refused(self):
        done = run("--clip", str(HERE / "run"), "--patience", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot read", done.stderr)

    def test_bad_options_are_refused(self):
        for words in (["--fps", "many"], ["--loss", "1"], ["--loss", "-0.1"], ["--port", "70000"], ["--fragment", "9999"], []):
            done = subprocess.run([str(BIN / "video_sender"), *words, self.clip], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("usage:", done.stderr)


unittest.main(verbosity=1)
