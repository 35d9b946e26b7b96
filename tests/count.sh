# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests that are shell scripts, after they have named themselves:
#
#     group=page; . tests/count.sh
#     some command; count $? "what is wrong if it fails"
#     count_end
# shellcheck shell=sh
: "${group:?is named by who sources this}"
passed=0
failed=0

count() { # STATUS WHAT
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $group: $2"
    fi
}

# The line that run.sh adds up; whether nothing failed.
count_end() {
    echo "$group: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
