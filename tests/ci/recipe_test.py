#!/usr/bin/python3
"""docs/ci/optimise.yml does what it says, and a recipe that does not is seen.    usage: recipe_test.py BUILD

By the system's own Python, whose YAML parser tools/setup installs.
"""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from recipe import Failed, run  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "docs" / "ci" / "optimise.yml").read_text(encoding="utf-8")
BUILD = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else ROOT / "build"


class Recipe(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = Path(folder.name)

    def outcome(self, recipe):
        return run(recipe, ROOT / "examples" / "book", self.scratch, BUILD / "bin")

    def test_one_job_records_and_the_other_optimises(self):
        said = self.outcome(RECIPE)
        self.assertRegex(said["record"], r"\d+ dispatches of \d+ events")
        self.assertRegex(said["optimise"], r"[1-9]\d* of \d+ decisions applied")
        self.assertIn("outputs equal", said["optimise"])
        self.assertTrue((self.scratch / "artefacts" / "optimised" / "optimised.tar").is_file())

    def test_the_second_job_has_nothing_of_the_first_but_the_artefact(self):
        with self.assertRaisesRegex(Failed, "there is no artefact recorded"):
            self.outcome(RECIPE.replace("name: recorded\n          path", "name: mislaid\n          path"))

    def test_without_the_bundle_nothing_can_be_optimised(self):
        with self.assertRaisesRegex(Failed, r"thalweg plan .* ended with 7"):
            self.outcome(RECIPE.replace("$PROGRAM recorded.bundle day.profile", "$PROGRAM day.profile"))

    def test_a_program_that_shows_something_else_fails(self):
        with self.assertRaisesRegex(Failed, r"thalweg compare .* ended with 5"):
            self.outcome(RECIPE.replace("thalweg compare $PROGRAM ", "thalweg compare /bin/echo "))


if __name__ == "__main__":
    unittest.main()
