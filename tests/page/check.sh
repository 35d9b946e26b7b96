#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens pages of the program in Chromium without a window: each has its sections,
# says nothing on the console, asks the network for nothing, and can be read and used
# by keyboard (drive.py). Pictures of them,
# light and dark, 1280 and 400 pixels wide, and prints on A4 are left in FOLDER to
# be looked at.
# usage: [ESTIMATE=PROGRAM] check.sh FOLDER
set -u
folder=${1:?usage: check.sh FOLDER}
estimate=${ESTIMATE:-./estimate}
browser=$(command -v chromium || command -v chromium-browser ||
    command -v google-chrome)
if [ -z "$browser" ]; then
    echo "page: no Chromium here (Debian's package chromium), nothing to look at"
    exit 0
fi
mkdir -p "$folder" || exit 1
folder=$(cd "$folder" && pwd)
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
group=page
# shellcheck source=../count.sh
. "$(dirname "$0")/../count.sh"

# PAGE OPTION...: on standard output what the option says, the browser's own log
# in $profile/log.
browse() {
    page=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
        --hide-scrollbars --user-data-dir="$profile" --enable-logging=stderr \
        "$@" "file://$folder/$page.html" 2>"$profile/log"
}

look() { # PAGE SECTION...
    page=$1
    shift
    browse "$page" --dump-dom --log-net-log="$profile/net" >"$profile/dom"
    count $? "$page: the browser failed"
    for section in "$@"; do
        grep -q "<h2[^>]*>$section" "$profile/dom"
        count $? "$page: no section $section"
    done
    ! grep ':CONSOLE' "$profile/log"
    count $? "$page: there are console messages"
    ! grep -oE '"url":"(http|ws)s?://[^"]*"' "$profile/net" | grep -v chromium |
        grep -vE 'google(apis)?\.com|gvt1\.com'
    count $? "$page: something was asked of the network"
}

picture() { # PAGE NAME WIDTH SCHEME: 0 is dark, 1 light
    rm -f "$folder/$1-$2.png"
    browse "$1" --window-size="$3,4800" --screenshot="$folder/$1-$2.png" \
        --blink-settings=preferredColorScheme="$4" >/dev/null
    [ -s "$folder/$1-$2.png" ]
    count $? "$1: no picture $2"
}

# Keyboard, contrast and width, where there is a Python to drive the browser.
drive() { # PAGE...
    command -v python3 >/dev/null || return
    timeout 300 python3 "$(dirname "$0")/drive.py" "$browser" "$folder" "$@"
    count $? "keyboard, contrast or width: see above"
}

show() { # PAGE
    picture "$1" 1280-light 1280 1
    picture "$1" 1280-dark 1280 0
    picture "$1" 400-light 400 1
    picture "$1" 400-dark 400 0
    browse "$1" --no-pdf-header-footer --print-to-pdf="$folder/$1.pdf" >/dev/null
    [ -s "$folder/$1.pdf" ]
    count $? "$1: nothing was printed"
}

make_page() { # PAGE ARGUMENT...
    page=$1
    shift
    "$estimate" "$@" -o "$folder/$page.html" 2>"$profile/err" ||
        { cat "$profile/err"; count 1 "estimate $*"; }
}

make_page cfd report cfd --gpu m2090 --sweep tb=1..3 --budget 2M \
    --sched gto,lrr,old,tlrr,paws
make_page matmul report ptx-matmul-tiled --gpu a100 --sweep tb=1..4 \
    --sched gto,lrr --mode model
make_page designs pathfinder --gpu v100 --mode model --sweep sms=40..80:10 \
    --sweep dram.gbps=450,675,900 --cost '4 * sms + dram.gbps / 5' \
    --pareto cycles,cost
make_page many pathfinder --gpu v100 --mode model --sweep sms=20..89 \
    --sweep dram.gbps=300..790:10 --cost '4 * sms + dram.gbps / 5' \
    --pareto cycles,cost
look cfd Verdict Heat Cycle Roofline Phases What Accuracy Data
look matmul Verdict Heat Cycle Roofline Phases What Accuracy Data
look designs Verdict Designs Data
look many Verdict Designs Data
drive cfd matmul designs many
show cfd
show matmul
show designs
show many
echo "pictures in $folder"
count_end
