# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles of GPU kernels: libestimate from Python, by ctypes alone.

    import estimate
    rows = estimate.sweep("nn", gpu="v100", tb=range(1, 9), sched=["gto", "lrr"])
    best = min(rows, key=lambda row: row["cycles"])

Everything comes back as lists and dicts, rows under the names of the program's
CSV; estimate.frame(rows) makes a pandas DataFrame of them. What goes wrong is
an estimate.Error with the line that the program would print, and its exit
status. The library is found beside this file where both are installed, in the
folder above it, by the loader, or where ESTIMATE_LIBRARY says.
"""
import ctypes as C
import json
import os
import pathlib
import subprocess

__all__ = ["sweep", "points", "detail", "phases", "occupancy", "explain", "keys",
           "list", "frame", "version", "Error"]

_list = list  # `list` is one of ours


class Error(Exception):
    """What the library refused; status is the program's exit status."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


# ---- the library -------------------------------------------------------------


class _Error(C.Structure):
    _fields_ = [("status", C.c_int), ("text", C.c_char * 512)]


class _Dim(C.Structure):
    _fields_ = [(axis, C.c_uint32) for axis in "xyz"]


class _Launch(C.Structure):  # struct estimate_launch
    _fields_ = [("size", C.c_size_t), ("grid", _Dim), ("block", _Dim),
                ("registers", C.c_uint32), ("shared_bytes", C.c_int64),
                ("seed", C.c_uint64), ("unknown_op", C.c_char_p),
                ("entry", C.c_char_p), ("arg", C.POINTER(C.c_char_p)),
                ("args", C.c_size_t), ("ptxas", C.c_char_p), ("arch", C.c_int)]


class _Options(C.Structure):  # struct estimate_options
    _fields_ = [("size", C.c_size_t), ("mode", C.c_int),
                ("error_pct", C.c_double), ("budget_insts", C.c_uint64),
                ("seed", C.c_uint64), ("max_cycles", C.c_uint64),
                ("time_limit_s", C.c_double), ("threads", C.c_int),
                ("use_cache", C.c_bool), ("refresh", C.c_bool),
                ("accounts", C.c_bool), ("cache_dir", C.c_char_p),
                ("cancel", C.c_void_p), ("progress", C.c_void_p),
                ("user", C.c_void_p), ("store", C.c_char_p)]


class _Policies(C.Structure):
    _fields_ = [("sched", C.c_char_p), ("tb_sched", C.c_char_p),
                ("l1_policy", C.c_char_p)]


class _Occupancy(C.Structure):
    _fields_ = [("blocks", C.c_int), ("launch", C.c_char_p),
                ("limit", C.c_char_p)]


class _Phase(C.Structure):
    _fields_ = [("first", C.c_uint32), ("count", C.c_uint32),
                ("cycles", C.c_uint32), ("loads", C.c_uint32),
                ("ended_by", C.c_char_p)]


_POINTERS = """input_load input_kernel gpu_load gpu_copy study_create run result
column key code_create""".split()
_TEXTS = """version column_name column_string key_name key_unit key_help
key_source key_value_name bundled_kernel bundled_gpu gpu_name policy_name""".split()
_FLAGS = """study_add study_reference gpu_set_text gpu_check""".split()


def _open():
    here = pathlib.Path(__file__).resolve().parent
    named = os.environ.get("ESTIMATE_LIBRARY")
    tried = [named] if named else [
        here.parent / "libestimate.so", here.parents[1] / "libestimate.so.0",
        here.parents[2] / "libestimate.so.0", "libestimate.so.0",
        "libestimate.so"]
    for name in tried:
        try:
            return C.CDLL(str(name))
        except OSError as problem:
            last = problem
    raise ImportError("libestimate.so.0 was not found (%s); ESTIMATE_LIBRARY "
                      "says where it is" % last)


