#!/usr/bin/env bash
# Meson, which asks the compiler and its linker who they are.
source "$(dirname "$0")/common.sh"
source "$here/sources.sh"
cat > meson.build <<'M'
project('flow', 'c', 'cpp', default_options: ['buildtype=release', 'cpp_std=c++20'])
cc = meson.get_compiler('c')
assert(cc.has_header('stdio.h') and not cc.has_header('no_such_header.h'))
assert(cc.has_argument('-Wall') and not cc.has_argument('-Wno-such-warning-at-all-'))
assert(cc.sizeof('int') == 4)
parts = static_library('parts', 'answer.c')
more = shared_library('more', 'more.cc')
executable('prog', 'main.cc', link_with: [parts, more], dependencies: dependency('threads'))
M
CC=thalweg-cc CXX=thalweg-c++ meson setup build > log 2>&1 || die "$(cat log)"
ninja -C build > log 2>&1 || die "$(cat log)"
relinks ./build/prog "$expected"
