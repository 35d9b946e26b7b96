#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pictures of README.md, cut out of pages that the program writes.
# usage: [ESTIMATE=PROGRAM] make.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
estimate=${ESTIMATE:-./estimate}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch/cache" ESTIMATE_PTXAS=none

# NAME TITLE ARGUMENT...: the chart of that title on the page of these arguments.
picture() {
    name=$1 title=$2
    shift 2
    "$estimate" "$@" -o "$scratch/page.html"
    awk -v title="$title" '
        /<svg / { text = ""; inside = 1 }
        inside { text = text $0 "\n" }
        inside && /<\/svg>/ {
            inside = 0
            if (index(text, ">" title "<") > 0) {
                sub(/^.*<svg /, "<svg ", text)
                sub(/<\/svg>.*$/, "</svg>", text)
                print text
                exit
            } }' "$scratch/page.html" >"$scratch/$name"
    [ -s "$scratch/$name" ] || { echo "no chart '$title'"; exit 1; }
    cp "$scratch/$name" "$here/$name"
}

picture cycle-stack.svg 'Where the issue slots go' \
    lud --sweep tb=6 --sched gto,lrr,tlrr,tlpaws,paws
picture roofline.svg 'Achieved, and what DRAM and issue slots allow' \
    report ptx-vectoradd --gpu v100 --mode model --sweep tb=1..8
picture designs.svg 'Designs: less is better both ways' \
    pathfinder --gpu v100 --mode model --sweep sms=40..80:10 \
    --sweep dram.gbps=450,675,900 --cost '4 * sms + dram.gbps / 5' \
    --pareto cycles,cost
