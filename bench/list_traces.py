# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel lists of small applications as traces (Accel-Sim, tracer version 3),
whose launches differ as those of the real ones do: with what a search finds,
with what is left of a matrix, or not at all."""
import os
import random

from random_traces import A, B, C, FULL, LANES, Warp, row

BLOCK = 256
WARPS = BLOCK // 32
FLAGS, FOUND = C + (1 << 24), C + (1 << 25)


class Launch:
    """A grid of blocks; body(w, block, warp) writes the instructions."""

    def __init__(self, name, grid, body, warps=WARPS, shared=0):
        self.name, self.grid, self.body = name, grid, body
        self.warps, self.shared = warps, shared

    def write(self, path):
        with open(path, "w", encoding="ascii") as f:
            f.write("-kernel name = %s\n-kernel id = 1\n-grid dim = (%d,1,1)\n"
                    "-block dim = (%d,1,1)\n-shmem = %d\n-nregs = 24\n"
                    "-binary version = 70\n-cuda stream id = 0\n"
                    "-shmem base_addr = 0x00007f0000000000\n"
                    "-local mem base_addr = 0x00007f0001000000\n"
                    "-nvbit version = 1.5.3\n-accelsim tracer version = 3\n\n"
                    % (self.name, self.grid, 32 * self.warps, self.shared))
            for block in range(self.grid):
                f.write("#BEGIN_TB\n\nthread block = %d,0,0\n\n" % block)
                for warp in range(self.warps):
                    w = Warp()
                    w.prologue()
                    self.body(w, block, warp)
                    w.add("EXIT")
                    f.write("warp = %d\ninsts = %d\n%s\n\n"
                            % (warp, len(w.lines), "\n".join(w.lines)))
                f.write("#END_TB\n\n")


# ---- breadth-first search: Rodinia's two kernels, a level each ---------------


def mask_of(lanes):
    return sum(1 << lane for lane in lanes)


def expand(graph, level, now):
    def body(w, block, warp):
        first = block * BLOCK + 32 * warp
        nodes = [first + lane for lane in LANES]
        w.load(12, row(FLAGS, first))
        w.add("ISETP.GE.AND", [], [12])
        on = [lane for lane in LANES if level[nodes[lane]] == now]
        w.load(13, row(A, first), mask_of(on))
        w.load(14, row(A, first + 1), mask_of(on))
        top = w.pc
        for k in range(max((len(graph[nodes[i]]) for i in on), default=0)):
            w.pc = top
            deep = [i for i in on if len(graph[nodes[i]]) > k]
            to = {i: graph[nodes[i]][k] for i in deep}
            edge = [B + 4 * (16 * n + k) for n in nodes]
            at = [FOUND + 4 * to.get(i, 0) for i in LANES]
            w.load(15, edge, mask_of(deep))
            w.load(16, at, mask_of(deep))
            new = [i for i in deep if level[to[i]] == now + 1]
            w.store(16, at, mask_of(new))
            w.loop_end()
    return body


def update(level, now):
    def body(w, block, warp):
        first = block * BLOCK + 32 * warp
        w.load(12, row(FOUND, first))
        w.add("ISETP.GE.AND", [], [12])
        new = mask_of(i for i in LANES if level[first + i] == now + 1)
        w.store(12, row(FLAGS, first), new)
        w.store(12, row(C, first), new)
    return body


def bfs():
    r, blocks = random.Random(1), 128
    nodes = blocks * BLOCK
    graph = [[r.randrange(nodes) for _ in range(r.choice((1, 2, 3, 6)))]
             for _ in range(nodes)]
    level, edge = [-1] * nodes, [0]
    level[0] = 0
    while edge:
        edge, before = [], edge
        for node in before:
            for to in graph[node]:
                if level[to] < 0:
                    level[to] = level[node] + 1
                    edge.append(to)
    launches = []
    for now in range(max(level) + 1):
        launches += [Launch("bfs_expand", blocks, expand(graph, level, now)),
                     Launch("bfs_update", blocks, update(level, now))]
    return launches


# ---- LU decomposition: the trailing matrix, 16 x 16 less each time ----------


def trailing(left, size):
    def body(w, block, warp):
        across, down = block % left, block // left
        step = size - left - 1
        y = 2 * warp
        def tile(i, j):
            return [A + 4 * ((16 * i + y + lane // 16) * 16 * size + 16 * j
                             + lane % 16) for lane in LANES]
        mine = [4 * (32 * warp + lane) for lane in LANES]
        w.load(12, tile(step, step + 1 + across))
        w.load(13, tile(step + 1 + down, step))
        w.store_shared(12, mine)
        w.store_shared(13, [1024 + x for x in mine])
        w.add("BAR.SYNC")
        for k in range(16):
            w.load_shared(14, [64 * k + 4 * (lane % 16) for lane in LANES])
            w.load_shared(15, [1024 + 64 * (y + lane // 16) + 4 * k
                               for lane in LANES])
            w.add("FFMA", [20], [14, 15, 20])
        to = tile(step + 1 + down, step + 1 + across)
        w.load(16, to)
        w.add("FADD", [16], [16, 20])
        w.store(16, to)
    return body


def lud():
    size = 15
    return [Launch("lud_internal", left * left, trailing(left, size),
                   shared=2048) for left in range(size - 1, 0, -1)]


# ---- Needleman-Wunsch: diagonals of tiles, more and then fewer --------------


def diagonal(width, number, size):
    def body(w, block, _):
        x, y = block, number - block if number < size else size - 1 - block
        at = [A + 4 * (32 * y * 32 * size + 32 * x + lane) for lane in LANES]
        for k in range(8):
            w.load(12, [a + 512 * size * k for a in at])
            w.store_shared(12, [128 * k + 4 * lane for lane in LANES])
        w.add("BAR.SYNC")
        for k in range(2 * 16 - 1):
            w.load_shared(14, [132 * (k % 8) + 4 * lane for lane in LANES])
            w.add("IADD3", [20], [14, 20])
            w.store_shared(20, [132 * (k % 8) + 4 * lane for lane in LANES])
            w.add("BAR.SYNC")
        for k in range(8):
            w.store(20, [a + 512 * size * k for a in at])
    return Launch("needle", width, body, warps=1, shared=4096)


def needle():
    size = 96
    return [diagonal(min(n + 1, 2 * size - 1 - n), n, size)
            for n in range(2 * size - 1)]


# ---- a stencil: the same again and again ------------------------------------


def sweep(to, source, pitch):
    def body(w, block, warp):
        first = block * BLOCK + 32 * warp + pitch + 4
        for n, beside in enumerate((0, -pitch, pitch, -1, 1)):
            w.load(12 + n, row(source, first + beside))
        for n in range(5):
            w.add("FFMA", [20], [12 + n, 21, 20])
        w.store(20, row(to, first), FULL)
    return body


def stencil():
    return [Launch("stencil", 512, sweep(*((C, A) if n % 2 else (A, C)), 512))
            for n in range(12)]


LISTS = {"bfs": bfs, "lud": lud, "needle": needle, "stencil": stencil}


def write(folder, name):
    """The folder of the list, with kernelslist.g in it; returns how many
    launches there are."""
    launches = LISTS[name]()
    os.makedirs(folder, exist_ok=True)
    for n, launch in enumerate(launches, 1):
        launch.write(os.path.join(folder, "kernel-%d.traceg" % n))
    with open(os.path.join(folder, "kernelslist.g"), "w",
              encoding="ascii") as f:
        f.writelines("kernel-%d.traceg\n" % (n + 1)
                     for n in range(len(launches)))
    return len(launches)