def _declare(library):
    for names, result in ((_POINTERS, C.c_void_p), (_TEXTS, C.c_char_p),
                          (_FLAGS, C.c_bool)):
        for name in names:
            getattr(library, "estimate_" + name).restype = result
    library.estimate_policy.restype = C.c_void_p
    library.estimate_column_value.restype = C.c_double
    library.estimate_code_phase.restype = C.POINTER(_Phase)
    library.estimate_column.argtypes = [C.c_size_t]
    for name in ("key_min", "key_max", "key_default"):
        getattr(library, "estimate_" + name).restype = C.c_double
    return library


_lib = _declare(_open())
_MODES = ("model", "hybrid", "detailed")
_TEXT, _WHOLE, _FLAG, _REAL = range(4)


def _call(name, *args):
    """A function that takes an error last and returns nothing when it fails."""
    error = _Error()
    result = getattr(_lib, "estimate_" + name)(*args, C.byref(error))
    if not result:
        raise Error(error.text.decode(), error.status)
    return C.c_void_p(result) if type(result) is int else result


def _ask(name, *args):
    return getattr(_lib, "estimate_" + name)(*args)


class _Handle:
    """A handle that is freed when the block ends."""

    def __init__(self, free, handle):
        self.free, self.handle = free, handle

    def __enter__(self):
        return self.handle

    def __exit__(self, *_):
        getattr(_lib, "estimate_" + self.free)(self.handle)


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _numbered(name, *before):
    """What a function of a number gives, up to its NULL."""
    i = 0
    while (item := _ask(name, *before, C.c_size_t(i))) is not None:
        yield item
        i += 1


# ---- arguments ---------------------------------------------------------------


def _names(value):
    if value is None:
        return [None]
    return value.split(",") if isinstance(value, str) else _list(value)


def _blocks(value):
    """Block counts: 4, [1, 2, 4], range(1, 9), "1..8"."""
    if value is None:
        return None
    if isinstance(value, int):
        return [value]
    if isinstance(value, str):
        first, dots, last = value.partition("..")
        if dots:
            return _list(range(int(first), int(last) + 1))
        value = value.split(",")
    return sorted({int(tb) for tb in value})


def _dim(value):
    size = (value,) if isinstance(value, int) else tuple(value)
    return _Dim(*(size + (1, 1, 1))[:3])


def _input(kernel, gpu, options):
    launch = _Launch()
    _ask("launch_init", C.byref(launch), C.sizeof(launch))
    for name in ("grid", "block"):
        if options.get(name) is not None:
            setattr(launch, name, _dim(options[name]))
    launch.registers = options.get("regs") or 0
    if options.get("shared") is not None:
        launch.shared_bytes = options["shared"]
    launch.seed = options.get("seed", 1)
    launch.entry = _bytes(options.get("entry"))
    launch.unknown_op = _bytes(options.get("unknown_op"))
    args = [_bytes(str(arg)) for arg in options.get("args", ())]
    launch.arg, launch.args = (C.c_char_p * len(args))(*args), len(args)
    launch.arch = int(_ask_gpu(gpu, "arch"))
    return _Handle("input_free",
                   _call("input_load", _bytes(kernel), C.byref(launch)))


def _ask_gpu(gpu, key):
    _lib.estimate_key_find.restype = C.c_void_p
    _lib.estimate_gpu_get.restype = C.c_double
    found = C.c_void_p(_lib.estimate_key_find(_bytes(key), None))
    return _lib.estimate_gpu_get(gpu, found)


def _gpu(name, setting):
    gpu = _Handle("gpu_free", _call("gpu_load", _bytes(name)))
    for key, value in (setting or {}).items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        _call("gpu_set_text", gpu.handle, _bytes(key), _bytes(text))
    _call("gpu_check", gpu.handle)
    return gpu


_LAUNCH = ("grid", "block", "regs", "shared", "seed", "entry", "unknown_op",
           "args")
_RUN = {"error": "error_pct", "budget": "budget_insts", "seed": "seed",
        "max_cycles": "max_cycles", "time_limit": "time_limit_s",
        "jobs": "threads", "store": "store", "cache_dir": "cache_dir"}


