#!/usr/bin/env bash
# autoconf, automake and libtool: configure's probes, a convenience library and a shared one.
source "$(dirname "$0")/common.sh"
source "$here/sources.sh"
cat > configure.ac <<'M'
AC_INIT([flow], [1])
AM_INIT_AUTOMAKE([foreign])
AM_PROG_AR
LT_INIT
AC_PROG_CC
AC_PROG_CXX
AC_C_BIGENDIAN([AC_MSG_ERROR([x86-64 is little-endian])])
AC_CHECK_SIZEOF([long])
AC_CHECK_FUNC([printf], [], [AC_MSG_ERROR([no printf])])
AC_CHECK_FUNC([no_such_function], [AC_MSG_ERROR([a function that is not there])])
AC_SEARCH_LIBS([sin], [m])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
cat > Makefile.am <<'M'
bin_PROGRAMS = prog
lib_LTLIBRARIES = libmore.la
noinst_LTLIBRARIES = libparts.la
libmore_la_SOURCES = more.cc
libparts_la_SOURCES = answer.c
prog_SOURCES = main.cc
prog_LDADD = libparts.la libmore.la
M
autoreconf -i > log 2>&1 || die "$(cat log)"
./configure CC=thalweg-cc CXX=thalweg-c++ CXXFLAGS="-O2 -std=c++20" --prefix="$scratch/installed" > log 2>&1 || die "$(tail -20 log)"
! grep -q thalweg-link libtool || die "libtool took the wrapper's object for one of the compiler's"
make -s > log 2>&1 || die "$(tail -20 log)"
has_section .libs/libmore.so
same "$expected" "$(./prog)" "prog through libtool's script"
LD_LIBRARY_PATH=$PWD/.libs relinks ./.libs/prog "$expected"
if thalweg relink ./prog -o x 2> error; then die "a script was linked"; fi
grep -q 'libtool' error || die "no word of libtool: $(cat error)"
make -s install > log 2>&1 || die "$(tail -20 log)"
same "$expected" "$(installed/bin/prog)" "the installed program"
