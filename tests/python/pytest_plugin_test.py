#!/usr/bin/env python3
"""Tests of the plugin for pytest. Recordings are played back, and everything else is real.

    tests/python/pytest_plugin_test.py LAPSCOPE        with pytest and pytest-xdist
"""
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
COMMAND = os.path.realpath(sys.argv.pop(1))

# The fake `lapscope record` runs the program, and writes the trace whose name is in $PLAY. It makes each a new
# recording. Otherwise a trace and a baseline from it would be one run.
RECORDER = f"""#!{sys.executable}
import os, shutil, sqlite3, subprocess, sys, tempfile, time
words = sys.argv[1:]
if words[0] == "doctor" and "DOCTOR" in os.environ:
    sys.exit(print(os.environ["DOCTOR"]) or 1)
if words[0] == "doctor":
    sys.exit(0)
if words[0] != "record":
    os.execv({COMMAND!r}, [{COMMAND!r}, *words])
output, program = words[words.index("-o") + 1], words[words.index("--") + 1:]
with tempfile.NamedTemporaryFile("r") as play:
    status = subprocess.run(program, env={{**os.environ, "PLAY": play.name}}).returncode
    names = play.read().split()
for number, name in enumerate(names):
    path = output if number == 0 else output.replace(".sqlite", f".{{number}}.sqlite")
    shutil.copy(os.path.join({ROOT!r}, "tests/traces", name), path)
    os.chmod(path, 0o600)
    trace, own = sqlite3.connect(path), time.time_ns() % 10**12
    trace.execute("UPDATE LAPSCOPE_CAPTURE SET value = ? WHERE name = 'session'", (f"{{own:016x}}",))
    trace.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + ?", (own,))
    trace.execute("UPDATE LAPSCOPE_CLOCKS SET realtime = realtime + ?", (own,))
    trace.commit()
print("lapscope: recorded", len(names), file=sys.stderr)
sys.exit(status if status >= 0 else 128 - status)
"""
BEGIN = """
import os, pytest

def play(*names):
    with open(os.environ["PLAY"], "w") as file:
        file.write(" ".join(names))

def is_recorded():
    return "PLAY" in os.environ
"""


