#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which folder may use which: by #include, and by the symbols that objects take
# from each other, which hold what an extern declaration would hide.
# usage: OBJECTS=FOLDER layers.sh, in the folder of the sources
set -u
here=$(dirname "$0")

# A row is a folder or file and what it may use besides itself and base; several
# rows of one add up. NAME/ stands for a folder with all below it. What has no
# row goes by that of the folder above it.
layers() {
    cat <<'END'
base
kernels            kernels/
kernels/form
kernels/file       kernels/form
kernels/trace      kernels/form
kernels/ptx        kernels/form kernels/file kernels/ptx/
configs            kernels/form configs/
sampler            kernels/form configs sampler/
sampler/policy     sampler/policy/
sampler/memory     kernels/form configs sampler/policy sampler/policy/l1
sampler/sm         kernels/form configs sampler sampler/memory sampler/policy/
model              kernels/form configs sampler/policy/warp/warp_policy.h
model              sampler/policy
calib              kernels/form configs model sampler sampler/policy
chart
api                kernels/ configs sampler/policy/ model calib include/
cli                api include/ chart
cuda               api include/
END
}

# "FILE USED WHAT" for every use of a file by another.
uses() {
    grep -rn '^#include "' --include='*.[ch]' base kernels configs sampler \
        model calib api cli chart cuda 2>/dev/null |
        sed 's/^\([^:]*\):\([0-9]*\):#include "\([^"]*\)".*/\1 \3 line-\2/'
    "$here/../links.sh"
}

{ layers; echo; uses; } | awk '
    function folder(path) {
        return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) \
                           : "include"
    }
    function row_of(from) { # a file or a folder
        while (!(from in may) && from ~ /\//)
            from = folder(from)
        return from
    }
    function allowed(from, file,    row, to) {
        row = row_of(from)
        to = folder(file)
        if (to == folder(from) || to == row || to == "base")
            return 1
        if (index(may[row], " " file " ") || index(may[row], " " to " "))
            return 1
        for (; to != ""; to = to ~ /\// ? folder(to) : "")
            if (index(may[row], " " to "/ "))
                return 1
        return 0
    }
    NF == 0 { using = 1; next }
    !using {
        if (!($1 in may))
            may[$1] = " "
        for (i = 2; i <= NF; i++)
            may[$1] = may[$1] $i " "
        next
    }
    !allowed($1, $2) {
        if (!told[$1, $2]++) {
            print $1 " uses " $2 " (" $3 "): " row_of($1) " may use" \
                  may[row_of($1)] "base"
            failed++
        }
    }
    END {
        printf "layers: %d passed, %d failed\n", !failed, failed
        exit failed > 0
    }'
