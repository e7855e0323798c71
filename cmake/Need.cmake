# What a part of the build needs of others. Where it is not there, the error names Debian's package, and the option that leaves the part out.

set(thalweg_leaves_out_THALWEG_BUILD_TOOLS "the tools")
set(thalweg_leaves_out_THALWEG_BUILD_TRANSLATOR "the translator `thalweg tame`")
set(thalweg_leaves_out_THALWEG_BUILD_IO "streams, listeners and files (Thalweg::io)")
set(thalweg_leaves_out_THALWEG_BUILD_FIBER "stacks for functions that wait (Thalweg::fiber)")
set(thalweg_leaves_out_THALWEG_BUILD_LOOKUP "addresses of host names (Thalweg::lookup)")
set(thalweg_leaves_out_THALWEG_BUILD_EXAMPLES "the examples")
set(thalweg_leaves_out_THALWEG_BUILD_KNOT "the web server among the examples")
set(thalweg_leaves_out_THALWEG_BUILD_TESTS "the tests")

function(thalweg_missing option what remedy)
  # What the tools need and the translator has too.
  if(option STREQUAL "THALWEG_BUILD_TOOLS" AND NOT THALWEG_BUILD_TOOLS)
    set(option THALWEG_BUILD_TRANSLATOR)
  endif()
  # The examples can be a project of their own, without such options.
  if(DEFINED ${option})
    string(APPEND remedy "; or leave out ${thalweg_leaves_out_${option}}: -D${option}=OFF")
  endif()
  message(FATAL_ERROR "${what} is missing. ${remedy}")
endfunction()

# thalweg_need(THALWEG_BUILD_TOOLS llvm-19-dev LLVM 19.1 CONFIG ...): like find_package. A macro, since packages set variables.
macro(thalweg_need option debian package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    thalweg_missing(${option} "The CMake package ${package}" "On Debian: apt-get install ${debian}")
  endif()
endmacro()

# thalweg_need_modules(THALWEG_BUILD_EXAMPLES "libsdl2-dev" SDL2 sdl2): like pkg_check_modules, gives PkgConfig::SDL2.
macro(thalweg_need_modules option debian prefix)
  thalweg_need(${option} pkg-config PkgConfig)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${ARGN})
  if(NOT ${prefix}_FOUND)
    thalweg_missing(${option} "One of the libraries ${ARGN}" "On Debian: apt-get install ${debian}")
  endif()
endmacro()

# Of libraries that come without a package of CMake's or pkg-config's: their header.
function(thalweg_need_header option debian header)
  string(MAKE_C_IDENTIFIER "THALWEG_${header}" place)
  find_path(${place} ${header})
  mark_as_advanced(${place})
  if(NOT ${place})
    thalweg_missing(${option} "The header ${header}" "On Debian: apt-get install ${debian}")
  endif()
endfunction()
