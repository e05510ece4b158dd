#!/usr/bin/env python3
"""Compares the stacks that the collector reads with those that the interpreter itself reports.

compare_stacks.py PROBE_LIBRARY [CASE...]    runs all cases, or these
compare_stacks.py PROBE_LIBRARY --time       prints the time of a walk and of a frame
compare_stacks.py --list                     prints the names of the cases

Needs only the interpreter, 3.10 to 3.15, and libpython_frames_probe.so (probe.cpp). The exit status is 1 if a case
differs, and 77 if no case can run.
"""
import asyncio
import atexit
import ctypes
import functools
import gc
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings

CASES = {}
MOST = 64  # frames of a walk


class Skipped(Exception):
    pass


def case(function):
    CASES[function.__name__.replace("_", "-")] = function
    return function


def start(path):
    """Returns the probe twice. Calls of the first release the interpreter's lock, and calls of `holding` keep it."""
    probe, holding = ctypes.CDLL(path), ctypes.PyDLL(path)
    for library in (probe, holding):
        for name in ("start", "frames", "walk_for", "in_plain_thread", "in_worker", "backward"):
            getattr(library, f"probe_{name}").restype = ctypes.c_char_p
        library.probe_walk_for.argtypes = [ctypes.c_double]
        library.probe_is_collecting.argtypes = [ctypes.c_ulong, ctypes.c_int]
        library.probe_collections.restype = ctypes.c_char_p
        library.probe_time.argtypes = [ctypes.c_int]
        library.probe_time.restype = ctypes.c_double
        library.probe_is_interpreter.argtypes = [ctypes.c_void_p]
    return probe, holding


def name_of(code):
    """Python 3.10 stores only a function's own name."""
    return getattr(code, "co_qualname", code.co_name)


def stack():
    """Returns the caller's frames as the interpreter reports them, innermost first."""
    found, frame = [], sys._getframe(1)
    while frame and len(found) < MOST:
        found.append((frame.f_code.co_filename, name_of(frame.f_code), frame.f_lineno))
        frame = frame.f_back
    return found


def read(written):
    rows = [line.split("\t") for line in written.decode().splitlines()]
    return [(file, function, int(line)) for file, function, line in rows]


def same(written, expected):
    found = read(written)
    if found == expected:
        return
    for i in range(max(len(found), len(expected))):
        pair = [rows[i] if i < len(rows) else None for rows in (expected, found)]
        if pair[0] != pair[1]:
            raise AssertionError(f"frame {i} of {len(expected)}: is {pair[0]}, was read as {pair[1]}")


@case
def a_plain_call():
    same(probe.probe_frames(), stack())
    same(probe.probe_frames(), stack())


@case
def the_lock_held():
    same(holding.probe_frames(), stack())


@case
def lines_of_a_long_function():
    body = "".join(f"    x = {i} if x else [x for x in ({i},)]\n" * (i % 3 + 1) + "\n" * (i % 40) for i in range(900))
    calls = "    same(probe.probe_frames(), stack())\n"
    scope = {"same": same, "probe": probe, "stack": stack}
    exec(compile("def long(x=0):\n" + calls + body + calls + body + calls, "long.py", "exec"), scope)
    scope["long"]()


@case
def a_call_over_several_lines():
    """The line is that of the call, as in the interpreter's tracebacks."""
    line = sys._getframe().f_lineno
    written = [
        None,
        probe.probe_frames(),
        max(
            2,
            len(probe.probe_frames()),
        ),
    ][1]
    (file, function, _), *others = stack()
    same(written, [(file, function, line + 3)] + others)


@case
def recursion():
    def down(n):
        if n:
            down(n - 1)
        else:
            same(probe.probe_frames(), stack())
    for depth in (1, 10, 40, 62, 63, 64, 300):
        down(depth)


@case
def alternating_paths():
    """Each walk finds other frames than the previous one."""
    def leaf():
        same(probe.probe_frames(), stack())

    def by(n):
        by(n - 1) if n else leaf()

    class Caller:
        def __call__(self, n):
            by(n)

        def method(self, n):
            self(n)
    for i in range(300):
        (by, Caller(), Caller().method, lambda n: by(n))[i % 4](i * 7 % 23)