class Session(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.command = os.path.join(self.folder, "lapscope")
        with open(self.command, "w") as file:
            file.write(RECORDER)
        os.chmod(self.command, stat.S_IRWXU)
        os.mkdir(os.path.join(self.folder, "project"))

    def write(self, text, name="test_it.py"):
        with open(os.path.join(self.folder, "project", name), "w") as file:
            file.write(BEGIN + text if name.endswith("y") else text)

    def run_pytest(self, *words, plugin=("-p", "lapscope.pytest_plugin"), **environment):
        """Returns outcomes by test. `said` is the whole output."""
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GITHUB"))}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *plugin, "-rA", "-v", f"--basetemp={self.folder}/tmp", *words],
            cwd=os.path.join(self.folder, "project"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**variables, "LAPSCOPE_COMMAND": self.command, "PYTHONPATH": os.path.join(ROOT, "python"), "XDG_CONFIG_HOME": "/none", "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                 **environment})
        self.said = done.stdout
        return {test: outcome for outcome, test in re.findall(r"^([A-Z]+) test_\w+\.py::(\S+)", done.stdout, re.M)}

    def table(self):
        """Returns the rows of the terminal's section by test: ratio, verdict and remark."""
        section = re.search(r"^=+ overlap =+\n.*verdict\n((?:test_.*\n)*)", self.said, re.M)
        rows = re.findall(r"^test_\w+\.py::(.*?) +(-|-?[\d.]+)  (.*)$", section.group(1), re.M) if section else []
        return {test: (ratio, rest) for test, ratio, rest in rows}


class Evaluated(Session):
    def test_a_test_fails_with_the_finding_and_its_line(self):
        self.write("""
@pytest.mark.overlap(min=0.2)
def test_good(): play("pipeline-fixed.sqlite")
@pytest.mark.overlap(min=0.2, max_idle=0.5, forbid=["default-stream-barrier", "stream-order"])
def test_bad(): play("pipeline-broken.sqlite")
@pytest.mark.overlap(forbid="pageable-copy")
def test_line(): play("frameworks/pageable_batches.sqlite")
@pytest.mark.overlap(max=["idle_ratio=95%"], range="tile *")
def test_range(): play("pipeline-fixed.sqlite")
def test_plain(): assert not is_recorded()
""")
        self.assertEqual(self.run_pytest(), {"test_good": "PASSED", "test_bad": "FAILED", "test_line": "FAILED", "test_range": "PASSED",
                                             "test_plain": "PASSED"}, self.said)
        self.assertIn("FAILED test_it.py::test_bad - Failed: overlap failed: min overlap_ratio of device 0", self.said)
        self.assertIn("-0.042 is 0.242 below the bound of 0.200.", self.said)
        self.assertIn("  pageable-copy (63.1%) at tests/gpu/programs/pairs/pageable_batches.py:16 in loop: ", self.said)
        self.assertIn("    Fix: ", self.said)
        kept = re.findall(r"trace: (\S+)", self.said)
        self.assertTrue(kept and all(map(os.path.exists, kept)), kept)
        rows = self.table()
        self.assertEqual({test: (ratio, rest.split(":")[0]) for test, (ratio, rest) in rows.items()},
                         {"test_good": (rows["test_good"][0], "passed"), "test_bad": ("-0.042", "failed"), "test_line": (rows["test_line"][0], "failed"),
                          "test_range": (rows["test_range"][0], "passed")})
        self.assertGreater(float(rows["test_good"][0]), 0.2)

    def test_what_cannot_be_evaluated_is_not_passed(self):
        self.write("""
@pytest.mark.overlap(min=0.2)
def test_no_gpu(): pass
@pytest.mark.overlap(min=0.2, range="none")
def test_no_range(): play("pipeline-fixed.sqlite")
@pytest.mark.overlap(minimum=0.2, max_idle=0.5)
def test_no_option(): play("pipeline-fixed.sqlite")
@pytest.mark.overlap(0.2)
def test_no_name(): play("pipeline-fixed.sqlite")
@pytest.mark.overlap
def test_no_condition(): play("pipeline-fixed.sqlite")
@pytest.mark.overlap(min=0.2)
def test_two_processes(): play("pipeline-fixed.sqlite", "pipeline-broken.sqlite")
""")
        outcomes = self.run_pytest()
        self.assertEqual([outcomes[test] for test in ("test_no_gpu", "test_no_range", "test_no_option", "test_no_name")],
                         ["FAILED", "FAILED", "FAILED", "ERROR"], self.said)
        self.assertEqual((outcomes["test_no_condition"], outcomes["test_two_processes"]), ("PASSED", "PASSED"))
        rows = self.table()
        self.assertEqual(rows["test_no_gpu"], ("-", "inconclusive: the test used no GPU: no trace was written."))
        self.assertTrue(rows["test_no_range"][1].startswith("inconclusive: "), rows)
        self.assertTrue(rows["test_no_option"][1].startswith("not evaluated: '--minimum' is no option of gate"), rows)
        self.assertEqual(rows["test_no_condition"][1], "recorded")
        self.assertIn("1 other process", rows["test_two_processes"][1])

    def test_every_option_that_selects_no_work_is_of_the_gate(self):
        self.write("""
@pytest.mark.overlap(max_idel=0.001)
def test_misspelt(): play("pipeline-broken.sqlite")
@pytest.mark.overlap(min_ops=3)
def test_no_condition(): play("pipeline-broken.sqlite")
@pytest.mark.overlap(range="tile 0", whole=False)
def test_work_only(): play("pipeline-broken.sqlite")
@pytest.mark.overlap(range="none")
def test_no_range(): play("pipeline-broken.sqlite")
@pytest.mark.overlap(device=0)
def test_device(): play("multi-gpu-fan-out-fixed.sqlite")
@pytest.mark.overlap(device=7, steady=True)
def test_no_device(): play("multi-gpu-fan-out-fixed.sqlite")
""")
        self.assertEqual(self.run_pytest(), {"test_misspelt": "FAILED", "test_no_condition": "FAILED", "test_work_only": "PASSED",
                                             "test_no_range": "PASSED", "test_device": "PASSED", "test_no_device": "PASSED"}, self.said)
        rows = self.table()
        self.assertIn("not evaluated: '--max-idel' is no option of gate; did you mean '--max-idle'?", rows["test_misspelt"][1])
        self.assertIn("not evaluated: no condition is given", rows["test_no_condition"][1])
        self.assertEqual(rows["test_work_only"], ("-0.036", "recorded"))
        self.assertEqual(rows["test_no_range"], ("-", "recorded"))  # not the ratio of the whole process
        self.assertEqual(rows["test_device"], ("0.377", "recorded"))  # not the lowest ratio of both devices
        self.assertEqual(rows["test_no_device"], ("-", "recorded"))

    def test_a_wrong_argument_fails_its_test_alone(self):
        self.write("""
@pytest.mark.overlap(runs="three")
def test_runs(): pass
@pytest.mark.overlap(runs=0)
def test_no_run(): pass
@pytest.mark.overlap(record="--light")
def test_record(): pass
@pytest.mark.overlap(min=0.2)
def test_good(): play("pipeline-fixed.sqlite")
""")
        self.assertEqual(self.run_pytest(), {"test_runs": "ERROR", "test_no_run": "ERROR", "test_record": "ERROR", "test_good": "PASSED"},
                         self.said)
        self.assertIn("overlap: runs is a number from 1, not 'three': @pytest.mark.overlap(runs=3).", self.said)
        self.assertIn("overlap: runs is a number from 1, not 0", self.said)
        self.assertIn("overlap: record is a list of options, not '--light': @pytest.mark.overlap(record=[\"--light\"]).", self.said)

    def test_repeats_are_one_gate(self):
        self.write("""
@pytest.mark.overlap(min=0.2, runs=3)
def test_runs(request):
    with open("count", "a") as file: file.write("x")
    play("pipeline-fixed.sqlite")
""")
        self.assertEqual(self.run_pytest(f"--overlap-traces={self.folder}/kept"), {"test_runs": "PASSED"}, self.said)
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "kept"))), 3)
        with open(os.path.join(self.folder, "project/count")) as file:
            self.assertEqual(file.read(), "xxx")

    def test_summaries_of_each_test_are_compared(self):
        test = """
@pytest.mark.overlap(range="tile 0")
@pytest.mark.parametrize("size", [1, 2])
def test_tile(size): play("pipeline-%s.sqlite")
"""
        self.write(test % "fixed")
        baseline = f"--overlap-baseline={self.folder}/base"
        self.assertEqual(self.run_pytest(baseline), {"test_tile[1]": "PASSED", "test_tile[2]": "PASSED"}, self.said)
        self.assertIn("recorded: not compared", self.table()["test_tile[1]"][1])
        self.run_pytest(baseline, "--overlap-update")
        self.assertIn("is written", self.table()["test_tile[1]"][1])
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "base"))), 2)
        self.run_pytest(baseline)
        self.assertEqual(self.table()["test_tile[2]"][1], "passed", self.said)
        self.write(test % "broken")
        self.assertEqual(self.run_pytest(baseline), {"test_tile[1]": "FAILED", "test_tile[2]": "FAILED"}, self.said)
        self.run_pytest("--overlap-update")
        self.assertIn("name it with --overlap-baseline", self.said)


