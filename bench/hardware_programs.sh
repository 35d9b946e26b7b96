#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels that were measured on a V100, each launched by the program that it
# is from, with its own inputs, beside what full detail says of arguments made up
# for it (bench/hardware_launches.csv).
# usage: [ESTIMATE=PROGRAM] hardware_programs.sh REF PROGRAMS >TABLE
#        REF holds v100_ncu.csv. PROGRAMS holds the programs, linked with nvcc
#        -cudart shared, by the names below, and the files that they read:
#        hotspot's temp_1024 and power_1024, srad's image.pgm, dct8x8's image.
#        OUT: a CSV file of the same table
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=${ESTIMATE:-$here/../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
ref=$1
programs=$2
out=${OUT:-/dev/null}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

commands() {
    cat <<'END'
bp_layerforward backprop 65536
hotspot hotspot 1024 2 2 temp_1024 power_1024 output.out
fwtBatch1 fastWalshTransform
fwtBatch2 fastWalshTransform
histogram64 histogram
quasirandom quasirandomGenerator
dct1 dct8x8
binomialOptions binomialOptions
sgemm sgemm
srad srad 100 0.5 502 458
END
}

# The field named $2 of the line of kernel $1 in the file $3; no comma stands in
# what is asked for.
field() {
    awk -v kernel="$1" -v name="$2" '
        # commas inside quotation marks separate nothing
        function split_line(line, part,    i, c, quoted, n) {
            n = 1
            part[1] = ""
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "\"")
                    quoted = !quoted
                else if (c == "," && !quoted)
                    part[++n] = ""
                else
                    part[n] = part[n] c
            }
            return n
        }
        /^#/ { next }
        !header++ { n = split_line($0, names); next }
        { split_line($0, value)
          if (value[1] == kernel)
              for (i = 1; i <= n; i++)
                  if (names[i] == name) { print value[i]; exit } }' "$3"
}

# "CYCLES LOW HIGH LAUNCHES" of the mean launch of a kernel under the grid and
# the block that were measured; nothing: there is none.
mean_of() {
    awk -F, -v prefix="$2" -v grid="$3" -v block="$4" '
        function in_full(d) { gsub(/x1$/, "", d); gsub(/x1$/, "", d); return d }
        NR > 1 && index($1, prefix) == 1 && in_full($3) == in_full(grid) &&
            in_full($4) == in_full(block) {
            n += $2; c += $7; low += $8; high += $9 }
        END { if (n) printf "%.1f %.1f %.1f %d", c / n, low / n, high / n, n }
    ' "$1"
}

echo "kernel,program,launches,measured,program_cycles,program_lo,program_hi,detail,model" >"$out"
printf 'v100_ncu.csv on v100, launched by the programs; errors in %%\n\n'
printf '%-16s %9s %9s %6s %19s %9s %6s  %8s\n' kernel measured program error \
    interval 'made up' error launches
commands | while read -r kernel name arguments; do
    prefix=$(field "$kernel" entry_prefix "$ref/v100_ncu.csv")
    measured=$(field "$kernel" cycles "$ref/v100_ncu.csv")
    detail=$(field "$kernel" cycles_detail "$here/hardware_launches.csv")
    model=$(field "$kernel" cycles_model "$here/hardware_launches.csv")
    # shellcheck disable=SC2086
    (cd "$programs" && "$program" run --gpu v100 --kernel "$prefix" \
        -o "$scratch/$kernel.csv" -- "./$name" $arguments \
        >"$scratch/out" 2>"$scratch/err" </dev/null)
    mean=
    [ -f "$scratch/$kernel.csv" ] && mean=$(mean_of "$scratch/$kernel.csv" \
        "$prefix" "$(field "$kernel" grid "$ref/v100_ncu.csv")" \
        "$(field "$kernel" block "$ref/v100_ncu.csv")")
    # shellcheck disable=SC2086
    set -- $mean
    if [ $# -eq 0 ]; then
        printf '%-16s %9.0f  %s\n' "$kernel" "$measured" \
            "not launched: $(grep -v note "$scratch/err" | tail -n 1)"
        continue
    fi
    echo "$kernel,$name,$4,$measured,$1,$2,$3,$detail,$model" >>"$out"
    awk -v k="$kernel" -v m="$measured" -v c="$1" -v lo="$2" -v hi="$3" \
        -v d="$detail" -v n="$4" 'BEGIN {
        printf "%-16s %9.0f %9.0f %+6.1f %19s %9.0f %+6.1f  %8d\n", k, m, c,
            100 * (c / m - 1), sprintf("%.0f-%.0f", lo, hi), d,
            100 * (d / m - 1), n }'
done | tee "$scratch/rows"
awk '$4 ~ /^[-+]/ { n++; e = $4 < 0 ? -$4 : $4; s += e
                    d = $7 < 0 ? -$7 : $7; t += d }
     END { if (n) printf "\nmean error %26.1f %34.1f  of %d\n", s / n, t / n, n }
' "$scratch/rows"
