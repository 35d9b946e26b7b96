#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random traces of realistic kernels, for a trace-driven reference simulator
and for ours.

    random_traces.py --points POINTS.csv OUT   those that the file names
    random_traces.py OUT NAME...               these

A trace's name is FAMILY_SEED_smARCH, with _24k behind it where it may have
24,000 warp instructions in place of 8,000; from _25k on, with as many times more
blocks. The same name always gives the same
trace: OUT/NAME/kernel-1.traceg and kernelslist.g (Accel-Sim, tracer version 3).
Families are below; sizes, strides, mixes, trip counts and launches are drawn.
"""
import csv
import os
import random
import re
import sys

FULL = 0xffffffff
A, B, C = 0x7f1000000000, 0x7f1100000000, 0x7f1200000000
LANES = range(32)


class Warp:
    """The instructions of one warp; pc goes back at the end of a loop."""

    def __init__(self):
        self.lines = []
        self.pc = 0

    def add(self, op, dst=(), src=(), mask=FULL, memory="0"):
        if mask:
            words = ["%04x %08x %d" % (self.pc, mask, len(dst))]
            words += ["R%d" % r for r in dst] + [op, str(len(src))]
            words += ["R%d" % r for r in src] + [memory]
            self.lines.append(" ".join(words))
        self.pc += 16

    def load(self, reg, addresses, mask=FULL, width=4, base=6):
        self.add("LDG.E%s.SYS" % vector(width), [reg], [base], mask,
                 access(addresses, width, mask))

    def store(self, reg, addresses, mask=FULL, width=4):
        self.add("STG.E%s.SYS" % vector(width), [], [10, reg], mask,
                 access(addresses, width, mask))

    def load_shared(self, reg, addresses, mask=FULL, width=4):
        self.add("LDS.U" + vector(width), [reg], [20], mask,
                 access(addresses, width, mask))

    def store_shared(self, reg, addresses, mask=FULL, width=4):
        self.add("STS" + vector(width), [], [20, reg], mask,
                 access(addresses, width, mask))

    def prologue(self):
        self.add("MOV", [1])
        self.add("S2R", [0])
        self.add("S2R", [3])
        self.add("IMAD", [0], [0, 3])
        self.add("MOV", [5])
        for reg in (6, 8, 10):
            self.add("IMAD.WIDE", [reg], [0, 5])

    def loop_end(self):
        self.add("IADD3", [2], [2])
        self.add("ISETP.GE.AND", [], [2])
        self.add("BRA")


def vector(width):
    return "" if width == 4 else ".%d" % (8 * width)


def active(mask):
    return [lane for lane in LANES if mask >> lane & 1]


def access(addresses, width, mask):
    a = [addresses[lane] for lane in active(mask)]
    if mask == FULL and all(a[i + 1] - a[i] == a[1] - a[0] for i in range(31)):
        return "%d 1 0x%x %d" % (width, a[0], a[1] - a[0])
    return "%d 0 %s" % (width, " ".join("0x%x" % x for x in a))


def first_thread(p, b, wi):
    return b * p["block"] + wi * 32


def threads(p):
    return p["grid"] * p["block"]


def row(base, first, width=4):
    """Each lane's element, side by side from element `first` on."""
    return [base + width * (first + lane) for lane in LANES]


# ---- families: what is drawn of one, and what warp wi of block b does --------


def stencil_drawn(r):
    return dict(rows=r.choice([4, 8, 16]),
                width=r.choice([256, 512, 1000, 1024, 2048]),
                it=r.randint(1, 4), points=r.choice([3, 5, 9]))


def stencil(w, b, wi, p, r, m):
    pitch = p["width"]
    across = pitch // p["block"] or 1
    x0 = (b % across) * p["block"] + wi * 32
    y0 = (b // across) * p["it"]
    around = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1),
              (-1, 1), (1, -1)][:p["points"]]
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        for n, (dx, dy) in enumerate(around):
            w.load(12 + n, row(A, (y0 + it + dy + 1) * pitch + x0 + dx + 4), m)
        for n in range(len(around)):
            w.add("FFMA", [30], [12 + n, 29, 30], m)
        w.store(30, row(C, (y0 + it) * pitch + x0), m)
        w.add("IADD3", [6], [6, 4], m)
        w.add("IADD3", [10], [10, 4], m)
        w.loop_end()


