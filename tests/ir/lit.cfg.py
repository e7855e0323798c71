# tests: each file below is one claim about the plug-in; its RUN lines say how it is checked.
import os
import sys

import lit.formats

here = os.path.dirname(os.path.realpath(__file__))
config.name = "ir"
config.test_format = lit.formats.ShTest()
config.suffixes = [".ll", ".c", ".cc"]
config.excludes = ["inputs", "opt.cc"]
config.test_source_root = here
build = lit_config.params["build"]
config.test_exec_root = os.path.join(build, "tests", "ir")
transform = f"{sys.executable} -B {here}/transform.py --build {build}"
config.substitutions.append(("%transform", transform))
for verb in ("probe", "optimize", "object", "run"):
    config.substitutions.append((f"%{verb}", f"{transform} {verb}"))
config.substitutions.append(("%check", "FileCheck-19 --dump-input-filter=error"))
