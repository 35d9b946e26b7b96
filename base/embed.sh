#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes C source holding every bundled kernel and GPU file (base/bundled.h).
# usage: embed.sh KERNEL... CFG... >bundled.c
set -eu
export LC_ALL=C

text() { # one byte array per file
    printf 'static const char %s[] = {\n' "$1"
    od -An -v -tu1 "$2" | sed 's/  *\([0-9]\)/\1/;s/  */,/g;s/$/,/'
    printf '0};\n'
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
        name=$(basename "$f")
        printf '{"%s", "%s", %s_%d, sizeof(%s_%d) - 1},\n' \
            "${name%.*}" "$f" "$kind" $n "$kind" $n
        n=$((n + 1))
    done
    printf '{NULL, NULL, NULL, 0}};\n'
    printf 'const size_t bundled_%s_count = %d;\n' "$kind" $n
    printf 'const char *const bundled_%s_names[] = {' "$kind"
    for f in "$@"; do
        name=$(basename "$f")
        printf '"%s", ' "${name%.*}"
    done
    printf 'NULL};\n'
}

kernels='' gpus=''
for f in "$@"; do
    case $f in
    *.kernel) kernels="$kernels $f" ;;
    *.cfg) gpus="$gpus $f" ;;
    esac
done
printf '#include "base/bundled.h"\n'
# shellcheck disable=SC2086
table kernel $(printf '%s\n' $kernels | sort -t. -k1,1)
# shellcheck disable=SC2086
table gpu $(printf '%s\n' $gpus | sort -t. -k1,1)