def transpose_drawn(r):
    return dict(n=r.choice([256, 512, 1024, 1000]), shared=r.choice([0, 1, 1]),
                pad=r.choice([0, 1]), it=r.randint(1, 4),
                which=r.choice(["st", "ld"]))


def transpose(w, b, wi, p, r, m):
    n = p["n"]
    tiles = n // 32
    bx, by = (b * p["it"]) % tiles, (b * p["it"]) // tiles
    rows = p["block"] // 32
    pitch = 33 if p["pad"] else 32
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        x, y = 32 * ((bx + it) % tiles), (32 * by + wi + it * rows) % n
        across = y * n + x
        down = [4 * ((x + lane) * n + y) for lane in LANES]
        if p["shared"]:
            w.load(12, row(A, across), m)
            w.store_shared(12, row(0, wi * pitch), m)
            w.add("BAR.SYNC")
            w.load_shared(13, [4 * (lane * pitch + wi) for lane in LANES], m)
            w.store(13, row(C, across), m)
            w.add("BAR.SYNC")
        elif p["which"] == "st":
            w.load(12, row(A, across), m)
            w.store(12, [C + x for x in down], m)
        else:
            w.load(12, [A + x for x in down], m)
            w.store(12, row(C, across), m)
        w.add("IADD3", [6], [6, 4])
        w.loop_end()


def reduce_drawn(r):
    return dict(it=r.randint(1, 6), style=r.choice(["seq", "interleaved"]),
                kb=1)


def reduce(w, b, wi, p, r, m):
    block = p["block"]
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        w.load(12, row(A, first_thread(p, b, wi) + it * threads(p)), m)
        w.add("FADD", [14], [14, 12], m)
        w.add("IADD3", [6], [6, 4], m)
        w.loop_end()
    mine = row(0, wi * 32)
    w.store_shared(14, mine, m)
    w.add("BAR.SYNC")
    pairs = p["style"] == "interleaved"
    step = 1 if pairs else block // 2
    while 0 < step < block:
        adds = [wi * 32 + lane for lane in active(m)]
        adds = [t for t in adds if (t % (2 * step) == 0 if pairs else t < step)]
        mask = sum(1 << t % 32 for t in adds)
        w.add("ISETP.GE.AND", [], [0, 2])
        w.load_shared(15, [x + 4 * step for x in mine], mask)
        w.load_shared(16, mine, mask)
        w.add("FADD", [14], [15, 16], mask)
        w.store_shared(14, mine, mask)
        w.add("BAR.SYNC")
        step = step * 2 if pairs else step // 2
    w.store(14, [C + 4 * b] * 32, m & 1 if wi == 0 else 0)


def shrow_drawn(r):
    return dict(it=r.randint(2, 12),
                stride=r.choice([1, 1, 2, 4, 8, 16, 32, 33, 17]),
                width=r.choice([4, 4, 4, 8, 16]), kb=4, alu=r.randint(0, 6),
                n=r.randint(1, 4))


def shrow(w, b, wi, p, r, m):
    stride, width = p["stride"], p["width"]
    w.load(12, row(A, first_thread(p, b, wi)), m)
    w.store_shared(12, row(0, wi * 32), m)
    w.add("BAR.SYNC")
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        for n in range(p["n"]):
            w.load_shared(14 + n,
                          [(width * ((wi + it + n) * 32 + lane) * stride) % 4096
                           for lane in LANES], m, width)
        for n in range(p["alu"]):
            w.add("FFMA", [20], [14 + n % p["n"], 21, 20], m)
        w.store_shared(20, [(4 * (wi * 32 + lane) * stride) % 4096
                            for lane in LANES], m)
        w.loop_end()
    w.store(20, row(C, first_thread(p, b, wi)), m)


def fp64_drawn(r):
    return dict(it=r.randint(1, 10), chain=r.randint(1, 8),
                loads=r.randint(1, 3))


def fp64(w, b, wi, p, r, m):
    t0 = first_thread(p, b, wi)
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        for n in range(p["loads"]):
            w.load(12 + 2 * n, row(A + (n << 26), t0 + it * threads(p), 8), m,
                   8)
        for n in range(p["chain"]):
            at = 20 + 2 * (n % 2)
            w.add(["DFMA", "DADD", "DMUL"][n % 3], [at],
                  [12 + 2 * (n % p["loads"]), at], m)
        w.add("IADD3", [6], [6, 4], m)
        w.loop_end()
    w.store(20, row(C, t0, 8), m, 8)