def _options(mode, options):
    if mode not in _MODES:
        raise Error("mode %r: expected one of %s" % (mode, ", ".join(_MODES)), 2)
    run = _Options()
    _ask("options_init", C.byref(run), C.sizeof(run))
    run.mode = _MODES.index(mode)
    run.use_cache = options.get("cache", True)
    for name, value in options.items():
        if name in _RUN:
            setattr(run, _RUN[name],
                    _bytes(value) if name in ("store", "cache_dir") else value)
        elif name != "cache" and name not in _LAUNCH:
            raise TypeError("there is no option %r" % name)
    return run


# ---- points ------------------------------------------------------------------


def _columns():
    return [(_ask("column_name", C.c_void_p(c)).decode(),
             _ask("column_type", C.c_void_p(c)), C.c_void_p(c))
            for c in _numbered("column")]


def _row(point, columns):
    row = {}
    for name, kind, column in columns:
        if kind == _TEXT:
            row[name] = _ask("column_string", column, point).decode()
            continue
        value = _ask("column_value", column, point)
        if value != value:
            row[name] = None
        else:
            row[name] = value if kind == _REAL else int(value)
    return row


_DEFAULT = ("gto", "rr", "lru")


def _policies(sched, tb_sched, l1_policy, compared):
    """All combinations; in what is compared the default is among them, last,
    and is what the others are compared with."""
    asked = [(s or "gto", b or "rr", l or "lru") for s in _names(sched)
             for b in _names(tb_sched) for l in _names(l1_policy)]
    sets = asked + ([_DEFAULT] if compared and _DEFAULT not in asked else [])
    table = (_Policies * len(sets))(
        *[_Policies(*map(_bytes, one)) for one in sets])
    return table, len(asked), sets


def _cut(tb, limit):
    return [limit] if tb is None else sorted({min(count, limit) for count in tb})


def _study(kernel, gpu, tb, policies, detailed):
    """Rows of one kernel on one GPU, as the program has them."""
    table, asked, sets = policies
    limit = _ask("max_blocks", kernel, gpu, None)
    counts = _cut(tb, limit)
    shown = len(counts)
    if shown * asked > 1 and not detailed and counts[-1] != limit:
        counts.append(limit)
    study = _Handle("study_free",
                    _call("study_create", None, table, C.c_size_t(len(sets))))
    if _DEFAULT in sets:
        _call("study_reference", study.handle, C.c_size_t(sets.index(_DEFAULT)))
    _call("study_add", study.handle, kernel, gpu,
          (C.c_int * len(counts))(*counts), C.c_size_t(len(counts)))
    return study, shown, asked


def _run(study, run):
    with study[0] as handle:
        with _Handle("results_free",
                     _call("run", handle, C.byref(run))) as results:
            columns = _columns()
            return [_row(C.c_void_p(_ask("result", results, C.c_size_t(0),
                                         C.c_size_t(tb), C.c_size_t(q))),
                         columns)
                    for tb in range(study[1]) for q in range(study[2])]


def sweep(kernel, gpu="m2090", tb=None, sched="gto", tb_sched="rr",
          l1_policy="lru", mode="hybrid", set=None, **options):
    """Every number of resident blocks under every policy, a dict for each.

    kernel      any input of the program, or a list of them
    gpu         a name or file, or a list of them
    tb          resident blocks: 4, [1, 2, 4], range(1, 9), "1..8"; None: as
                many as fit
    sched, tb_sched, l1_policy   a name, a comma list or a list
    mode        "model", "hybrid" or "detailed"
    set         keys of the GPU and their values, {"sms": 40}
    options     of the launch: grid, block, regs, shared, entry, args,
                unknown_op; of the run: error, budget, seed, jobs, time_limit,
                max_cycles, store, cache, cache_dir
    """
    run, rows, counts = _options(mode, options), [], _blocks(tb)
    detailed = mode == "detailed"
    several = any(len(_names(x)) > 1 for x in (sched, tb_sched, l1_policy))
    policies = _policies(sched, tb_sched, l1_policy,
                         (several or counts is not None) and not detailed)
    for name in _names(kernel):
        for machine in _names(gpu):
            with _gpu(machine, set) as g, _input(name, g, options) as found:
                for i in range(_ask("input_kernels", found)):
                    k = C.c_void_p(_ask("input_kernel", found, C.c_size_t(i)))
                    rows += _run(_study(k, g, counts, policies, detailed), run)
    return rows