@case
def generators():
    def inner(n):
        for i in range(n):
            same(probe.probe_frames(), stack())
            yield i

    def outer(n):
        yield from inner(n)
        yield from (x for x in inner(n))

    def closing():
        try:
            yield
        finally:
            same(probe.probe_frames(), stack())
    assert len(list(outer(3))) == 6
    kept = closing()
    next(kept)
    kept.close()


@case
def coroutines():
    async def leaf(n):
        await asyncio.sleep(0)
        same(probe.probe_frames(), stack())
        return n

    async def ticks():
        for i in range(3):
            yield await leaf(i)

    async def all_of_it():
        await asyncio.gather(*(leaf(i) for i in range(5)))
        return [i async for i in ticks()]
    assert asyncio.run(all_of_it()) == [0, 1, 2]


@case
def calls_from_c():
    def key(x):
        same(probe.probe_frames(), stack())
        return x
    sorted([3, 1, 2], key=key)
    functools.reduce(lambda a, b: key(a), [1, 2, 3])
    list(map(lambda x: sorted([x], key=key), [1, 2]))

    class Called:
        def __call__(self):
            return sorted([Called] * 2, key=lambda _: key(0))

        def __getattr__(self, name):
            return key(1)

        def __lt__(self, other):
            return bool(key(1))

        def __del__(self):
            key(1)
    Called()(), Called().anything, sorted([Called(), Called()])
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda a, b: key(0))
    ctypes.CDLL(None).qsort((ctypes.c_int * 3)(3, 1, 2), 3, 4, compare)


@case
def bodies():
    class Outer:
        class Inner:
            same(probe.probe_frames(), stack())
            listed = [same(probe.probe_frames(), stack()) for _ in range(2)]

        static = staticmethod(lambda: same(probe.probe_frames(), stack()))
    Outer.static()
    {None: same(probe.probe_frames(), stack()) for _ in range(2)}
    exec("same(probe.probe_frames(), stack())", globals())
    eval("same(probe.probe_frames(), stack())", globals())
    try:
        raise KeyError
    except KeyError:
        same(probe.probe_frames(), stack())


@case
def names_that_are_not_ascii():
    for name in ("Größe", "größe_ñandú", "δέλτα", "名前", "𝒻"):
        scope = {"same": same, "probe": probe, "stack": stack}
        exec(compile(f"def {name}(): same(probe.probe_frames(), stack())", f"/tmp/{name}.py", "exec"), scope)
        next(value for key, value in scope.items() if callable(value) and key not in ("same", "stack"))()
    exec(compile("same(probe.probe_frames(), stack())", "/" + "long/" * 300 + "name.py", "exec"), globals())


@case
def code_in_the_place_of_other_code():
    """Code is compiled, run and freed. The next code gets the same address, and often the same parts."""
    places = set()
    for i in range(3000):
        source = "\n" * (i % 7) + "same(probe.probe_frames(), stack())"
        if i % 2:
            source = "\n" * (i % 5) + f"def f{i % 10}():\n{source.strip() and '  ' + source.strip()}\nf{i % 10}()"
        code = compile(source, f"made-{i % 1000:04}.py", "exec")
        places.add(id(code))
        exec(code, {"same": same, "probe": probe, "stack": stack})
    assert len(places) < 3000, "no address was used again"


@case
def while_a_module_is_imported():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "imported_by_a_test.py")
        path.write_text("import __main__ as m\nm.same(m.probe.probe_frames(), m.stack())\n")
        sys.path.insert(0, folder)
        import imported_by_a_test  # noqa: F401
        sys.path.pop(0)


