#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that knows include/ and libestimate.a alone, built and run; with it
# that each part of the header stands by itself, in C11 and in C++ where there
# is a compiler.
# usage: [CC=COMPILER] outside.sh, in the folder of the sources and libraries
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# The header $1 alone, by the compiler and options behind it.
stands_alone() {
    header=$1
    shift
    echo "#include <$header>" |
        "$@" -Wall -Wextra -Wpedantic -Werror -I include -fsyntax-only - ||
        failed=$((failed + 1))
}

for header in estimate.h $(cd include && ls estimate/*.h); do
    stands_alone "$header" "${CC:-cc}" -std=c11 -x c
    if command -v c++ >/dev/null; then
        stands_alone "$header" c++ -x c++
    fi
done

# shellcheck disable=SC2046
"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic \
    -Werror -I include -o "$scratch/outside" tests/outside/*.c libestimate.a \
    $(pkg-config --libs gsl libconfig liblzma sqlite3) -lm -fopenmp &&
    XDG_CACHE_HOME=$scratch "$scratch/outside" "$scratch" ||
    failed=$((failed + 1))
# Told nothing else, the library does what the program does.
XDG_CACHE_HOME=$scratch/a "$scratch/outside" . sweep >"$scratch/rows"
XDG_CACHE_HOME=$scratch/b ./estimate --grid 64 --sched lrr,gto --sweep tb=1..8 \
    --format csv lud 2>/dev/null | tail -n +2 | diff "$scratch/rows" - ||
    failed=$((failed + 1))
[ $failed -eq 0 ] || echo "outside program: 0 passed, $failed failed"
[ $failed -eq 0 ]