def batched_drawn(r):
    return dict(n=r.choice([4, 8, 16]), it=r.randint(1, 3), kb=2,
                block=r.choice([32, 32, 64, 96]))


def batched(w, b, wi, p, r, m):
    n, shared = p["n"], 1024 * wi
    g = b * ((p["block"] + 31) // 32) + wi
    top = w.pc
    for _ in range(p["it"]):
        w.pc = top
        w.load(12, row(A, g * n * n * 2), m)
        w.load(13, row(B, g * n * n), m, base=8)
        w.store_shared(12, row(shared, 0), m)
        w.store_shared(13, row(shared + 512, 0), m)
        w.add("BAR.SYNC")
        for k in range(n):
            w.load_shared(14, [shared + 4 * ((lane // n) * n + k)
                               for lane in LANES], m)
            w.load_shared(15, [shared + 512 + 4 * (k * n + lane % n)
                               for lane in LANES], m)
            w.add("FFMA", [20], [14, 15, 20], m)
        w.add("BAR.SYNC")
        w.loop_end()
    w.store(20, row(C, g * 32), m)


def phased_drawn(r):
    kinds = ["ld", "alu", "sfu", "sh", "st", "int", "dp", "gather"]
    return dict(ph=[(r.choice(kinds), r.randint(1, 8))
                    for _ in range(r.randint(2, 5))],
                it=r.randint(1, 3), kb=4, bar=r.choice([0, 0, 1]))


def phase_step(w, what, j, wi, first, r, m):
    if what == "ld":
        w.load(12 + j, row(A, first), m)
    elif what == "alu":
        w.add("FFMA", [30 + j % 3], [12 + j, 24, 30 + j % 3], m)
    elif what == "int":
        w.add("IMAD" if j % 3 == 0 else "LOP3.LUT", [34 + j % 2],
              [34 + j % 2, 12 + j], m)
    elif what == "sfu":
        w.add("MUFU.EX2" if j % 2 else "MUFU.RSQ", [36], [30 + j % 3], m)
    elif what == "sh" and j % 2:
        w.load_shared(12 + j, [4 * (((wi * 32 + lane) * 3 + j) % 1024)
                               for lane in LANES], m)
    elif what == "sh":
        w.store_shared(30, [4 * ((wi * 32 + lane + j) % 1024)
                            for lane in LANES], m)
    elif what == "st":
        w.store(30, row(C, first), m)
    elif what == "dp":
        w.add("DFMA", [40], [40, 42], m)
    else:
        w.load(12 + j, [B + 4 * r.randrange(1 << 16) for _ in LANES], m)


def phased(w, b, wi, p, r, m):
    t0 = first_thread(p, b, wi)
    top, k = w.pc, 0
    for _ in range(p["it"]):
        w.pc = top
        for what, count in p["ph"]:
            for j in range(count):
                k += 1
                phase_step(w, what, j, wi, t0 + k * threads(p), r, m)
            if p["bar"]:
                w.add("BAR.SYNC")
        w.loop_end()
    w.store(30, row(C, t0), m)


def ragged_drawn(r):
    return dict(it=r.randint(2, 24), alu=r.randint(1, 6),
                mix=r.choice(["ld", "ld", "sfu", "sh"]), kb=4)


def ragged(w, b, wi, p, r, m):
    t0 = first_thread(p, b, wi)
    trips = r.randint(1, p["it"])
    last = [r.randint(1, trips) for _ in LANES]
    last[r.choice(active(m))] = trips
    top = w.pc
    for it in range(trips):
        w.pc = top
        mask = sum(1 << lane for lane in active(m) if last[lane] > it)
        if p["mix"] == "ld":
            w.load(12, [A + 4 * ((t0 + lane) * p["it"] + it)
                        for lane in LANES], mask)
        elif p["mix"] == "sfu":
            w.add("MUFU.RCP", [12], [12], mask)
        else:
            w.load_shared(12, [4 * ((lane * 5 + it * 7 + wi) % 1024)
                               for lane in LANES], mask)
        for n in range(p["alu"]):
            w.add("FFMA", [14 + n % 2], [12, 13, 14 + n % 2], mask)
        w.add("IADD3", [6], [6, 4], mask)
        w.add("ISETP.GE.AND", [], [2, 6], mask)
        w.add("BRA", [], [], mask)
    w.store(14, row(C, t0), m)


def gather_drawn(r):
    return dict(it=r.randint(1, 5), ws=1 << r.randint(12, 23),
                share=r.choice([0, 0.5, 0.9]), width=r.choice([4, 4, 8]),
                idx=r.choice([0, 1]))


def gather(w, b, wi, p, r, m):
    t0, size = first_thread(p, b, wi), p["width"]
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        if p["idx"]:
            w.load(12, row(A, t0 + it * threads(p)), m)
            w.add("IMAD.WIDE", [8], [12, 5], m)
        near = size * 32 * r.randrange(max(1, p["ws"] // (32 * size)))
        w.load(13, [B + (near + size * lane if r.random() < p["share"] else
                         size * r.randrange(p["ws"] // size))
                    for lane in LANES], m, size, 8)
        w.add("FADD", [14], [14, 13], m)
        w.loop_end()
    w.store(14, row(C, t0), m)


def sfu_drawn(r):
    return dict(it=r.randint(1, 8), n=r.randint(1, 6), ilp=r.randint(1, 4),
                alu=r.randint(0, 6))


def sfu(w, b, wi, p, r, m):
    t0 = first_thread(p, b, wi)
    w.load(12, row(A, t0), m)
    top = w.pc
    for _ in range(p["it"]):
        w.pc = top
        for n in range(p["n"]):
            at = 14 + n % p["ilp"]
            w.add(["MUFU.RCP", "MUFU.EX2", "MUFU.LG2"][n % 3], [at], [at], m)
        for n in range(p["alu"]):
            w.add("FFMA", [20 + n % 3], [14 + n % p["ilp"], 12, 20 + n % 3], m)
        w.loop_end()
    w.store(14, row(C, t0), m)


def strided_drawn(r):
    return dict(it=r.randint(1, 4),
                stride=r.choice([8, 12, 16, 32, 64, 96, 128, 132, 256, 512,
                                 1024]),
                kind=r.choice(["ld", "st", "both"]), reuse=r.choice([0, 0, 1]))


def strided(w, b, wi, p, r, m):
    t0, stride = first_thread(p, b, wi), p["stride"]
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        more = 4 * it if p["reuse"] else stride * threads(p) * it
        apart = [stride * (t0 + lane) + more for lane in LANES]
        if p["kind"] == "st":
            w.load(12, row(A, t0 + it * threads(p)), m)
        else:
            w.load(12, [A + x for x in apart], m)
        w.add("FADD", [14], [14, 12], m)
        w.add("IADD3", [6], [6, 4], m)
        if p["kind"] != "ld":
            w.store(12, [C + x for x in apart], m)
        w.loop_end()
    w.store(14, row(B, t0), m)


def copy_drawn(r):
    return dict(it=r.randint(1, 4), width=r.choice([4, 4, 8, 16]),
                loads=r.randint(1, 4), alu=r.randint(0, 12))


def copy(w, b, wi, p, r, m):
    size = p["width"]
    top = w.pc
    for it in range(p["it"]):
        w.pc = top
        first = first_thread(p, b, wi) + it * threads(p)
        for n in range(p["loads"]):
            w.load(12 + 4 * n, row(A + (n << 24), first, size), m, size)
        for n in range(p["alu"]):
            w.add("FFMA", [32 + n % 4], [12 + 4 * (n % p["loads"]), 31,
                                         32 + n % 4], m)
        w.store(12, row(C, first, size), m, size)
        w.loop_end()


FAMILIES = {body.__name__: (body, drawn) for body, drawn in (
    (stencil, stencil_drawn), (transpose, transpose_drawn),
    (reduce, reduce_drawn), (shrow, shrow_drawn), (fp64, fp64_drawn),
    (batched, batched_drawn), (phased, phased_drawn), (ragged, ragged_drawn),
    (gather, gather_drawn), (sfu, sfu_drawn), (strided, strided_drawn),
    (copy, copy_drawn))}

# ---- a launch ----------------------------------------------------------------


def tail_mask(p, thread):
    """Lanes of the warp from `thread` on: the last of a block may lack some."""
    left = p["block"] - thread
    return FULL if left >= 32 else (1 << left) - 1


def weight(line):
    """Instructions that a line counts as: scattered accesses take longest."""
    words = line.split()
    listed = " 0 0x" in line
    apart = not listed and words[-2][:2] == "0x" and int(words[-1]) > 16
    return 6 if listed or apart else 1


def draw(family, seed, most):
    r = random.Random(seed)
    body, drawn = FAMILIES[family]
    p = dict(block=r.choice([32, 64, 64, 96, 100, 128, 128, 192, 256, 256,
                             512]),
             nregs=r.choice([16, 20, 24, 32, 40, 63]), grid=1)
    p.update(drawn(r))
    p["shared_bytes"] = 0
    if p.get("kb"):
        p["shared_bytes"] = max(r.choice([0, 1024, 2048, 4096, 8192]),
                                1024 * p["kb"])
    if family == "transpose":
        p["shared_bytes"] = 33 * 32 * 4 * p["shared"]
        p["block"] = (p["block"] + 31) // 32 * 32
    if family == "reduce":
        p["block"] = 1 << (p["block"] - 1).bit_length()
        p["shared_bytes"] = max(p["shared_bytes"], 4 * p["block"])
    one = Warp()
    one.prologue()
    body(one, 0, 0, p, random.Random(1), FULL)
    of_block = (sum(map(weight, one.lines)) + 1) * ((p["block"] + 31) // 32)
    blocks = r.choice([40, 80, 160, 240, 320, 480])
    blocks *= max(1, most // 24000)
    p["grid"] = max(8, min(blocks, most // of_block))
    return p


def instructions(family, seed, arch, p, b, wi):
    w = Warp()
    mask = tail_mask(p, wi * 32)
    w.prologue()
    r = random.Random(seed * 1000003 + b * 64 + wi)
    FAMILIES[family][0](w, b, wi, p, r, mask)
    w.add("EXIT", [], [], mask)
    lines = w.lines
    if arch != 70:
        lines = [x.replace(".SYS", "") for x in lines]
    if arch == 35:
        for volta, kepler in ((" IADD3 ", " IADD "), (" STG.E", " ST.E"),
                              ("LOP3.LUT", "LOP")):
            lines = [x.replace(volta, kepler) for x in lines]
    return lines


def write(out, name):
    found = re.fullmatch(r"([a-z0-9]+)_(\d+)_sm(\d+)(?:_(\d+)k)?", name)
    if found is None or found[1] not in FAMILIES:
        sys.exit("random_traces: found '%s', expected FAMILY_SEED_smARCH with "
                 "one of %s" % (name, ", ".join(FAMILIES)))
    family, seed, arch = found[1], int(found[2]), int(found[3])
    p = draw(family, seed, 1000 * int(found[4] or 8))
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "kernel-1.traceg"), "w") as f:
        f.write("-kernel name = %s\n-kernel id = 1\n-grid dim = (%d,1,1)\n"
                "-block dim = (%d,1,1)\n-shmem = %d\n-nregs = %d\n"
                "-binary version = %d\n-cuda stream id = 0\n"
                "-shmem base_addr = 0x00007f0000000000\n"
                "-local mem base_addr = 0x00007f0001000000\n"
                "-nvbit version = 1.5.3\n-accelsim tracer version = 3\n\n"
                "#traces format = PC mask dest_num [reg_dests] opcode src_num "
                "[reg_srcs] mem_width [adrrescompress?] [mem_addresses]\n\n"
                % (family, p["grid"], p["block"], p["shared_bytes"], p["nregs"],
                   arch))
        for b in range(p["grid"]):
            f.write("#BEGIN_TB\n\nthread block = %d,0,0\n\n" % b)
            for wi in range((p["block"] + 31) // 32):
                lines = instructions(family, seed, arch, p, b, wi)
                f.write("warp = %d\ninsts = %d\n%s\n\n"
                        % (wi, len(lines), "\n".join(lines)))
            f.write("#END_TB\n\n")
    with open(os.path.join(folder, "kernelslist.g"), "w") as f:
        f.write("kernel-1.traceg\n")


def main(words):
    if len(words) == 3 and words[0] == "--points":
        with open(words[1]) as f:
            names = {point["trace"] for point in csv.DictReader(f)}
        out = words[2]
    elif len(words) > 1 and not words[0].startswith("-"):
        out, names = words[0], words[1:]
    else:
        sys.exit(__doc__)
    for name in sorted(names):
        if not os.path.exists(os.path.join(out, name, "kernelslist.g")):
            write(out, name)


if __name__ == "__main__":
    main(sys.argv[1:])
