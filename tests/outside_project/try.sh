#!/usr/bin/env bash
# The runtime is installed into a prefix of its own, and a stranger's project is built against that with gcc and with clang.
#   try.sh cmake|pkg-config BUILD [COMPONENT...]     components: io fiber lookup, or none
set -euo pipefail
way=$1
build=$2
components=("${@:3}")
here=$(cd "$(dirname "$0")/project" && pwd)
scratch=$build/outside_project/$way
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" --component runtime >"$scratch/install.log"

with_cmake() { # CC CXX FOLDER
    cmake -S "$here" -B "$3" -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        "-DCOMPONENTS=$(IFS=";" && echo "${components[*]}")" \
        -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" >"$3.log"
    cmake --build "$3"
}

each_header() { # CC CXX: by itself; what C may include, in C
    for header in "$scratch"/prefix/include/thalweg/*.h; do
        "$2" -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ -include "$header" "-I$scratch/prefix/include" /dev/null
    done
    for header in thalweg abi runtime; do
        "$1" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c -include "$scratch/prefix/include/thalweg/$header.h" \
            "-I$scratch/prefix/include" /dev/null
    done
}

with_pkg_config() { # CC CXX FOLDER
    mkdir -p "$3"
    local flags libs
    export PKG_CONFIG_PATH=$scratch/prefix/lib/pkgconfig
    flags=$(pkg-config --cflags thalweg)
    libs=$(pkg-config --libs thalweg)
    if [ ${#components[@]} = 0 ]; then each_header "$1" "$2"; fi
    # Unquoted: these are lists of words.
    # shellcheck disable=SC2086
    "$1" -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 $flags "$here/plain.c" -o "$3/plain" $libs
    # shellcheck disable=SC2086
    "$2" -std=c++20 -Wall -Wextra -Wpedantic -Werror -O2 $flags "$here/typed.cc" -o "$3/typed" $libs
    if [ ${#components[@]} != 0 ]; then
        # shellcheck disable=SC2046
        "$2" -std=c++20 -Wall -Wextra -Wpedantic -Werror -O2 "$here/waiting.cc" -o "$3/waiting" \
            $(pkg-config --cflags --libs "${components[@]/#/thalweg-}")
    fi
}

for compilers in "gcc g++" "clang-19 clang++-19"; do
    read -r cc cxx <<<"$compilers"
    command -v "$cxx" >/dev/null || { echo "$cxx is not here: passed over"; continue; }
    "with_${way/-/_}" "$cc" "$cxx" "$scratch/$cc"
    [ "$("$scratch/$cc/plain")" = "42 a null pointer was given where an object is needed" ]
    [ "$("$scratch/$cc/typed")" = "SegFromUser 1:2 SegFromUser 3:4 SegFromUser " ]
    [ ${#components[@]} = 0 ] || [ "$("$scratch/$cc/waiting" "$here/plain.c")" = "127.0.0.1 4 42" ]
done
echo "passed: an outside project with $way"
