#!/usr/bin/env python3
# benchmarks: a compiler that writes down each of its command lines, so that what it made can be made again in other ways.
#
# BOARD_COMPILER names the compiler, BOARD_CXX the one of C++, which it is when it is called c++; BOARD_LOG the file: a line of JSON
# a command, {"folder": ..., "words": [...], "cxx": ...}.
import json
import os
import sys


def main():
    cxx = os.path.basename(sys.argv[0]) == "c++"
    compiler = os.environ["BOARD_CXX" if cxx else "BOARD_COMPILER"]
    line = json.dumps({"folder": os.getcwd(), "words": sys.argv[1:], "cxx": cxx}) + "\n"
    # One write of an append: lines of compilers that run side by side stay whole.
    log = os.open(os.environ["BOARD_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(log, line.encode())
    os.close(log)
    os.execvp(compiler, [compiler, *sys.argv[1:]])


main()
