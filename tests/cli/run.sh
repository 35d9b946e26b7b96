#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# End-to-end runs of the program, told as transcripts. In a .case file
#
#     $ COMMAND     is run by sh in an empty folder, `estimate` on its PATH
#     > LINE        what standard output must hold, all of it, in order
#     ! LINE        the same for standard error
#     ? STATUS      the exit status, when it is not 0
#     ~ REGEX       instead of > and !: some line of either must match
#
# and anything else is a comment. All commands of a file share the folder.
# usage: [ESTIMATE=PROGRAM] run.sh [--update] [CASE...]
#        --update rewrites > ! and ? to what the program does now
set -u
update=no
[ "${1-}" = --update ] && update=yes && shift
here=$(cd "$(dirname "$0")" && pwd)
program=${ESTIMATE:-$here/../../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
[ -x "$program" ] || { echo "run.sh: no program at $program"; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/estimate"
export PATH="$scratch/bin:$PATH" CASES="$here" LC_ALL=C
export XDG_CACHE_HOME="$scratch/cache" ESTIMATE_PTXAS=none

# Run $1 in the current folder; leaves its transcript in $scratch/got.
run_command() {
    timeout 300 sh -c "$1" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    {
        sed 's/^/> /' "$scratch/out"
        sed 's/^/! /' "$scratch/err"
        if [ $status -ne 0 ]; then echo "? $status"; fi
    } >"$scratch/got"
}

# Compare $scratch/want (the lines below a command) with $scratch/got.
compare() {
    if ! grep -q '^~ ' "$scratch/want"; then
        diff "$scratch/want" "$scratch/got"
        return
    fi
    grep '^? ' "$scratch/want" >"$scratch/a"
    grep '^? ' "$scratch/got" >"$scratch/b"
    diff "$scratch/a" "$scratch/b" || { cat "$scratch/got"; return 1; }
    sed -n 's/^~ //p' "$scratch/want" >"$scratch/patterns"
    while IFS= read -r pattern; do
        sed 's/^[>!?] //' "$scratch/got" | grep -Eq -e "$pattern" && continue
        printf 'no line matches: %s\n' "$pattern"
        cat "$scratch/got"
        return 1
    done <"$scratch/patterns"
}

# Finish the command read so far: compare it, and append it to $scratch/new.
finish() {
    [ -n "$command" ] || return 0
    commands=$((commands + 1))
    (cd "$folder" && run_command "$command")
    if ! compare >"$scratch/diff"; then
        if [ $update = no ]; then
            printf 'FAIL %s: %s\n' "$name" "$command"
            sed 's/^/    /' "$scratch/diff"
        fi
        echo "$name" >>"$scratch/failed"
    fi
    printf '$ %s\n' "$command" >>"$scratch/new"
    if grep -q '^~ ' "$scratch/want"; then
        grep '^~ ' "$scratch/want" >>"$scratch/new"
        grep '^? ' "$scratch/got" >>"$scratch/new"
    else
        cat "$scratch/got" >>"$scratch/new"
    fi
    command=
}

run_case() {
    name=$(basename "$1" .case)
    folder=$scratch/$name
    mkdir "$folder"
    command=
    : >"$scratch/new"
    while IFS= read -r line; do
        case $line in
        '$ '*)
            finish
            command=${line#'$ '}
            : >"$scratch/want"
            ;;
        '> '* | '! '* | '? '* | '~ '* | '>' | '!')
            printf '%s\n' "$line" >>"$scratch/want"
            ;;
        *)
            finish
            printf '%s\n' "$line" >>"$scratch/new"
            ;;
        esac
    done <"$1"
    finish
    if [ $update = yes ]; then cat "$scratch/new" >"$1"; fi
}

: >"$scratch/failed"
commands=0
[ $# -gt 0 ] || set -- "$here"/*.case
for file in "$@"; do
    run_case "$file"
done
if [ $update = yes ]; then exit 0; fi
failed=$(wc -l <"$scratch/failed")
echo "transcripts: $((commands - failed)) passed, $failed failed"
[ ! -s "$scratch/failed" ]
