#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes C source holding every bundled file (base/bundled.h).
# usage: embed.sh KERNEL... CFG... PTX... LAUNCH... LIST >bundled.c
set -eu
export LC_ALL=C

text() { # one byte array per file
    printf 'static const char %s[] = {\n' "$1"
    od -An -v -tu1 "$2" | sed 's/  *\([0-9]\)/\1/;s/  */,/g;s/$/,/'
    printf '0};\n'
}

name() { # an example is told from a kernel of the same name by a prefix
    base=$(basename "$1")
    case $1 in
    *.launch) echo "ptx-${base%.*}" ;;
    *) echo "${base%.*}" ;;
    esac
}

table() { # KIND FILE...
    kind=$1
    shift
    n=0
    for f in "$@"; do
        text "${kind}_$n" "$f"
        n=$((n + 1))
    done
    printf 'const struct bundled_file bundled_%ss[] = {\n' "$kind"
    n=0
    for f in "$@"; do
        printf '{"%s", "%s", %s_%d, sizeof(%s_%d) - 1},\n' \
            "$(name "$f")" "$f" "$kind" $n "$kind" $n
        n=$((n + 1))
    done
    printf '{NULL, NULL, NULL, 0}};\n'
    printf 'const size_t bundled_%s_count = %d;\n' "$kind" $n
    printf 'const char *const bundled_%s_names[] = {' "$kind"
    for f in "$@"; do
        printf '"%s", ' "$(name "$f")"
    done
    printf 'NULL};\n'
}

names() { # the lines of a list, as C strings
    grep -v '^#' "$1" | sed 's/.*/"&", /' | tr -d '\n'
}

kernels='' gpus='' modules='' examples='' list=/dev/null
for f in "$@"; do
    case $f in
    *.kernel) kernels="$kernels $f" ;;
    *.cfg) gpus="$gpus $f" ;;
    *.ptx) modules="$modules $f" ;;
    *.launch) examples="$examples $f" ;;
    *.list) list=$f ;;
    esac
done
printf '#include "base/bundled.h"\n'
# shellcheck disable=SC2046,SC2086
table kernel $(printf '%s\n' $kernels | sort -t. -k1,1)
# shellcheck disable=SC2046,SC2086
table gpu $(printf '%s\n' $gpus | sort -t. -k1,1)
# shellcheck disable=SC2046,SC2086
table module $(printf '%s\n' $modules | sort -t. -k1,1)
# shellcheck disable=SC2046,SC2086
table example $(printf '%s\n' $examples | sort -t. -k1,1)
printf 'const char *const bundled_input_names[] = {'
for f in $kernels $examples; do
    name "$f"
done | sort | sed 's/.*/"&", /' | tr -d '\n'
printf 'NULL};\n'
# shellcheck disable=SC2086
printf 'const size_t bundled_input_count = %d;\n' \
    "$(printf "%s\n" $kernels $examples | wc -l)"
printf 'const char *const bundled_default_names[] = {%sNULL};\n' "$(names "$list")"
printf 'const size_t bundled_default_count = %d;\n' \
    "$(grep -vc '^#' "$list")"
