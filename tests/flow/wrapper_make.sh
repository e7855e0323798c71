#!/usr/bin/env bash
# make, with depfiles, an archive, and a second build that must do nothing.
source "$(dirname "$0")/common.sh"
source "$here/sources.sh"
cat > Makefile <<'M'
CFLAGS = -O2 -MMD
CXXFLAGS = -O2 -MMD -std=c++20
prog: main.o libparts.a
	$(CXX) $(LDFLAGS) -o $@ $^
libparts.a: more.o answer.o
	$(AR) rcs $@ $^
-include *.d
M
make -s CC=thalweg-cc CXX=thalweg-c++
relinks ./prog "$expected"
make -q CC=thalweg-cc CXX=thalweg-c++ || die "the second make has something to do"
touch answer.h
if make -q CC=thalweg-cc CXX=thalweg-c++; then die "the depfile does not name answer.h"; fi
