#!/usr/bin/env bash
# CMake, whose compiler checks, archives and shared libraries all go through the wrapper.
source "$(dirname "$0")/common.sh"
source "$here/sources.sh"
cat > CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.20)
project(Flow C CXX)
find_package(Threads REQUIRED)
include(CheckCSourceCompiles)
check_c_source_compiles("#include <stdio.h>\nint main(void) { return 0; }" HAS_STDIO)
check_c_source_compiles("#include <no_such_header.h>\nint main(void) { return 0; }" HAS_NOTHING)
if(NOT HAS_STDIO OR HAS_NOTHING)
  message(FATAL_ERROR "the checks answer wrongly")
endif()
add_library(parts STATIC answer.c)
add_library(more SHARED more.cc)
add_executable(prog main.cc)
target_link_libraries(prog parts more Threads::Threads)
M
for generator in "Unix Makefiles" Ninja; do
    folder="build-${generator%% *}"
    CC=thalweg-cc CXX=thalweg-c++ cmake -S . -B "$folder" -G "$generator" -DCMAKE_BUILD_TYPE=Release > log 2>&1 || die "$(cat log)"
    cmake --build "$folder" > log 2>&1 || die "$(cat log)"
    relinks "./$folder/prog" "$expected"
done
