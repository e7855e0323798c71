# A room is a folder of src/: one static library, and one test program made of its *_test.cc files.
#
#   thalweg_room(model DEPENDS base LINK SQLite::SQLite3)
#
# A file that is added to the folder needs no line here.

add_library(thalweg_flags INTERFACE)
# Errors are the warnings of the compiler that this is written with: another one may know more, and a user's build shall not fail of that.
set(errors)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20)
  set(errors -Werror)
endif()
# A value written as {.decision = 1} leaves its other members at their defaults on purpose; gcc's warning is of other values too.
target_compile_options(thalweg_flags INTERFACE -Wall -Wextra ${errors} -Wno-missing-$<$<CXX_COMPILER_ID:Clang>:designated->field-initializers)
target_include_directories(thalweg_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
if(THALWEG_SANITIZE)
  target_compile_options(thalweg_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
                                                 -fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/cmake/sanitize_ignored.txt)
  target_link_options(thalweg_flags INTERFACE -fsanitize=address,undefined)
endif()

# This check opens a pipe to see whether memory can be read, and reports what is right where descriptors have run out, as they do in
# tests. To be linked last, since the flags come in this order.
add_library(thalweg_without_vptr_check INTERFACE)
if(THALWEG_SANITIZE)
  target_compile_options(thalweg_without_vptr_check INTERFACE -fno-sanitize=vptr)
endif()

# Counters that libFuzzer steers by, in what readers of bytes are made of alone: elsewhere they are a third of the objects' size, of which
# nobody has anything (measured on src/transform: 5.3 MB and 3.5 MB).
add_library(thalweg_fuzzed INTERFACE)
if(THALWEG_FUZZ)
  target_compile_options(thalweg_fuzzed INTERFACE -fsanitize=fuzzer-no-link)
endif()

# What the tool is made of: names of functions alone for a backtrace. Lines take an eighth of a compilation, a quarter under the sanitizers, types
# another eighth (measured on src/transform). For those: cmake --preset dev -DTHALWEG_DEBUG_INFO=-g (or -g1: lines alone)
set(THALWEG_DEBUG_INFO -g0 CACHE STRING "What the tool's own sources tell a debugger")
add_library(thalweg_tool INTERFACE)
target_link_libraries(thalweg_tool INTERFACE thalweg_flags)
target_compile_options(thalweg_tool INTERFACE ${THALWEG_DEBUG_INFO})
# The tool waits for clang and lld. With next to no inlining (what is no larger than its call) three of its larger groups of sources compiled in 0.61 to
# 0.72 of the time, and plan, report and optimize of sqlite3 took as long as before (two rounds). What gets into users' programs is no part of it.
set(THALWEG_TOOL_OPTIMISATION "-O1 -mllvm -inline-threshold=5"
    CACHE STRING "How the tool's own sources are optimised where CMAKE_BUILD_TYPE asks for it")
# The specialiser is waited for: of grep's `optimize` its own code was two fifths, and at -O2 takes 0.7 to 0.75 of the time (docs/decisions/building-the-tool.md).
# A target with the property THALWEG_IS_WAITED_FOR keeps the level of CMAKE_BUILD_TYPE.
target_compile_options(
  thalweg_tool
  INTERFACE
    $<$<AND:$<NOT:$<CONFIG:Debug>>,$<CXX_COMPILER_ID:Clang>,$<NOT:$<BOOL:$<TARGET_PROPERTY:THALWEG_IS_WAITED_FOR>>>>:SHELL:${THALWEG_TOOL_OPTIMISATION}>)
# Precompiled headers that ccache brings back were made at another time.
target_compile_options(thalweg_tool INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)

# Sources of a target that define no name in common are compiled as one file, a third of the time where headers are large
# (tools/together.py). Not what is linked into users' programs: a linker takes a library's files one by one.
option(THALWEG_TOGETHER "Compile sources in groups; OFF: each alone, as an editor's language server wants them" ON)
function(thalweg_together target)
  if(NOT THALWEG_TOGETHER OR NOT THALWEG_BUILD_TOOLS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/tools/together.py ${sources} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  string(REPLACE ";" "," groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  set(number 0)
  foreach(group IN LISTS groups)
    string(REPLACE "," ";" group "${group}")
    set_source_files_properties(${group} PROPERTIES UNITY_GROUP ${number})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()

# The headers that most of a target's sources include, compiled once: a half of what a compilation of src/transform takes (measured). A source
# still includes what it needs; -DTHALWEG_TOGETHER=OFF compiles it without them.
set(THALWEG_COMMON_HEADERS <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <optional> <set>
                           <string> <string_view> <tuple> <utility> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)
function(thalweg_precompile target)
  if(THALWEG_TOGETHER AND THALWEG_BUILD_TOOLS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
# Targets of the same flags share them: those of the rooms' libraries, and those of their tests, which are not optimised.
function(thalweg_precompile_shared target kind)
  if(NOT THALWEG_TOGETHER OR NOT THALWEG_BUILD_TOOLS)
    return()
  endif()
  if(NOT TARGET thalweg_headers_${kind})
    # Compiled for its headers. A program for programs, since their code is made another way than a library's.
    set(nothing ${CMAKE_BINARY_DIR}/headers_${kind}.cc)
    if(kind STREQUAL "test")
      file(CONFIGURE OUTPUT ${nothing} CONTENT "int main() { return 0; }\n")
      add_executable(thalweg_headers_test EXCLUDE_FROM_ALL ${nothing})
    else()
      file(CONFIGURE OUTPUT ${nothing} CONTENT "// Has no code.\n")
      add_library(thalweg_headers_${kind} OBJECT EXCLUDE_FROM_ALL ${nothing})
    endif()
    # The macros that these libraries' users are compiled with stand in the headers too.
    thalweg_need(THALWEG_BUILD_TOOLS libfmt-dev fmt)
    target_link_libraries(thalweg_headers_${kind} PRIVATE thalweg_tool fmt::fmt)
    if(kind STREQUAL "test")
      target_link_libraries(thalweg_headers_test PRIVATE GTest::gtest GTest::gmock)
      target_compile_options(thalweg_headers_test PRIVATE -O0)
      target_precompile_headers(thalweg_headers_test PRIVATE ${THALWEG_COMMON_HEADERS} <gtest/gtest.h> <gmock/gmock.h>)
    else()
      target_link_libraries(thalweg_headers_${kind} PRIVATE thalweg_fuzzed)
      target_precompile_headers(thalweg_headers_${kind} PRIVATE ${THALWEG_COMMON_HEADERS})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM thalweg_headers_${kind})
endfunction()

# X_fuzz.cc is a libFuzzer target of its own; as a test it runs for a second, ten in ./test --all, from the seeds in seeds/X/ if there are any.
# Longer:  build-fuzz/tests/model_plan_fuzz DIRECTORY -max_total_time=3600
set(THALWEG_FUZZ_SECONDS 1 CACHE STRING "How long each fuzz target runs as a test")
function(thalweg_room_fuzz name)
  file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_fuzz.cc)
  foreach(source IN LISTS fuzzers)
    get_filename_component(target ${source} NAME_WE)
    string(REPLACE "_fuzz" "" subject ${target})
    add_executable(${name}_${target} ${source})
    target_link_libraries(${name}_${target} PRIVATE thalweg_tool thalweg_fuzzed thalweg_${name})
    target_link_options(${name}_${target} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name}_${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    set(corpus ${CMAKE_BINARY_DIR}/fuzz/${name}_${subject})
    file(MAKE_DIRECTORY ${corpus})
    set(seeds ${CMAKE_CURRENT_SOURCE_DIR}/seeds/${subject})
    if(NOT EXISTS ${seeds})
      set(seeds)
    endif()
    add_test(NAME fuzz.${name}.${subject}
             COMMAND ${name}_${target} -max_total_time=${THALWEG_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048 -max_len=65536
                     -artifact_prefix=${corpus}- ${corpus} ${seeds})
  endforeach()
endfunction()

# A fuzz target that nothing builds finds nothing.
function(thalweg_check_fuzzers)
  file(GLOB fuzzers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/src/*/*_fuzz.cc)
  foreach(source IN LISTS fuzzers)
    string(REGEX REPLACE "/(.*)\\.cc$" "_\\1" target ${source})
    if(NOT TARGET ${target})
      message(FATAL_ERROR "src/${source} is no target of its own: its room calls neither thalweg_room nor thalweg_room_fuzz")
    endif()
  endforeach()
endfunction()

# These change signals, stacks, pages and system calls, of which the sanitizers keep some for themselves, or trace programs and run them under
# Valgrind: never under those alone.
set(THALWEG_ROOMS_BELOW_SANITIZERS crossing fiber recorder measure)
function(thalweg_room_test name)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc)
  if(NOT tests OR NOT THALWEG_BUILD_TESTS)
    return()
  endif()
  thalweg_need(THALWEG_BUILD_TESTS "libgtest-dev libgmock-dev" GTest)
  if("rapidcheck" IN_LIST ARGN)
    thalweg_need(THALWEG_BUILD_TESTS librapidcheck-dev rapidcheck)
  endif()
  if(NOT THALWEG_SANITIZE AND NOT THALWEG_TESTS_AGAIN AND NOT name IN_LIST THALWEG_ROOMS_BELOW_SANITIZERS)
    return()
  endif()
  # THALWEG_AS_USERS: what a public header promises of compiled code holds for code that is inlined as users' programs are.
  set(libraries ${ARGN})
  set(flags thalweg_tool)
  if("THALWEG_AS_USERS" IN_LIST libraries)
    list(REMOVE_ITEM libraries THALWEG_AS_USERS)
    set(flags thalweg_flags)
  endif()
  add_executable(${name}_test ${tests})
  target_link_libraries(${name}_test PRIVATE ${flags} thalweg_${name} GTest::gtest GTest::gmock GTest::gtest_main
                                             ${libraries})
  thalweg_together(${name}_test)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME room.${name} COMMAND ${name}_test)
endfunction()

function(thalweg_room name)
  cmake_parse_arguments(room "" "" "DEPENDS;LINK;TEST_LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_fuzz.cc)
  if(fuzzers)
    list(REMOVE_ITEM sources ${fuzzers})
  endif()
  add_library(thalweg_${name} STATIC ${sources})
  thalweg_together(thalweg_${name})
  thalweg_precompile_shared(thalweg_${name} room)
  target_link_libraries(thalweg_${name} PRIVATE thalweg_tool thalweg_fuzzed)
  foreach(other IN LISTS room_DEPENDS)
    target_link_libraries(thalweg_${name} PUBLIC thalweg_${other})
  endforeach()
  target_link_libraries(thalweg_${name} PUBLIC ${room_LINK})
  thalweg_room_test(${name} ${room_TEST_LINK})
  # What a test does itself needs no optimiser, which takes half of the time; the room is as its users have it.
  if(TARGET ${name}_test)
    target_compile_options(${name}_test PRIVATE -O0)
    thalweg_precompile_shared(${name}_test test)
  endif()
  if(THALWEG_FUZZ)
    thalweg_room_fuzz(${name})
  endif()
endfunction()