def detail(kernel, **arguments):
    """sweep() cycle by cycle, over the whole grid."""
    return sweep(kernel, mode="detailed", **arguments)


def points(wanted, **common):
    """sweep() of each of a list of dicts of its arguments, in one list."""
    return [row for one in wanted for row in sweep(**{**common, **one})]


# ---- what there is to know besides --------------------------------------------


def phases(kernel, gpu="m2090", **options):
    """The phases of each kernel of an input (Lee et al., PAWS)."""
    with _gpu(gpu, None) as g, _input(kernel, g, options) as found:
        rows = []
        for i in range(_ask("input_kernels", found)):
            k = C.c_void_p(_ask("input_kernel", found, C.c_size_t(i)))
            with _Handle("code_free",
                         _call("code_create", k, C.c_size_t(0))) as code:
                n = 0
                while p := _ask("code_phase", code, C.c_size_t(n)):
                    rows.append({"kernel": kernel, "phase": n,
                                 "first": p.contents.first,
                                 "instructions": p.contents.count,
                                 "cycles": p.contents.cycles,
                                 "loads": p.contents.loads,
                                 "ended_by": p.contents.ended_by.decode()})
                    n += 1
        return rows


def occupancy(kernel, gpu="m2090", set=None, **options):
    """How many blocks fit on an SM, and what there is least of."""
    with _gpu(gpu, set) as g, _input(kernel, g, options) as found:
        k = C.c_void_p(_ask("input_kernel", found, C.c_size_t(0)))
        o = _Occupancy()
        _lib.estimate_occupancy(C.byref(o), C.c_size_t(C.sizeof(o)), k, g)
        return {"blocks": o.blocks, "limit": o.limit.decode()}


def keys():
    """Every key of a GPU configuration: name, unit, range, help, source."""
    rows = []
    for k in map(C.c_void_p, _numbered("key")):
        source = _ask("key_source", k)
        names = [name.decode() for name in _numbered("key_value_name", k)]
        rows.append({"key": _ask("key_name", k).decode(),
                     "unit": _ask("key_unit", k).decode(),
                     "min": _ask("key_min", k), "max": _ask("key_max", k),
                     "values": names, "help": _ask("key_help", k).decode(),
                     "source": source and source.decode()})
    return rows


def list(what):
    """Names of "kernels", "gpus", "schedulers", "keys"; as the program has
    them."""
    if what == "kernels":
        return [name.decode() for name in _numbered("bundled_kernel")]
    if what == "gpus":
        return [name.decode() for name in _numbered("bundled_gpu")]
    if what == "keys":
        return [row["key"] for row in keys()]
    if what == "schedulers":
        return [_ask("policy_name", C.c_void_p(p)).decode()
                for p in _numbered("policy", None, C.c_int(0))]
    raise Error("list %r: expected kernels, gpus, schedulers or keys" % what, 2)


def explain(kernel, *arguments):
    """What `estimate explain --format json` says, by the program on the PATH or
    in ESTIMATE_PROGRAM."""
    program = os.environ.get("ESTIMATE_PROGRAM", "estimate")
    done = subprocess.run([program, "explain", kernel, "--format", "json",
                           *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Error(done.stderr.strip(), done.returncode)
    return json.loads(done.stdout)


def frame(rows):
    """The rows as a pandas DataFrame."""
    import pandas
    return pandas.DataFrame(rows)


def version():
    return _ask("version").decode()