@case
def a_traced_program():
    def traced(n):
        same(probe.probe_frames(), stack())
        return n
    sys.settrace(lambda frame, event, value: None if event == "line" else (lambda *_: None))
    try:
        for i in range(3):
            traced(i)
        list(traced(i) for i in range(3))
    finally:
        sys.settrace(None)
    if hasattr(sys, "monitoring"):
        sys.monitoring.use_tool_id(3, "test")
        sys.monitoring.register_callback(3, sys.monitoring.events.LINE, lambda *_: None)
        sys.monitoring.set_events(3, sys.monitoring.events.LINE)
        for i in range(3):
            traced(i)
        sys.monitoring.set_events(3, 0)
        sys.monitoring.free_tool_id(3)


@case
def threads_without_the_lock():
    """Sixteen threads walk while others run, collect garbage, and make and free code."""
    ended, wrong = threading.Event(), []

    def disturb(number):
        while not ended.is_set():
            exec(compile(f"def f():\n  return [x for x in range({number})]\nf()", f"{number}.py", "exec"), {})
            gc.collect(0)
            sys._current_frames()

    def walk(depth):
        if depth:
            return walk(depth - 1)
        try:
            same(probe.probe_frames(), stack())
            one, other = map(int, probe.probe_walk_for(0.4).split())
            assert one > 20 and other == 0, f"{one} walks agree, {other} do not"
        except AssertionError as error:
            wrong.append(str(error))
    others = [threading.Thread(target=disturb, args=(i,)) for i in range(2)]
    walkers = [threading.Thread(target=walk, args=(i,)) for i in range(16)]
    for thread in others + walkers:
        thread.start()
    for thread in walkers:
        thread.join()
    ended.set()
    for thread in others:
        thread.join()
    assert not wrong, wrong


@case
def a_thread_that_collects_garbage():
    """Threads that run meanwhile without the interpreter's lock do not count as collecting."""
    kept = [[[] for _ in range(10)] for _ in range(50000)]
    looks, ended, seen = 200, threading.Event(), {}

    def look(name, thread):
        seen[name] = probe.probe_is_collecting(thread, looks)
        ended.set()

    def looked_at(name, thread, work):
        ended.clear()
        other = threading.Thread(target=look, args=(name, thread))
        other.start()
        while not ended.is_set():
            work()
        other.join()

    without_lock = threading.Thread(target=probe.probe_walk_for, args=(3.0,))
    without_lock.start()
    looked_at("collects", threading.get_ident(), gc.collect)
    looked_at("runs", threading.get_ident(), lambda: sum(range(1000)))
    looked_at("runs while another collects", without_lock.ident, gc.collect)
    without_lock.join()
    del kept
    assert seen["collects"] > looks / 2, seen
    assert seen["runs"] < looks / 10, seen
    assert seen["runs while another collects"] == 0, seen


@case
def collections_of_each_generation():
    """The numbers of collections are the interpreter's own, and so are begins and ends from 3.15 on."""
    gc.disable()
    try:
        for generation in (0, 0, 1, 2, 0, 2):
            began = time.perf_counter_ns()
            gc.collect(generation)
            ended = time.perf_counter_ns()
            rows = [list(map(int, row.split())) for row in probe.probe_collections().decode().splitlines()]
            assert [row[0] for row in rows] == [of["collections"] for of in gc.get_stats()], rows
            if sys.version_info < (3, 15):
                assert all(row[1:] == [0, 0] for row in rows), rows
            else:
                _, begin, end = rows[generation]
                assert began <= begin <= end <= ended, (began, rows, ended)
    finally:
        gc.enable()


