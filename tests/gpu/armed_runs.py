#!/usr/bin/env python3
"""Runs programs armed, on a GPU: `armed_runs.py LAPSCOPE [--rounds N] [--only job|held|long|pace] [--programs P,...]
[--keep FOLDER]`.

job   Four processes of torchrun train on the GPUs that there are (gloo, so that two can share one), and are captured
      twice. Their output and exit status must be as without lapscope. Each capture must have a trace of each process,
      with work of the GPU. The second capture must have the same 20 iterations of each process.
held  A kernel of 4 s runs while a capture ends. The trace must have the records before it. Two later captures must be
      complete.
long  An armed loop of 10,000 iterations that launches limit, with ten captures, compared with bare runs in between:
      the pace between captures, and the memory at the begin and at the end.
pace  Five armed loops of PyTorch with a capture of 60 iterations, compared with bare runs in between: the times that
      the loops measure before, in and after the capture, and what recording adds according to lapscope.

Needs PyTorch and a GPU. Exit status: 0; 1 if a check fails.
"""
import argparse
import json
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

JOB = '''
import os, time, torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank % torch.cuda.device_count())
torch.cuda.set_device(device)
dist.init_process_group("gloo")
torch.manual_seed(0)
model = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(4)]).to(device)
model = DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), 1e-3)
generator = torch.Generator().manual_seed(rank)
for step in range(300):
    if step == 20: open(f"{os.environ['JOB_FOLDER']}/ready{rank}", "w").close()
    torch.cuda.nvtx.range_push("step")
    x = torch.randn(32, 256, generator=generator).to(device)
    loss = model(x).square().mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
    time.sleep(0.02)
    torch.cuda.nvtx.range_pop()
print(f"rank {rank}: {loss.item():.9f}", flush=True)
dist.destroy_process_group()
'''

LONG = '''
import resource, sys, time, torch
x = torch.zeros(1024, device="cuda")
def iteration():
    torch.cuda.nvtx.range_push("iteration")
    for _ in range(200): x.add_(1)
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()
for _ in range(200): iteration()
torch.cuda.nvtx.range_push("measured")
def resident():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS"): return int(line.split()[1])
for block in range(int(sys.argv[1])):
    begin = time.perf_counter()
    for _ in range(100): iteration()
    print(f"block {block} {(time.perf_counter() - begin) * 10:.4f} ms {resident()} kB", flush=True)
torch.cuda.nvtx.range_pop()
'''


PACE = '''
import json, os, sys, time, torch
kind = sys.argv[1]
torch.manual_seed(0)
if kind == "launches":
    x = torch.zeros(1024, device="cuda")
    def work():
        for _ in range(500): x.add_(1)
        torch.cuda.synchronize()
elif kind == "events":
    x, other, event = torch.zeros(1024, device="cuda"), torch.cuda.Stream(), torch.cuda.Event()
    def work():
        for _ in range(150):
            x.add_(1)
            event.record()
            other.wait_event(event)
            with torch.cuda.stream(other): x.add_(1)
        torch.cuda.synchronize()
else:
    if kind == "lstm":
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cells = torch.nn.ModuleList(torch.nn.LSTMCell(128, 128) for _ in range(2))
            def forward(self, x):
                states = [None] * len(self.cells)
                for token in x:
                    for i, cell in enumerate(self.cells):
                        states[i] = cell(token, states[i])
                        token = states[i][0]
                return token
        model, batch = Net(), torch.randn(32, 16, 128, device="cuda")
    elif kind == "gpt":
        layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0, batch_first=True)
        model, batch = torch.nn.TransformerEncoder(layer, 6, enable_nested_tensor=False), torch.randn(8, 128, 256, device="cuda")
    elif kind == "average":
        layer = lambda: torch.nn.Sequential(torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.BatchNorm2d(32), torch.nn.ReLU())
        model, batch = torch.nn.Sequential(*[layer() for _ in range(24)]), torch.randn(8, 32, 28, 28, device="cuda")
    else:
        model = torch.nn.Sequential(*[torch.nn.Conv2d(64, 64, 3, padding=1) for _ in range(8)])
        batch = torch.randn(32, 64, 112, 112, device="cuda")
    model = model.cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    averages = [parameter.detach().clone() for parameter in model.parameters()] if kind == "average" else []
    def work():
        loss = model(batch).square().mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
        with torch.no_grad():
            for average, parameter in zip(averages, model.parameters()):
                average.mul_(0.999).add_(parameter, alpha=0.001)
        loss.item()
folder = os.environ.get("PACE_FOLDER")
times = []
for step in range(360):
    if folder and step == 60:
        open(f"{folder}/ready", "w").close()
        while not os.path.exists(f"{folder}/go"): time.sleep(0.01)
    begin = time.perf_counter()
    torch.cuda.nvtx.range_push("step")
    work()
    torch.cuda.nvtx.range_pop()
    times.append((time.perf_counter() - begin) * 1e3)
print("times", json.dumps(times))
'''
PACE_PROGRAMS = ("launches", "lstm", "gpt", "conv", "average")
FIRST, CAPTURED = 201, 60  # iterations of a capture, counted from 1


