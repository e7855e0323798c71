# benchmarks: tests of which programs are measured, with a tool that ends as the test says.
import os
import subprocess
import tempfile
import unittest

from harness.ninja import Ninja
from harness.project import NOTHING_APPLIED, Missing, Project
from programs.files import small_files

# Called as `thalweg record -o PROFILE ...` and `thalweg optimize PROGRAM --profile PROFILE -o RESULT`.
TOOL = """#!/bin/sh
verb=$1
while [ "$1" != -o ]; do shift; done
[ "$verb" = record ] && {{ echo profile >"$2"; exit 0; }}
{writes} && {{ echo "#!/bin/sh" >"$2"; chmod +x "$2"; }}
echo "{says}"
exit {code}
"""


class Optimised(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Project(folder.name, os.path.join(folder.name, "build"))
        self.program = os.path.join(folder.name, "program")
        self.result = self.program + ".opt"
        os.makedirs(os.path.dirname(self.project.tool))
        for path in (self.program, self.project.cxx):
            self.write(path, "")

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def build(self, code, writes, says=""):
        self.write(self.project.tool, TOOL.format(code=code, writes="true" if writes else "false", says=says))
        ninja = Ninja(os.path.dirname(self.program))
        return ninja.build([self.project.optimised(ninja, self.program, "")])

    def test_what_was_optimised_is_measured(self):
        self.assertEqual(self.build(0, True), {})

    def test_what_nothing_was_applied_to_is_the_original(self):
        self.assertEqual(self.build(4, False, f"thalweg: {NOTHING_APPLIED} of 3 decisions"), {})
        self.assertTrue(os.path.exists(self.result))

    def test_what_was_refused_as_a_whole_is_not_measured(self):
        self.assertEqual(self.build(4, False), {self.result: "not built"})

    def test_the_result_of_an_earlier_run_is_not_measured(self):
        self.build(0, True)
        self.assertTrue(os.path.exists(self.result))
        self.assertEqual(self.build(4, False), {self.result: "not built"})
        self.assertFalse(os.path.exists(self.result))

    def test_what_a_tool_that_failed_has_left_is_not_measured(self):
        self.assertEqual(self.build(1, True), {self.result: "not built"})

    def test_what_is_not_built_is_said_with_what_makes_a_build(self):
        with self.assertRaisesRegex(Missing, "knot is not there.*demo makes one"):
            self.project.need(os.path.join(self.project.build, "bin", "knot"), "knot")

    def test_what_a_benchmark_needs_is_built(self):
        self.write(os.path.join(self.project.root, "CMakeLists.txt"),
                   "cmake_minimum_required(VERSION 3.25)\nproject(p NONE)\nadd_custom_target(knot COMMAND touch knot)\n")
        subprocess.run(["cmake", "-S", self.project.root, "-B", self.project.build], check=True, stdout=subprocess.DEVNULL)
        knot = os.path.join(self.project.build, "knot")
        self.project.need(knot, "knot")
        self.assertTrue(os.path.exists(knot))
        with self.assertRaisesRegex(Missing, "could not be built: cmake --build"):
            self.project.need(os.path.join(self.project.build, "other"), "other")


class SmallFiles(unittest.TestCase):
    def test_what_is_in_the_folder_is_what_the_programs_work_on(self):
        with tempfile.TemporaryDirectory() as folder:
            small = os.path.join(folder, "small")
            for _ in range(2):
                paths = small_files(small, 120, 1)
                found = [os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(small) for name in names]
                self.assertEqual(sorted(found), sorted(paths))


if __name__ == "__main__":
    unittest.main()
