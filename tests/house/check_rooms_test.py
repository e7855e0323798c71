"""tools/check_rooms.py reports what it should: each rule is broken once in a tiny tree, and must be seen, by its name."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = "# {0}\nTakes: a. Gives: b. May use: c. Must not: d. Start reading at `x.h`.\n"
SOURCE = "// {0}: a purpose that is long enough to say something.\n#pragma once\n"


def clean_tree():
    tree = {}
    for room in ["base", "model", "knowledge", "graph", "plan", "record", "runtime", "verify", "transform", "cli"]:
        tree[f"src/{room}/README.md"] = README.format(room)
        tree[f"src/{room}/x.h"] = SOURCE.format(room)
    tree["src/knowledge/libc.def"] = '// "main" is no row\nFUNCTION("mremap statx statx64", "--", no_call)\n'
    tree["include/thalweg/event.h"] = "// All that a program needs to raise an event.\n"
    return tree


def check(tree, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in tree.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, ROOT / "tools/check_rooms.py", *arguments, folder],
                              capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class CheckRooms(unittest.TestCase):
    def broken(self, path, text, expected, room=None):
        """`text` is added to the clean tree's file (or is a new file), and one line of the output must hold `expected`."""
        tree = clean_tree()
        start = tree.get(path, SOURCE.format(room or path.split("/")[1]) if path.endswith((".h", ".cc")) else "")
        tree[path] = start + text
        code, output = check(tree)
        self.assertEqual(code, 1, output)
        self.assertTrue(any(line.startswith(path + ":") and expected in line for line in output.splitlines()), output)

    def fine(self, path, text):
        tree = clean_tree()
        tree[path] = tree.get(path, SOURCE.format(path.split("/")[1])) + text
        code, output = check(tree)
        self.assertEqual(code, 0, output)

    def test_a_clean_tree_has_no_violation(self):
        code, output = check(clean_tree())
        self.assertEqual(code, 0, output)

    def test_a_stage_includes_a_stage(self):
        self.broken("src/plan/x.h", '#include "graph/x.h"\n', "star: plan may not include graph/x.h")

    def test_a_stage_may_include_the_hub(self):
        self.fine("src/plan/x.h", '#include "base/x.h"\n#include "model/x.h"\n')

    def test_the_judge_reads_the_defendants_notes(self):
        self.broken("src/verify/x_test.cc", '#include "transform/x.h"\n', "star: verify may not include transform/x.h")

    def test_the_command_line_may_see_all(self):
        self.fine("src/cli/x.h", '#include "graph/x.h"\n#include "plan/x.h"\n#include "transform/x.h"\n')

    def test_the_runtime_includes_a_room(self):
        self.broken("src/runtime/x.h", '#include "base/x.h"\n', "star: runtime may not include base/x.h")

    def test_a_users_header_includes_a_room(self):
        self.broken("include/thalweg/event.h", '#include "runtime/x.h"\n', "star: thalweg may not include runtime/x.h")

    def test_an_include_in_a_comment_is_none(self):
        self.fine("src/plan/x.h", '// #include "graph/x.h"\n/*\n#include "graph/x.h"\n*/\n')

    def in_both_wings(self, files, *expected):
        """`files` are added to a tree that has something of the waits too; each line of `expected` is said of them, and no other."""
        tree = clean_tree()
        for room in ["io", "tame"]:
            tree[f"src/{room}/README.md"] = README.format(room)
            tree[f"src/{room}/x.h"] = SOURCE.format(room)
        tree["src/runtime/tame_told.h"] = SOURCE.format("runtime")
        tree["include/thalweg/tame/io.h"] = tree["include/thalweg/tame.h"] = "// All that a program needs to wait.\n"
        for path, text in files.items():
            tree[path] = tree.get(path, "" if path.endswith(".txt") else SOURCE.format(path.split("/")[1])) + text
        code, output = check(tree)
        self.assertEqual(code, 1 if expected else 0, output)
        said = [line.split(":", 2) for line in output.splitlines()[:-1]]
        self.assertCountEqual([f"{where}:{words}" for where, _, words in said], expected)

    def test_a_wing_includes_the_other(self):
        def across(path, wing, included, other):
            return f"{path}: wings: {wing} may not include or link {included} of {other}"

        self.in_both_wings({"src/transform/x.h": "#include <thalweg/tame/io.h>\n", "src/cli/y.h": '#include "tame/x.h"\n',
                            "src/tame/y.h": '#include "model/x.h"\n', "src/cli/tame.cc": '#include "plan/x.h"\n'},
                           across("src/cli/tame.cc", "waits", "plan/x.h", "optimiser"),
                           across("src/cli/y.h", "optimiser", "tame/x.h", "waits"),
                           across("src/tame/y.h", "waits", "model/x.h", "optimiser"),
                           across("src/transform/x.h", "optimiser", "thalweg/tame/io.h", "waits"))
        # Not even the ground, by whose files one would come to the other.
        self.in_both_wings({"src/runtime/y.h": '#include "tame_told.h"\n', "src/cli/verb.h": '#include "plan/x.h"\n'},
                           across("src/cli/verb.h", "shared", "plan/x.h", "optimiser"),
                           across("src/runtime/y.h", "shared", "tame_told.h", "waits"))

    def test_a_wing_includes_itself_and_the_ground(self):
        self.in_both_wings({"src/transform/x.h": "#include <thalweg/event.h>\n", "src/cli/tame.cc": '#include "tame/x.h"\n',
                            "src/tame/y.h": '#include "base/x.h"\n#include "tame/x.h"\n#include <string>\n',
                            "src/runtime/tame_y_test.cc": '#include "tame_told.h"\n#include <thalweg/event.h>\n',
                            "src/io/CMakeLists.txt": "# not thalweg_plan\ntarget_link_libraries(thalweg_io PUBLIC thalweg_runtime)\n"})

    def test_a_wing_links_the_other(self):
        self.in_both_wings({"src/io/CMakeLists.txt": "target_link_libraries(thalweg_io PRIVATE thalweg_plan)\n",
                            "src/plan/CMakeLists.txt": "thalweg_room(plan DEPENDS base\n tame)\ntarget_link_libraries(x Thalweg::io)\n"},
                           "src/io/CMakeLists.txt: wings: waits may not include or link thalweg_plan of optimiser",
                           "src/plan/CMakeLists.txt: wings: optimiser may not include or link Thalweg::io of waits",
                           "src/plan/CMakeLists.txt: wings: optimiser may not include or link tame of waits")

    def test_a_door_between_the_wings(self):
        self.in_both_wings({"src/cli/doctor.cc": "#include <thalweg/tame/io.h>\n"})
        self.in_both_wings({"src/cli/doctor.cc": ""},
                           "src/cli/doctor.cc: wings: the door to thalweg/tame/io.h in tools/rooms.toml leads nowhere; take it out")

    def test_a_cycle_between_rooms(self):
        self.broken("src/base/x.h", '#include "model/x.h"\n', "star")
        tree = clean_tree()
        tree["src/base/x.h"] += '#include "model/x.h"\n'
        tree["src/model/x.h"] += '#include "base/x.h"\n'
        self.assertIn("cycle: rooms include each other: base -> model -> base", check(tree)[1])

    def test_a_floor_includes_what_stands_on_it(self):
        self.broken("src/transform/ir/x.h", '#include "transform/event/x.h"\n',
                    "floor: ir may not include transform/event/x.h")
        self.broken("src/transform/ir/x.h", '#include "transform/pipeline.h"\n',
                    "floor: ir may not include transform/pipeline.h")

    def test_a_floor_includes_itself_and_those_below(self):
        self.fine("src/transform/event/x.h",
                  '#include "transform/event/y.h"\n#include "transform/ir/x.h"\n')
        self.fine("src/transform/x.h", '#include "transform/event/x.h"\n')

    def test_a_floor_that_is_named_nowhere(self):
        self.broken("src/transform/attic/x.h", "", "floor: attic is no floor of transform")

    def test_a_room_that_is_named_nowhere(self):
        tree = clean_tree()
        tree["src/attic/x.h"] = SOURCE.format("attic")
        self.assertIn("src/attic:1: room: this folder is no room", check(tree)[1])

    def test_llvm_outside_its_rooms(self):
        self.broken("src/plan/x.h", "#include <llvm/IR/Module.h>\n", "capability: LLVM headers")
        self.broken("src/plan/x_test.cc", '#include "llvm/IR/Module.h"\n', "capability: LLVM headers")
        self.fine("src/transform/x.h", "#include <llvm/IR/Module.h>\n")

    def test_the_clock_outside_its_rooms(self):
        self.broken("src/graph/x.h", "auto now() { return std::chrono::steady_clock::now(); }\n", "capability: the clock")
        self.fine("src/record/x.h", "auto now() { return std::chrono::steady_clock::now(); }\n")

    def test_printing_outside_the_command_line(self):
        for statement in ['std::cout << 1;', 'std::printf("x");', 'fprintf(stderr, "x");', 'fmt::print("x");', 'puts("x");',
                          'llvm::errs() << 1;']:
            self.broken("src/plan/x.h", f"inline void f() {{ {statement} }}\n", "capability: printing")
        self.fine("src/cli/x.h", "inline void f() { std::cout << 1; }\n")
        self.fine("src/plan/x.h", 'inline auto f() { return "std::cout, printf(), stderr"; }  // printf(x)\n')

    def test_leaving_outside_the_command_line(self):
        self.broken("src/plan/x.h", "inline void f() { std::exit(1); }\n", "capability: leaving the process")
        self.fine("src/plan/x.h", "inline void f(Loop &l) { l.exit(1); on_exit_of(2); }\n")

    def test_starting_processes_outside_their_rooms(self):
        self.broken("src/plan/x.h", "inline void f() { posix_spawn(); }\n", "capability: starting processes")
        self.broken("src/transform/x.h", 'inline void f() { std::system("x"); }\n', "capability: starting processes")
        self.broken("src/plan/x.h", '#include "base/process.h"\n', "capability: starting processes (base/process.h)")
        self.fine("src/record/x.h", '#include "base/process.h"\ninline void f() { fork(); }\n')

    def test_the_environment_outside_its_rooms(self):
        self.broken("src/plan/x.h", 'inline auto f() { return std::getenv("X"); }\n', "capability: the environment")

    def test_a_first_line_without_room_or_purpose(self):
        self.broken("src/plan/y.h", "#pragma once\n", "first line", room="graph")
        self.broken("src/plan/y.h", "#pragma once\n", "first line", room="nothing of ours, and no")
        tree = clean_tree()
        tree["src/plan/x.h"] = "// plan: x\n"
        self.assertIn("src/plan/x.h:1: first line", check(tree)[1])

    def test_a_file_that_is_too_long(self):
        self.broken("src/plan/x.h", "int f();\n" * 800, "file size: 802 lines")
        self.fine("src/plan/x.h", "int f();\n" * 798)

    def test_a_function_that_is_too_long(self):
        self.broken("src/plan/x.h", "inline int f(int a) {\n" + "a++;\n" * 69 + "}\n", "function size: f has 71 lines")
        self.fine("src/plan/x.h", "inline int f(int a) {\n" + "a++;\n" * 68 + "}\n")

    def test_a_room_that_has_grown_too_large(self):
        tree = clean_tree()
        for file in range(8):
            tree[f"src/model/y{file}.h"] = SOURCE.format("model") + "\n" * 700
            tree[f"src/graph/y{file}.h"] = SOURCE.format("graph") + "\n" * 700
            tree[f"src/model/y{file}_test.cc"] = SOURCE.format("model") + "\n" * 700
        output = check(tree)[1]
        self.assertIn("src/model:1: room size: 5618 lines of code, 5500 are the limit", output)
        self.assertNotIn("src/graph:1", output)

    def test_a_function_that_nests_too_deep(self):
        def nested(depth):
            return "inline void f(int a) {\n" + "if (a) {\n" * depth + "a++;\n" + "}\n" * depth + "}\n"

        self.broken("src/plan/x.h", nested(5), "nesting: f nests 5 deep")
        self.fine("src/plan/x.h", nested(4))
        self.fine("src/plan/x.h", "inline auto f() {\n return T{{{{{{1}}}}}};\n}\n")

    def test_python_that_nests_too_deep(self):
        deep = "def f(a):\n" + "".join("    " * (n + 1) + "if a:\n" for n in range(5)) + "    " * 6 + "return a\n"
        self.broken("tools/x.py", deep, "nesting: f nests 5 deep")

    def test_a_room_without_a_readme(self):
        tree = clean_tree()
        del tree["src/plan/README.md"]
        self.assertIn("src/plan/README.md:1: readme: missing", check(tree)[1])
        tree["src/plan/README.md"] = "# plan\nTakes: a. Gives: b.\n"
        self.assertIn("src/plan/README.md:1: readme: does not say 'Must not", check(tree)[1])

    def test_a_path_of_somebodys_machine(self):
        somewhere = "/" + "home/somebody/thalweg"
        self.broken("docs/x.md", f"cd {somewhere}\n", "text: a path of one machine")

    def test_the_host_of_a_package_registry(self):
        host = "registry." + "npmjs" + ".org"
        self.broken("docs/x.md", f"see {host}\n", "text: the name of a package registry's host")

    def test_a_shared_name_in_a_string(self):
        self.broken("src/transform/x.h", 'auto name = "thalweg_probe_enter";\n', "once: thalweg_probe_enter is shared")
        self.broken("src/transform/x.h", 'auto name = "_ZTS12thalweg_core";\n', "once: _ZTS12thalweg_core is shared")
        self.fine("src/transform/x.h", '#include "base/x.h"  // "thalweg_probe_enter"\nauto name = "thalweg.fact";\n')

    def test_a_shared_bound_that_stands_twice(self):
        tree = clean_tree()
        tree["src/abi/README.md"] = README.format("abi")
        tree["include/thalweg/abi.h"] = "// The bytes that all parts share, and their version.\n"
        self.assertIn("src/abi/x.h:1: once: does not include", check({**tree, "src/abi/x.h": SOURCE.format("abi")})[1])
        tree["src/abi/x.h"] = SOURCE.format("abi") + ("#include <thalweg/abi.h>\n"
                                                      "inline constexpr uint32_t thalweg_crossing_groups_left_alone = 32;\n"
                                                      "#define THALWEG_PROBE_PAGE_BITS 12\n")
        self.assertEqual(check(tree)[0], 0)
        for text, name in [("constexpr unsigned groups_left_alone = 32;\n", "groups_left_alone"),
                           ("constexpr unsigned probe_page_bits = 12;\n", "probe_page_bits")]:
            code, output = check({**tree, "src/transform/x.h": SOURCE.format("transform") + text})
            self.assertEqual(code, 1, output)
            self.assertIn(f"src/transform/x.h:3: once: {name} is a bound that stands in src/abi/x.h", output)

    def test_a_name_of_the_c_library_outside_the_table(self):
        for room in ["transform", "plan"]:
            for name in ["mremap", "statx64"]:
                self.broken(f"src/{room}/x.h", f'inline const char *name = "{name}";\n',
                            f"names: {name} has a row in src/knowledge/libc.def")
        self.fine("src/plan/x_test.cc", 'auto name = "mremap";\n')
        self.fine("src/cli/x.h", 'inline const char *name = "mremap";\n')
        self.fine("src/plan/x.h", 'inline const char *words = "mremap moves";  // "mremap"\ninline const char *other = "main";\n')

    def test_an_exception_for_a_name_that_is_gone(self):
        self.broken("src/transform/cache/guard.cc", "", "names: memcmp is allowed here and isn't there", room="transform")

    def test_a_table_of_names_that_is_gone(self):
        tree = clean_tree()
        del tree["src/knowledge/libc.def"]
        self.assertIn("src/knowledge/libc.def:1: names: the table is missing", check(tree)[1])

    def test_a_tree_without_rooms_is_refused(self):
        code, output = check({"README.md": "nothing\n"})
        self.assertNotEqual(code, 0, output)