def ctl(lapscope, folder, *words):
    done = subprocess.run([lapscope, "ctl", folder, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def job(lapscope, work):
    script = work / "job.py"
    script.write_text(JOB)
    os.environ["JOB_FOLDER"] = str(work)
    ready = [work / f"ready{rank}" for rank in range(4)]
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=4", "--master_port=29511", str(script)]
    bare = subprocess.run(torchrun, capture_output=True, text=True, check=False)
    said = sorted(re.findall(r"rank \d: [-\d.]+", bare.stdout))
    for path in ready:
        path.unlink()
    out = str(work / "job") + "/"
    armed = subprocess.Popen([lapscope, "record", "--armed", "--no-calibrate", "-o", out, "--", *torchrun],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = wait_for(lambda: all(path.exists() for path in ready), 90)
    steps = []
    begin = time.monotonic()
    steps.append(ctl(lapscope, out, "start"))
    print(f"start took {(time.monotonic() - begin) * 1e3:.0f} ms for four processes")
    time.sleep(1)
    begin = time.monotonic()
    steps.append(ctl(lapscope, out, "stop"))
    print(f"stop took {(time.monotonic() - begin) * 1e3:.0f} ms for four processes")
    steps.append(ctl(lapscope, out, "start", "--from", "200", "--iterations", "20", "--range", "step", "--all-machines"))
    stdout, stderr = armed.communicate(timeout=200)
    traces = sorted(pathlib.Path(out).glob("*.sqlite"))
    counts = []
    ended = []
    for trace in pathlib.Path(out).glob("*.2.sqlite"):
        database = sqlite3.connect(trace)
        ended.append(database.execute("SELECT endedBy FROM LAPSCOPE_STRETCHES").fetchone()[0])
        whole = database.execute("SELECT count(*) FROM NVTX_EVENTS n JOIN StringIds ON id = textId, LAPSCOPE_STRETCHES s WHERE value = 'step' AND n.start >= s.start "
                                 "AND n.end <= s.end").fetchone()[0]
        print(f"{trace.name}: {whole} whole iterations")
        ended.append("20" if whole == 20 else f"{whole} ITERATIONS")
        database.close()
    for trace in pathlib.Path(out).glob("*.1.sqlite"):
        with sqlite3.connect(trace) as database:
            unrecorded = database.execute("SELECT count(*) FROM LAPSCOPE_UNRECORDED_ITERATIONS WHERE range = 'step'").fetchone()[0]
        print(f"{trace.name}: {unrecorded} iterations before the first capture")
        ended.append("20" if unrecorded >= 16 else f"{unrecorded} UNRECORDED")
    for trace in traces:
        done = subprocess.run([lapscope, "analyze", "--format", "json", str(trace)], capture_output=True, text=True, check=False)
        holds_work = "no GPU work" not in done.stderr and '"call"' in done.stdout
        counts.append((trace.name, "status", done.returncode, "with GPU work" if holds_work else "WITHOUT GPU work", trace.stat().st_size, "bytes"))
    print(f"bare: status {bare.returncode}, armed: status {armed.returncode}; {len(traces)} traces")
    print(stderr.strip().splitlines()[-1] if stderr.strip() else "nothing on standard error")
    for count in counts:
        print("trace:", *count)
    for status, text in steps:
        print("ctl:", status, text.strip().splitlines()[0] if text.strip() else "")
    fine = (begun and bare.returncode == armed.returncode == 0 and said == sorted(re.findall(r"rank \d: [-\d.]+", stdout))
            and len(said) == 4 and len(traces) == 8 and sorted(ended) == ["20"] * 8 + ["iterations"] * 4 and all("with GPU work" in count for count in counts) and all(status == 0 for status, _ in steps))
    print("job:", "as without lapscope" if fine else "NOT as it should be", said)
    return fine


def blocks(text):
    return [(float(ms), int(kb)) for ms, kb in re.findall(r"block \d+ ([\d.]+) ms (\d+) kB", text)]


def long(lapscope, work, rounds):
    script = work / "long.py"
    script.write_text(LONG)

    def command(iterations):
        return [sys.executable, str(script), str(iterations // 100)]

    def armed_command(out, iterations):
        return [lapscope, "record", "--armed", "--no-calibrate", "-o", out, "--", *command(iterations)]

    runs = {"bare": [], "armed, never captured": []}
    for turn in range(2 * rounds):
        kind = list(runs)[(turn + turn // 2) % 2]
        words = command(3000) if kind == "bare" else armed_command(str(work / f"never{turn}") + "/", 3000)
        runs[kind].append(blocks(subprocess.run(words, capture_output=True, text=True, check=False).stdout))
    out = str(work / "long") + "/"
    running = subprocess.Popen(armed_command(out, 10_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    fine = wait_for(lambda: ctl(lapscope, out, "status")[0] == 0, 60)
    time.sleep(2.5)
    for _ in range(10):
        fine &= ctl(lapscope, out, "start", "--for", "300ms")[0] == 0
        time.sleep(0.9)
    stdout, stderr = running.communicate(timeout=300)
    captured = blocks(stdout)
    traces = sorted(pathlib.Path(out).glob("*.sqlite"))
    fine &= len(traces) == 10 and len(captured) == 100
    for trace in traces:
        database = sqlite3.connect(trace)
        losses = database.execute("SELECT code, count FROM LAPSCOPE_LOSSES WHERE count > 0").fetchall()
        kernels = database.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
        # A range that was open when the capture began has a negative id, from lapscope.
        open_ranges = database.execute("SELECT count(*) FROM NVTX_EVENTS WHERE rangeId < 0").fetchone()[0]
        whole = subprocess.run([lapscope, "gate", str(trace), "--range", "iteration", "--max-idle", "100%"],
                               capture_output=True, text=True, check=False).returncode == 0
        fine &= whole and not losses and open_ranges >= 1
        database.close()
        print(f"{trace.name}: {trace.stat().st_size // 1024} kB, {kernels} kernels, {open_ranges} ranges that were open, {'gate passed' if whole else 'NO VERDICT'}, losses {losses}")
    print(stderr.strip().splitlines()[-1].split(":")[1])
    for what, run in (("bare", runs["bare"][0]), ("armed, ten captures", captured)):
        print(what, "- ms an iteration by 100:", *[f"{ms:.2f}" for ms, _ in run])
        print(what, "- kB by 100:", *[kb for _, kb in run])
    for what, those in (*runs.items(), ("armed, ten captures", [captured])):
        medians = [statistics.median(ms for ms, _ in run) for run in those if run]
        print(f"{what}: {statistics.median(medians):.4f} ms an iteration ({min(medians):.4f} to {max(medians):.4f}; {len(medians)} runs)")
    return fine


HELD = '''
import os, time, torch
folder = os.environ["PACE_FOLDER"]
x = torch.zeros(1024, device="cuda")
def wait(name):
    while not os.path.exists(f"{folder}/{name}"): time.sleep(0.01)
for step in range(3):
    for _ in range(100): x.add_(1)
    torch.cuda.synchronize()
    open(f"{folder}/ready{step}", "w").close()
    wait(f"go{step}")
    for _ in range(100): x.add_(1)
    torch.cuda.synchronize()
    if step == 0: torch.cuda._sleep(8_000_000_000)  # over 4 s at 1.98 GHz
    open(f"{folder}/launched{step}", "w").close()
    wait(f"end{step}")
    torch.cuda.synchronize()
print("sum", x.sum().item(), flush=True)
'''


def held(lapscope, work):
    """A kernel of 4 s runs while a capture ends. All other records of this and of later captures must be in the
    traces."""
    script = work / "held.py"
    script.write_text(HELD)
    out = str(work / "held") + "/"
    running = subprocess.Popen([lapscope, "record", "--armed", "--no-calibrate", "-o", out, "--", sys.executable, str(script)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PACE_FOLDER": str(work)})
    fine = True
    for step in range(3):
        fine &= wait_for((work / f"ready{step}").exists, 60)
        fine &= ctl(lapscope, out, "start")[0] == 0
        (work / f"go{step}").touch()
        fine &= wait_for((work / f"launched{step}").exists, 60)
        begin = time.monotonic()
        fine &= ctl(lapscope, out, "stop")[0] == 0
        print(f"stop {step + 1} took {time.monotonic() - begin:.2f} s")
        (work / f"end{step}").touch()
    stdout, stderr = running.communicate(timeout=100)
    for trace in sorted(pathlib.Path(out).glob("*.sqlite")):
        database = sqlite3.connect(trace)
        kernels = database.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName WHERE value NOT LIKE '%spin%'").fetchone()[0]
        long_ones = database.execute("SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName WHERE value LIKE '%spin%'").fetchall()
        print(f"{trace.name}: {kernels} short kernels, the long one {long_ones}")
        fine &= kernels == 100
        database.close()
    fine &= running.returncode == 0 and "sum 614400.0" in stdout
    print("held:", "as it should be" if fine else f"NOT as it should be: {running.returncode} {stdout} {stderr}")
    return fine


def own_times(text):
    found = re.search(r"^times (.*)$", text, re.M)
    return json.loads(found.group(1)) if found else []


def pace(lapscope, work, rounds, programs):
    script = work / "pace.py"
    script.write_text(PACE)
    times = {(kind, what): [] for kind in programs for what in ("bare", "before", "in", "after")}
    said = {kind: [] for kind in programs}
    fine = True
    for turn in range(rounds):
        for kind in programs:
            command = [sys.executable, str(script), kind]
            bare = own_times(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
            folder = work / f"pace-{kind}-{turn}"
            folder.mkdir()
            out = str(folder / "out") + "/"
            running = subprocess.Popen([lapscope, "record", "--armed", "--no-calibrate", "-o", out, "--", *command],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PACE_FOLDER": str(folder)})
            fine &= wait_for((folder / "ready").exists, 60)
            fine &= ctl(lapscope, out, "start", "--from", str(FIRST), "--iterations", str(CAPTURED))[0] == 0
            (folder / "go").touch()
            stdout, stderr = running.communicate(timeout=200)
            armed = own_times(stdout)
            traces = list(pathlib.Path(out).glob("*.sqlite"))
            fine &= len(bare) == len(armed) == 360 and len(traces) == 1
            if not fine:
                print(f"{kind}: NOT captured: {len(bare)} and {len(armed)} iterations, {traces}\n{stderr}")
                return False
            for what, those in (("bare", bare[130:]), ("before", armed[130:FIRST - 2]), ("in", armed[FIRST - 1:FIRST - 1 + CAPTURED]),
                                ("after", armed[FIRST + CAPTURED + 5:])):
                times[kind, what].append(statistics.median(those))
            report = subprocess.run([lapscope, "analyze", "--format", "json", str(traces[0])], capture_output=True, text=True, check=False).stdout
            report = json.loads(report)
            rows = [row["message"] for row in report["trace"]["health"] if row["code"] == "recorded-iterations"]
            said[kind].append(rows[0] if rows else "NOTHING SAID")
            percent = re.search(r"makes them (\d+) % longer", said[kind][-1])
            own = 100 * (times[kind, "in"][-1] / times[kind, "before"][-1] - 1)
            fine &= not percent or abs(int(percent.group(1)) - own) <= 10
            print(f"{kind}, round {turn + 1}:", *(f"{what} {times[kind, what][-1]:.3f}" for what in ("bare", "before", "in", "after")), "ms;", said[kind][-1], flush=True)
            for device in report["devices"]:
                correction = device["correction"] or {}
                factor, error = correction.get("cost_factor"), correction.get("iterations_error")
                print(f"  costs x {factor}, corrected iterations off by {error}; verdict {device['verdict']}", flush=True)
            fine &= bool(rows)
    for kind in programs:
        for what in ("bare", "before", "in", "after"):
            values = times[kind, what]
            print(f"{kind} {what}: {statistics.median(values):.3f} ms an iteration ({min(values):.3f} to {max(values):.3f})")
        for what in ("before", "after"):
            by_round = [100 * (one / other - 1) for one, other in zip(times[kind, "in"], times[kind, what])]
            print(f"{kind}: in the capture {statistics.median(by_round):+.1f} % against {what} it ({min(by_round):+.1f} to {max(by_round):+.1f})")
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lapscope")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=["job", "held", "long", "pace"])
    parser.add_argument("--programs", default=",".join(PACE_PROGRAMS), help="of pace")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what is recorded")
    options = parser.parse_args()
    lapscope = os.path.abspath(options.lapscope)
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        work = options.keep or pathlib.Path(folder)
        work.mkdir(exist_ok=True)
        if options.only in (None, "job"):
            fine = job(lapscope, work)
        if options.only in (None, "held"):
            fine = held(lapscope, work) and fine
        if options.only in (None, "long"):
            fine = long(lapscope, work, options.rounds) and fine
        if options.only in (None, "pace"):
            fine = pace(lapscope, work, options.rounds, options.programs.split(",")) and fine
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
