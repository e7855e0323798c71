"""The documents' tests see what is wrong: a dead link, a renamed function, a command that fails."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from run_docs import session  # noqa: E402
from section import commands  # noqa: E402


def problems(document, check="check_links.py", **files):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for path, text in {"README.md": document, "src/plan/event.cc": "int plan_event();\n", **files}.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, HERE / check, folder], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode else ""


def run(document):
    return subprocess.run(["bash", "-c", session("README.md", document)], capture_output=True, text=True, check=False)


class Sections(unittest.TestCase):
    DOCUMENT = "# A\n```sh run\none\n```\n## B\n```sh run\n# a comment\ntwo\n```\n```text\nthree\n```\n### C\n```sh run\nfour\n```\n## D\n```sh run\nfive\n```\n"

    def test_the_commands_of_a_section_and_of_those_below_it(self):
        self.assertEqual("# a comment\ntwo\nfour\n", commands(self.DOCUMENT, "B"))

    def test_the_last_section(self):
        self.assertEqual("five\n", commands(self.DOCUMENT, "D"))

    def test_a_section_that_is_not_there_has_none(self):
        self.assertEqual("", commands(self.DOCUMENT, "E"))


class Links(unittest.TestCase):
    def test_what_is_there_is_no_problem(self):
        self.assertEqual("", problems("# A\n[a](src/plan/event.cc) [`plan_event`](src/plan/event.cc) `src/plan/event.cc` "
                                      "`src/*/event.cc` [up](#a)\n```sh run\ntrue\n```\n"))

    def test_a_dead_link(self):
        self.assertIn("README.md:2: leads to gone.md", problems("# A\n[a](gone.md)\n"))

    def test_a_picture_that_is_gone(self):
        self.assertIn("README.md:2: leads to gone.png", problems("# A\n![a](gone.png)\n"))

    def test_a_dead_heading(self):
        self.assertIn("heading #b", problems("# A\n[a](#b)\n"))

    def test_a_renamed_function(self):
        self.assertIn("names `plan_evnt`", problems("[`plan_evnt`](src/plan/event.cc)\n"))

    def test_a_path_that_is_gone(self):
        self.assertIn("names src/plan/layer.cc", problems("see `src/plan/layer.cc`\n"))

    def test_commands_that_nobody_runs(self):
        self.assertIn("a block of commands", problems("```sh\ntrue\n```\n"))
        self.assertEqual("", problems("```sh not-run: needs a screen\ntrue\n```\n"))


class Form(unittest.TestCase):
    PAGE = "# A?\n## Question\n## Tried\n## Seen\n## Decided\n## Ask again\n"

    def of_page(self, text, index="[a](a.md)\n"):
        return problems("# A\n", "check_form.py", **{"docs/decisions/README.md": index, "docs/decisions/a.md": text})

    def test_a_page_with_its_headings_is_no_problem(self):
        self.assertEqual("", self.of_page(self.PAGE))

    def test_a_page_without_figures(self):
        self.assertIn("docs/decisions/a.md: has not the headings", self.of_page(self.PAGE.replace("## Seen\n", "")))

    def test_a_page_as_long_as_a_book(self):
        self.assertIn("has 106 lines", self.of_page(self.PAGE + 100 * "\n"))

    def test_a_page_that_is_not_in_the_index(self):
        self.assertIn("does not stand in docs/decisions/README.md", self.of_page(self.PAGE, "# Decisions\n"))


class Paragraphs(unittest.TestCase):
    def of_page(self, text):
        return problems("# A\n", "check_form.py", **{"docs/ARCHITECTURE.md": text})

    def test_six_lines_a_table_and_a_list_are_no_problem(self):
        self.assertEqual("", self.of_page("one\n" * 6 + "\n" + "| a |\n" * 9 + "\n" + "- one\n  two\n" * 5 + "\n```text\n" + "x\n" * 9 + "```\n"))

    def test_a_paragraph_of_seven_lines(self):
        self.assertIn("docs/ARCHITECTURE.md:7: a paragraph of more", self.of_page("one\n" * 7))
        self.assertEqual("", problems("one\n" * 7, "check_form.py"), "other documents may")

    def test_a_line_too_wide(self):
        self.assertIn("docs/ARCHITECTURE.md:2: a line of 151 columns", self.of_page("\n" + "x" * 151 + "\n"))


class Calls(unittest.TestCase):
    CODE = "int other() {\n    two_b();\n}\nint make() {\n    one_a(x);\n    two_b();\n}\n"

    def of_block(self, text, place="int make("):
        return problems(f"```text calls of {place} in src/make.cc\n{text}```\n", "check_form.py", **{"src/make.cc": self.CODE})

    def test_calls_in_their_order_are_no_problem(self):
        self.assertEqual("", self.of_block("   words first\none_a  it does one\ntwo_b\n│\n"))

    def test_calls_in_another_order(self):
        self.assertIn("one_a does not follow there", self.of_block("two_b\none_a\n"))

    def test_a_call_that_is_gone(self):
        self.assertIn("three_c does not follow there", self.of_block("one_a\nthree_c  gone\n"))

    def test_a_place_that_is_gone(self):
        self.assertIn("one_a does not follow there in 'int build('", self.of_block("one_a\n", "int build("))

    def test_a_call_behind_the_place(self):
        self.assertIn("one_a does not follow there", self.of_block("one_a\n", "int other("))


class Commands(unittest.TestCase):
    def test_commands_run_in_one_session(self):
        self.assertEqual(0, run("```sh run\nword=a\n```\ntext\n```sh run\n[ $word = a ]\n```\n").returncode)

    def test_a_command_that_fails_is_named(self):
        done = run("one\n```sh run\ntrue\n```\n\n```sh run\nfalse\necho on\n```\n")
        self.assertNotEqual(0, done.returncode)
        self.assertIn("in the block at line 7", done.stderr)
        self.assertNotIn("on\n", done.stdout.replace("---- ", ""))

    def test_a_block_that_is_not_marked_does_not_run(self):
        self.assertEqual(0, run("```sh not-run: it fails\nfalse\n```\n").returncode)


if __name__ == "__main__":
    unittest.main()
