# SPDX-License-Identifier: GPL-3.0-or-later
"""Does what README.md prints come out as printed?

usage: readme.py [--update] README

In an indented block a line "$ COMMAND" is run by sh in the current folder; the
lines below it, to the next command or the end of the block, are what it prints on
standard output and standard error together, notes left out. A line [...] stands
for any lines. A command is not run where neither below it nor below a later one of
its block anything stands, and none of a block from the first whose program is not
there. --update writes what the program prints now, cut at each [...] between lines
that begin as those around it."""
import re
import shutil
import subprocess
import sys

INDENT = "    "
GAP = "[...]"
ALIKE = 12  # characters by which a line is found again


def blocks(lines):
    """(first, end) of each indented block."""
    first = None
    for i, line in enumerate(lines + ["x"]):
        inside = line.startswith(INDENT) or (first is not None and not line)
        if inside and first is None:
            first = i
        elif not inside and first is not None:
            end = i
            while not lines[end - 1]:
                end -= 1
            yield first, end
            first = None


def commands(lines, first, end):
    """(command, first and end of the lines printed) of a block."""
    starts = [i for i in range(first, end)
              if lines[i].startswith(INDENT + "$ ")]
    for start, stop in zip(starts, starts[1:] + [end]):
        at = start + 1
        text = lines[start][len(INDENT) + 2:]
        while text.endswith("\\"):
            text = text[:-1] + lines[at].strip()
            at += 1
        yield text, at, stop


def matches(expected, got):
    """Whether the lines are those, with gaps."""
    pattern = "".join(r"(?:.*\n)*?" if line == GAP else re.escape(line) + r"\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in got))


def find(got, line, at):
    """Where a line with the same beginning stands, from `at` on."""
    for i in range(at, len(got)):
        if got[i][:ALIKE] == line[:ALIKE]:
            return i
    return None


def renewed(expected, got):
    """The lines printed now, cut where they were cut."""
    out, at = [], 0
    for i, line in enumerate(expected):
        if line != GAP:
            continue
        blank = i > 0 and not expected[i - 1]
        start = find(got, expected[i - 1 - blank], at) if i > blank else at - 1
        end = len(got)
        if i + 1 < len(expected):
            end = find(got, expected[i + 1], at)
        if start is not None and end is not None:
            out += got[at:start + 1] + [""] * blank + [GAP]
            at = end
    return out + got[at:]


def run(command):
    done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=600, check=False)
    return [line.rstrip() for line in done.stdout.splitlines()
            if not line.startswith("estimate: note: ")]


def look(lines, update, counts):
    """Run what the lines show; the lines as they come out."""
    edits = []
    for first, end in blocks(lines):
        shown = list(commands(lines, first, end))
        while shown and shown[-1][1] == shown[-1][2]:
            shown.pop()
        for command, at, stop in shown:
            program = command.split()[0]
            if shutil.which(program) is None:
                print("readme: not run, there is no %s here: %s" %
                      (program, command))
                break
            expected = [line[len(INDENT):] for line in lines[at:stop]]
            while expected and not expected[-1]:
                expected.pop()
            got = run(command)
            if not expected:
                continue
            good = matches(expected, got) is not None
            counts[good] += 1
            if not good and update:
                edits.append((at, at + len(expected), renewed(expected, got)))
            elif not good:
                print("readme: %s: expected" % command)
                print("\n".join("> " + x for x in expected))
                print("but found\n" + "\n".join("> " + x for x in got))
    for at, stop, text in reversed(edits):
        lines[at:stop] = [(INDENT + x) if x else "" for x in text]
    return lines


def main(arguments):
    update = arguments[0] == "--update"
    path = arguments[-1]
    counts = {True: 0, False: 0}
    with open(path) as f:
        lines = f.read().split("\n")
    lines = look(lines, update, counts)
    if update:
        with open(path, "w") as f:
            f.write("\n".join(lines))
        print("readme: %d commands renewed" % counts[False])
        return 0
    print("readme: %d passed, %d failed" % (counts[True], counts[False]))
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