class Outcomes(Session):
    def test_outcomes_and_output_are_those_of_the_test(self):
        self.write("""
@pytest.fixture
def broken(): raise OSError("no fixture")
@pytest.fixture
def ends_badly():
    yield
    raise OSError("no end")
pytestmark = pytest.mark.overlap(min=0.2)
def test_prints(capsys, tmp_path): print("said inside"); assert 1 == 2
def test_skips(): pytest.skip("not today")
@pytest.mark.skip(reason="never")
def test_skipped(): pass
@pytest.mark.xfail(reason="known", strict=True)
def test_xfails(): assert False
@pytest.mark.xfail(reason="known overlap", strict=True)
def test_xfails_by_overlap(): play("pipeline-broken.sqlite")
@pytest.mark.xfail(reason="known overlap")
def test_xpasses(): play("pipeline-fixed.sqlite")
def test_error(broken): pass
def test_error_at_end(ends_badly): play("pipeline-fixed.sqlite")
def test_crashes(): os.abort()
class TestOfClass:
    def test_method(self): play("pipeline-fixed.sqlite")
""")
        outcomes = self.run_pytest()
        self.assertEqual({test: outcome for test, outcome in outcomes.items() if test != "test_error_at_end"},
                         {"test_prints": "FAILED", "test_xfails": "XFAIL", "test_xfails_by_overlap": "XFAIL", "test_xpasses": "XPASS",
                          "test_error": "ERROR", "test_crashes": "FAILED", "TestOfClass::test_method": "PASSED"}, self.said)
        self.assertIn("2 failed, 2 passed, 2 skipped, 2 xfailed, 1 xpassed, 2 errors", self.said)
        self.assertIn("assert 1 == 2", self.said)
        self.assertIn("not today", self.said)
        self.assertIn("no fixture", self.said)
        self.assertIn("no end", self.said)
        self.assertIn("the recorded process ended by signal 6 before the test did.", self.said)

    def test_fixtures_of_other_tests_end_where_they_should(self):
        self.write("""
@pytest.fixture(scope="module")
def shared():
    yield
    assert not is_recorded()
    with open("ended", "a") as file: file.write(__name__)
def test_uses_it(shared): pass
@pytest.mark.overlap(min=0.2)
def test_last_of_its_file(): play("pipeline-fixed.sqlite")
""")
        self.write("def test_next_file(): assert open('ended').read() == 'test_it'\n", "test_later.py")
        self.assertEqual(set(self.run_pytest().values()), {"PASSED"}, self.said)

    def test_options_of_the_session_are_those_of_the_test(self):
        self.write("""
def pytest_addoption(parser): parser.addoption("--device", default="cpu")
""", "conftest.py")
        self.write("[pytest]\naddopts = -n 2 --junitxml=it.xml\nmarkers =\n  slow\npythonpath = lib\n", "pytest.ini")
        os.mkdir(os.path.join(self.folder, "project/lib"))
        with open(os.path.join(self.folder, "project/lib/helping.py"), "w") as file:
            file.write("value = 7")
        self.write("""
import helping
@pytest.mark.slow
@pytest.mark.overlap(min=0.2)
@pytest.mark.parametrize("name", ["a::b", "c[d]", "e f"])
def test_options(request, name, worker_id):
    assert is_recorded() and helping.value == 7
    assert request.config.getoption("device") == "gpu"
    assert worker_id.startswith("gw")
    play("pipeline-fixed.sqlite")
@pytest.mark.xdist_group("one")
@pytest.mark.overlap(min=0.2)
def test_group(): play("pipeline-broken.sqlite")
""")
        self.run_pytest("-p", "xdist", "--device=gpu", "-m", "slow or overlap", "-k", "test_", "--dist=loadgroup", f"--overlap-traces={self.folder}/kept")
        rows = self.table()
        self.assertEqual({test.replace("@one", ""): rest.split(":")[0] for test, (_, rest) in rows.items()},
                         {"test_group": "failed", "test_options[a::b]": "passed", "test_options[c[d]]": "passed",
                          "test_options[e f]": "passed"}, self.said)
        self.assertIn("1 failed, 3 passed", self.said)
        self.assertTrue({"gw0", "gw1"} & set(os.listdir(os.path.join(self.folder, "kept"))))
        properties = {p.get("name"): p.get("value") for p in xml.etree.ElementTree.parse(
            os.path.join(self.folder, "project/it.xml")).iter("property")}
        self.assertIn("overlap_ratio", properties)

    def test_output_is_shown_where_it_is_not_captured(self):
        self.write("""
@pytest.mark.overlap(min=0.2)
def test_shows(): print("heard at once"); play("pipeline-fixed.sqlite")
""")
        self.assertEqual(self.run_pytest("-s"), {"test_shows": "PASSED"}, self.said)
        self.assertIn("heard at once", self.said)
        self.assertEqual(self.said.count("test session starts"), 1)


    def test_an_installed_plugin_needs_no_option(self):
        installed = os.path.join(self.folder, "installed")
        os.makedirs(installed + "/lapscope-0.dist-info")
        os.symlink(os.path.join(ROOT, "python/lapscope"), installed + "/lapscope")
        with open(installed + "/lapscope-0.dist-info/METADATA", "w") as file:
            file.write("Metadata-Version: 2.1\nName: lapscope\nVersion: 0\n")
        with open(os.path.join(ROOT, "pyproject.toml")) as project:
            points = re.search(r"^\[project.entry-points.pytest11\]\nlapscope = \"(.*)\"$", project.read(), re.M)
        with open(installed + "/lapscope-0.dist-info/entry_points.txt", "w") as file:
            file.write(f"[pytest11]\nlapscope = {points.group(1)}\n")
        self.write("""
@pytest.mark.overlap(min=0.2)
def test_it(): play("pipeline-fixed.sqlite")
""")
        outcomes = self.run_pytest("--strict-markers", plugin=(), PYTHONPATH=installed, PYTEST_DISABLE_PLUGIN_AUTOLOAD="")
        self.assertEqual(outcomes, {"test_it": "PASSED"}, self.said)
        self.assertEqual(self.table()["test_it"][1], "passed")
        self.run_pytest("-p", "no:lapscope", plugin=(), PYTHONPATH=installed, PYTEST_DISABLE_PLUGIN_AUTOLOAD="")
        self.assertEqual(self.table(), {}, self.said)


class WithoutRecording(Session):
    def test_a_machine_that_cannot_record_skips_or_fails(self):
        self.write("""
@pytest.mark.overlap(min=0.2)
def test_it(): assert not is_recorded()
""")
        doctor = "ok   host stacks  there\nBAD  driver       no NVIDIA driver is loaded\n     remedy\n"
        self.run_pytest(DOCTOR=doctor)
        self.assertIn("recording does not work here: no NVIDIA driver is loaded (`lapscope doctor` says more)", self.said)
        self.assertIn("1 skipped", self.said)
        self.run_pytest("--overlap=require", DOCTOR=doctor)
        self.assertIn("1 error", self.said)
        self.assertEqual(self.run_pytest("--overlap=off", DOCTOR=doctor), {"test_it": "PASSED"}, self.said)
        self.run_pytest(LAPSCOPE_COMMAND="/none/lapscope")
        self.assertIn("lapscope cannot be run: ", self.said)
        self.assertIn("1 skipped", self.said)


if __name__ == "__main__":
    unittest.main()