@case
def many_short_threads():
    wrong = []

    def once():
        try:
            same(probe.probe_frames(), stack())
        except AssertionError as error:
            wrong.append(str(error))
    for _ in range(50):
        threads = [threading.Thread(target=once) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong, wrong


@case
def a_thread_that_python_does_not_know():
    assert probe.probe_in_plain_thread() == b""


@case
def a_worker_without_frames():
    """A thread like those of PyTorch's engine: it has no frames, and gets those of the one call that waits for it."""
    with tempfile.TemporaryDirectory() as folder:
        graph = pathlib.Path(folder, "torch/autograd/graph.py")
        graph.parent.mkdir(parents=True)
        graph.write_text("def _engine_run_backward(run, stack):\n    return run(), stack()\n")
        scope = {}
        exec(compile(graph.read_text(), str(graph), "exec"), scope)
        run = scope["_engine_run_backward"]

        def backward():
            return run(probe.probe_in_worker, stack)
        written, expected = backward()
        own, call = written.split(b"--\n")
        assert own == b"", own
        same(call, expected)
        # No thread is in backward().
        assert probe.probe_in_worker() == b"--\n"
        # Two threads are in backward(), so it is unknown for which of them the worker works.
        other = threading.Thread(target=run, args=(functools.partial(probe.probe_walk_for, 0.5), stack))
        other.start()
        time.sleep(0.2)
        assert backward()[0] == b"--\n"
        other.join()
        assert backward()[0] != b"--\n"


def module_of_interpreters():
    for name in ("_interpreters", "_xxsubinterpreters"):  # since 3.13, and before
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    raise Skipped("this interpreter cannot make one")


def two_interpreters():
    interpreters = module_of_interpreters()
    other = interpreters.create()
    assert probe.probe_frames() == b""
    interpreters.destroy(other)
    same(probe.probe_frames(), stack())


@case
def another_interpreter():
    """Needs a separate process: after another interpreter existed, PyGILState_Check() is true in all threads."""
    module_of_interpreters()
    in_a_process("two_interpreters")


@case
def where_native_walks_end():
    python = ctypes.pythonapi
    assert probe.probe_is_interpreter(ctypes.cast(python._PyEval_EvalFrameDefault, ctypes.c_void_p))
    assert not probe.probe_is_interpreter(ctypes.cast(ctypes.CDLL(None).qsort, ctypes.c_void_p))
    assert not probe.probe_is_interpreter(None)


def forked():
    child = os.fork()
    if child == 0:
        try:
            same(probe.probe_frames(), stack())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    same(probe.probe_frames(), stack())


@case
def a_forked_child():
    forked()


@case
def a_child_forked_while_others_walk():
    walkers = [threading.Thread(target=probe.probe_walk_for, args=(1.0,)) for _ in range(8)]
    for thread in walkers:
        thread.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # "use of fork() may lead to deadlocks"
        for _ in range(50):
            forked()
    for thread in walkers:
        thread.join()


def in_a_process(name):
    """Needed if the end of an interpreter also ends the process."""
    done = subprocess.run([sys.executable, __file__, sys.argv[1], name], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"exit status {done.returncode}: {done.stderr}"
    return done.stdout


def daemons_at_the_end():
    def walk():
        probe.probe_walk_for(30.0)
    for _ in range(4):
        threading.Thread(target=walk, daemon=True).start()
    time.sleep(0.1)


def calls_at_the_end():
    class Kept:
        # The defaults keep the functions, because the module's names no longer exist then.
        def __del__(self, frames=probe.probe_frames, write=os.write):
            write(1, b"frames in __del__: %d\n" % len(frames().splitlines()))

    def at_exit():
        same(probe.probe_frames(), stack())
        print("atexit ran", flush=True)
    atexit.register(at_exit)
    sys.kept = Kept()
    # The C library calls this handler, after the interpreter has ended.
    probe.probe_at_exit()


@case
def an_interpreter_that_ends():
    for _ in range(5):
        in_a_process("daemons_at_the_end")
    said = in_a_process("calls_at_the_end")
    assert said.endswith("atexit ran\nframes in __del__: 0\nframes in exit(): 0\n"), said


def refused():
    assert probe.probe_refuse_copies() == 0
    print(probe.probe_start().decode())
    assert probe.probe_frames() == b""


@case
def a_process_that_may_not_read_so():
    assert "may not call process_vm_writev" in in_a_process("refused")


@case
def backward_of_pytorch():
    """On a GPU, PyTorch runs the backward pass in its own thread. A hook walks the stack there."""
    try:
        import torch
    except ImportError:
        raise Skipped("PyTorch is not installed")
    if not torch.cuda.is_available():
        raise Skipped("PyTorch has no GPU")
    main, found = threading.get_ident(), []

    class Watched(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            return x.clone()

        @staticmethod
        def backward(context, gradient):
            found.append((threading.get_ident() != main, probe.probe_is_autograd_thread(), probe.probe_backward()))
            same(probe.probe_frames(), stack())
            return gradient

    # PyTorch checks this before its backward pass.
    assert ctypes.CDLL(None).PyGILState_Check() == 0, "another interpreter was in this process"
    x = torch.ones(4, device="cuda", requires_grad=True)
    assert probe.probe_is_autograd_thread() == 0
    calls = [lambda loss: loss.backward(), lambda loss: torch.autograd.backward(loss),
             lambda loss: torch.autograd.grad(loss, x)]
    for call in calls:
        call(Watched.apply(x).sum())
        is_other, in_loop, written = found.pop()
        assert is_other and in_loop == 1, (is_other, in_loop)
        frames = read(written)
        # Frames of the engine are in PyTorch's files. The first frame in this file is the call.
        own = [frame for frame in frames if frame[0] == call.__code__.co_filename]
        assert len(own) > 1 and own[0][2] == call.__code__.co_firstlineno, frames
        assert own[1][1] == "backward_of_pytorch", frames


def paths_of_a_program():
    """Makes paths from one function to calls of the probe, through 30 functions."""
    source = "def leaf(way, deep): return probe.probe_time(1)\n"
    source += "".join(f"def step{i}(way, deep):\n    return next_step(way, {i})(way, deep - 1)\n" for i in range(30))
    scope = {"probe": probe}
    scope["next_step"] = lambda way, i: scope[f"step{(i * 7 + way * 5 + 1) % 30}"]
    exec(compile(source, "steps.py", "exec"), scope)

    def run(way, deep):
        last = scope["next_step"]
        scope["next_step"] = lambda way, i: last(way, i) if counted.pop() else scope["leaf"]
        counted = [False] + [True] * (deep - 2)
        try:
            return scope[f"step{way}"](way, deep)
        finally:
            scope["next_step"] = last
    for ways, deep in ((1, 8), (1, 28), (8, 8), (8, 28)):
        times = sorted(run(i % ways, deep) for i in range(4000))
        which = "the same ones each time" if ways == 1 else f"{deep} of them others than in the walk before"
        print(f"{deep + 3:3} frames  {times[len(times) // 2]:7.0f} ns in the median, of different functions, {which}")


def modules_of_pytorch():
    try:
        import torch
    except ImportError:
        return

    class Leaf(torch.nn.Module):
        def forward(self, x):
            found.append((probe.probe_time(1000), len(stack())))
            return x

    found, model = [], Leaf()
    for _ in range(8):
        model = torch.nn.Sequential(model)
    model(torch.ones(1))
    (ns, frames), = found
    print(f"{frames:3} frames  {ns:7.0f} ns, of modules of PyTorch, the same ones each time")


def measure():
    def at(depth):
        return at(depth - 1) if depth else min(probe.probe_time(20000) for _ in range(5))
    at(0)
    times = {len(stack()) + depth: at(depth) for depth in (1, 4, 16, 32, 56)}
    for frames, ns in times.items():
        print(f"{frames:3} frames  {ns:7.0f} ns, of one function that calls itself")


def main():
    global probe, holding
    if sys.argv[1:] == ["--list"]:
        print("\n".join(CASES))
        return 0
    probe, holding = start(sys.argv[1])
    why_not = probe.probe_start()
    if why_not:
        print(why_not.decode())
        return 77
    if sys.argv[2:] == ["--time"]:
        measure()
        paths_of_a_program()
        modules_of_pytorch()
        return 0
    failed = passed = 0
    for name in sys.argv[2:] or CASES:
        try:
            (CASES.get(name) or globals()[name])()
            passed += 1
            print(f"{name}: ok")
        except Skipped as reason:
            print(f"lapscope-skip: {name}: {reason}")
        except Exception:
            failed += 1
            print(f"{name}: FAILED")
            traceback.print_exc()
    return 1 if failed else 0 if passed else 77


if __name__ == "__main__":
    sys.exit(main())