class CheckLibraries(unittest.TestCase):
    def library(self, text, copy=None):
        """The program's text is in the room's library; `copy` is in one that a test installed."""
        with tempfile.TemporaryDirectory() as folder:
            self.make(Path(folder) / "src" / "plan", text)
            if copy:
                self.make(Path(folder) / "outside_project" / "lib", copy)
            return check(clean_tree(), "--libraries", folder)

    @staticmethod
    def make(folder, text):
        folder.mkdir(parents=True)
        source, object_file = folder / "x.cc", folder / "x.o"
        source.write_text(text, encoding="utf-8")
        subprocess.run(["clang++-19", "-std=c++20", "-fPIC", "-c", source, "-o", object_file], check=True)
        subprocess.run(["ar", "rcs", folder / "libthalweg_plan.a", object_file], check=True)

    def test_state_that_can_change_is_reported(self):
        for text in ["int counter;", "static int counter = 1; int f() { return ++counter; }", "thread_local int counter = 3;",
                     "int f() { static int counter; return ++counter; }"]:
            code, output = self.library(text)
            self.assertEqual(code, 1, output)
            self.assertRegex(output, r"mutable state: '.*counter.*'")

    def test_constants_are_not(self):
        code, output = self.library('extern const char *const names[] = {"a", "b"}; struct S { virtual ~S(); }; S::~S() {}'
                                    'void g(); void f() { S s; try { g(); } catch (int) {} }')
        self.assertEqual(code, 0, output)

    def test_yesterdays_copies_are_not_looked_at(self):
        code, output = self.library("extern const int fixed = 1;", copy="int counter;")
        self.assertEqual(code, 0, output)

    def test_a_folder_without_libraries_is_refused(self):
        code, output = check(clean_tree(), "--libraries", "/nowhere")
        self.assertNotEqual(code, 0, output)


if __name__ == "__main__":
    unittest.main()
