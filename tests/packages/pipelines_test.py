#!/usr/bin/env python3
"""Runs scripts/ci_gate.sh on recorded traces as pipelines would, and compares the pipelines with its settings.

    tests/packages/pipelines_test.py LAPSCOPE
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACES = ROOT / "tests/traces"
SCRIPT = ROOT / "scripts/ci_gate.sh"
GOOD, BAD = "stream_pipeline-overlapped.sqlite", "stream_pipeline-default-stream.sqlite"
LAPSCOPE = pathlib.Path(sys.argv.pop()).resolve()

# The fake recorder runs the program, and then copies $PLAYED as a new run.
RECORDER = f"""#!/usr/bin/env python3
import os, pathlib, shutil, sqlite3, subprocess, sys
words = sys.argv[1:]
if words[0] != "record":
    os.execv("{LAPSCOPE}", ["lapscope", *words])
status = subprocess.run(words[words.index("--") + 1:]).returncode
if status: sys.exit(status)
if "PLAYED" not in os.environ: sys.exit(3)
trace = words[words.index("-o") + 1]
shutil.copyfile(os.environ["PLAYED"], trace)
own = os.getpid()
database = sqlite3.connect(trace)
database.execute("UPDATE LAPSCOPE_CAPTURE SET value = ? WHERE name = 'session'", (f"{{own:016x}}",))
database.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + ?", (own,))
database.execute("UPDATE LAPSCOPE_CLOCKS SET realtime = realtime + ?", (own,))
database.commit()
pathlib.Path("recorded").open("a").write(" ".join(words) + "\\n")
"""
# The fake gh lists the comments in the file `comments`, and logs its other calls.
GH = """#!/usr/bin/env bash
echo "$*" >>"$GH_LOG"
case "$*" in *--jq*) cat "$GH_COMMENTS" ;; *) exit "${GH_STATUS:-0}" ;; esac
"""


class Pipeline(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        programs = self.folder / "programs"
        programs.mkdir()
        for name, text in ("lapscope", RECORDER), ("gh", GH):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        for name in GOOD, BAD:
            (self.folder / name).symlink_to(TRACES / name)
        (self.folder / "comments").write_text("")
        self.out = self.folder / "lapscope-gate"
        self.plain = {"PATH": f"{programs}:/usr/bin:/bin", "XDG_CONFIG_HOME": "/none", "HOME": "/none", "LC_ALL": "C.UTF-8",
                      "GH_LOG": str(self.folder / "gh.log"), "GH_COMMENTS": str(self.folder / "comments")}

    def run_it(self, status, environment=None, **settings):
        """Runs the script with LAPSCOPE_CI_ settings. Returns its output."""
        variables = dict(self.plain, **environment or {})
        variables.update({"LAPSCOPE_CI_" + name.upper(): value for name, value in settings.items()})
        done = subprocess.run([SCRIPT], cwd=self.folder, env=variables, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def read(self, name):
        return (self.out / name).read_text()

    def test_good_run(self):
        self.run_it(0, traces=GOOD, conditions="--min-overlap 0.5 --range 'pipe*'")
        self.assertEqual(json.loads(self.read("gate.json"))["verdict"], "passed")
        self.assertEqual(json.loads(self.read("gl-code-quality-report.json")), [])
        suite = xml.etree.ElementTree.parse(self.out / "gate.xml").getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("1", "0", "0"))
        self.assertIn("<html", self.read("page.html"))
        self.assertTrue(self.read("page.prom").endswith("# EOF\n"))

    def test_bad_run(self):
        said = self.run_it(1, traces=BAD, conditions="--min-overlap 0.5")
        self.assertIn("failed: min overlap_ratio", said)
        comment = self.read("comment.md")
        self.assertTrue(comment.startswith("<!-- lapscope-gate: overlap -->\n"), comment[:100])
        self.assertIn("default-stream-barrier", comment)
        self.assertRegex(comment, r"copy to device +[▁▂▃▄▅▆▇█ ]{20}")
        suite = xml.etree.ElementTree.parse(self.out / "gate.xml").getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "1"))

    def test_what_the_page_shows(self):
        page = (ROOT / "docs/packages.md").read_text()
        shown = re.search(r"^```sh title=\"bad-run\"\n\$ (.*)\n((?:.*\n)*?)```$", page, re.M)
        settings = dict(re.findall(r"LAPSCOPE_CI_(\w+)=('[^']*'|\S+)", shown.group(1)))
        said = self.run_it(1, **{name: value.strip("'") for name, value in settings.items()})
        self.assertEqual(shown.group(2), said)

    def test_recorded_runs(self):
        self.run_it(0, {"PLAYED": str(TRACES / GOOD)}, command="echo ran >>ran", runs="2", record="--stacks off",
                    conditions="--min-overlap 0.5")
        self.assertEqual((self.folder / "ran").read_text(), "ran\n" * 2)
        self.assertEqual((self.folder / "recorded").read_text().count("--stacks off -o lapscope-gate/run"), 2)
        self.assertEqual(len(json.loads(self.read("gate.json"))["gates"][0]["files"]), 2)

    def test_nothing_recorded(self):
        self.assertIn("lapscope doctor", self.run_it(3, command="true", conditions="--min-overlap 0.5"))
        self.assertIn("status 7", self.run_it(7, command="exit 7", conditions="--min-overlap 0.5"))

    def test_inconclusive_run(self):
        settings = {"traces": GOOD, "conditions": "--min-overlap 0.5 --range none"}
        self.run_it(3, **settings)
        self.run_it(0, inconclusive="warn", **settings)
        self.run_it(1, inconclusive="warn", traces=BAD, conditions="--min-overlap 0.5")

    def test_gate_file_and_baseline(self):
        (self.folder / "gates.toml").write_text('[gate.one]\nrange = "pipeline"\nmin = { overlap_ratio = 0.5 }\n')
        self.run_it(0, traces=GOOD, gates="gates.toml")
        self.run_it(1, traces=BAD, gates="gates.toml")
        said = self.run_it(1, traces=BAD, baseline=GOOD)
        self.assertIn("baseline overlap_ratio", said)

    def test_only_the_command_is_run(self):
        danger = "$(touch harm) `touch harm` ; touch harm"
        self.run_it(2, traces=GOOD, conditions=danger)
        self.run_it(2, traces=danger, conditions="--min-overlap 0.5")
        self.run_it(3, traces=GOOD, conditions=f"--min-overlap 0.5 --range '{danger}'")
        self.run_it(2, traces=GOOD, conditions="--min-overlap 0.5", name=danger)
        self.assertFalse((self.folder / "harm").exists())

    def test_only_results_are_replaced(self):
        settings = {"traces": GOOD, "conditions": "--min-overlap 0.5"}
        self.assertIn("'.' has other files", self.run_it(2, out=".", **settings))
        self.run_it(0, **settings)
        (self.out / "page.html").unlink()
        shutil.copyfile(TRACES / GOOD, self.out / "mine.sqlite")
        self.assertIn("is made anew", self.run_it(2, traces="lapscope-gate/*.sqlite", conditions="--min-overlap 0.5"))
        self.assertTrue((self.out / "mine.sqlite").exists())
        self.run_it(0, **settings)
        self.assertTrue((self.out / "page.html").exists())

    def test_what_the_gate_reads_is_not_replaced(self):
        settings = {"traces": GOOD, "conditions": "--min-overlap 0.5"}
        self.run_it(0, **settings)
        base = self.out / "base.sqlite"
        shutil.copyfile(TRACES / BAD, base)
        self.assertIn("is made anew", self.run_it(2, baseline="lapscope-gate/base.sqlite", **settings))
        gates = self.out / "gates.toml"
        gates.write_text("[gate.one]\nmin = { overlap_ratio = 0.5 }\n")
        self.assertIn("is made anew", self.run_it(2, traces=GOOD, gates="lapscope-gate/gates.toml"))
        self.assertTrue(base.exists() and gates.exists())

    def test_a_name_with_brackets_is_that_file(self):
        (self.folder / "run[1].sqlite").symlink_to(TRACES / GOOD)
        (self.folder / "run1.sqlite").symlink_to(TRACES / BAD)
        self.run_it(0, traces="run[1].sqlite", conditions="--min-overlap 0.5")
        (self.folder / "run[1].sqlite").unlink()
        self.run_it(1, traces="run[1].sqlite", conditions="--min-overlap 0.5")

    def test_names_with_spaces(self):
        (self.folder / "two words").mkdir()
        (self.folder / "two words/a trace.sqlite").symlink_to(TRACES / GOOD)
        self.run_it(0, traces="'two words/*.sqlite'", conditions="--min-overlap 0.5", out="the results")
        self.assertIn("two words/a trace.sqlite", (self.folder / "the results/gate.txt").read_text())

    def test_mistakes(self):
        for settings, sentence in [
                ({}, "name a command to record"),
                ({"traces": GOOD, "command": "true"}, "not both"),
                ({"traces": "none*.sqlite"}, "there is no trace 'none*.sqlite'"),
                ({"traces": "none.sqlite"}, "there is no trace 'none.sqlite'"),
                ({"traces": "'" + GOOD}, "a quote is not closed"),
                ({"traces": GOOD, "inconclusive": "pass"}, "is fail or warn"),
                ({"command": "true", "runs": "0"}, "from 1 to 99"),
                ({"traces": GOOD, "condition": "--min-overlap 0.5"}, "LAPSCOPE_CI_CONDITION is no setting"),
                ({"traces": GOOD}, "no condition is given")]:
            with self.subTest(sentence):
                self.assertIn(sentence, self.run_it(2, **settings))
        self.plain["PATH"] = "/usr/bin:/bin"
        self.assertIn("lapscope is not on PATH", self.run_it(2, traces=GOOD))

    def test_comment(self):
        github = {"GITHUB_REF": "refs/pull/12/merge", "GITHUB_REPOSITORY": "owner/name"}
        settings = {"traces": GOOD, "conditions": "--min-overlap 0.5", "comment": "yes"}
        calls = self.folder / "gh.log"
        self.run_it(0, github, **settings)
        first = calls.read_text().splitlines()
        self.assertIn("repos/owner/name/issues/12/comments --jq", first[0])
        self.assertIn('startswith("<!-- lapscope-gate: overlap -->")', first[0])
        self.assertEqual(first[1:], ["api --silent -X POST repos/owner/name/issues/12/comments -F body=@lapscope-gate/comment.md"])
        calls.unlink()
        (self.folder / "comments").write_text("345\n")
        self.run_it(0, github, **settings)
        self.assertEqual(calls.read_text().splitlines()[1:],
                         ["api --silent -X PATCH repos/owner/name/issues/comments/345 -F body=@lapscope-gate/comment.md"])
        self.assertIn("pull-requests: write", self.run_it(0, {**github, "GH_STATUS": "1"}, **settings))
        self.assertIn("no run of a pull request", self.run_it(0, {**github, "GITHUB_REF": "refs/heads/main"}, **settings))

    def write_wheel(self, path, says):
        path.parent.mkdir()
        info, command = "lapscope-0.1.0.dist-info", "lapscope-0.1.0.data/scripts/lapscope"
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\nName: lapscope\nVersion: 0.1.0\n")
            wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            script = zipfile.ZipInfo(command)
            script.external_attr = 0o100755 << 16
            wheel.writestr(script, f"#!/bin/bash\necho {says} >>used\nexec '{LAPSCOPE}' \"$@\"\n")
            wheel.writestr(info + "/RECORD", f"{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n{command},,\n")

    def test_the_package_that_is_named_is_used(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import ensurepip"], stderr=subprocess.DEVNULL).returncode:
            print("lapscope-skip: installing a wheel in a pipeline: python3-venv is not installed")
            self.skipTest("no venv")
        temporary = self.folder / "temporary"
        temporary.mkdir()
        for build in "old", "new":  # two wheels of the same version
            wheel = self.folder / build / "lapscope-0.1.0-py3-none-any.whl"
            self.write_wheel(wheel, build)
            self.run_it(0, {"TMPDIR": str(temporary)}, traces=GOOD, conditions="--min-overlap 0.5", package=str(wheel))
            self.assertEqual(set((self.folder / "used").read_text().split()), {build})
            (self.folder / "used").unlink()
        self.assertEqual(list(temporary.iterdir()), [])
        path = self.folder / "github_path"
        self.run_it(0, {"TMPDIR": str(temporary), "GITHUB_PATH": str(path)}, traces=GOOD, conditions="--min-overlap 0.5", package=str(wheel))
        self.assertTrue((pathlib.Path(path.read_text().strip()) / "lapscope").exists())  # for later steps

    def test_github(self):
        files = {name: str(self.folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        said = self.run_it(1, {"GITHUB_ACTIONS": "true", **files}, traces=BAD, conditions="--min-overlap 0.5")
        self.assertRegex(said, r"(?m)^::error file=[^ ]+,line=1")
        summary = (self.folder / "GITHUB_STEP_SUMMARY").read_text()
        self.assertIn("lapscope gate: failed", summary)
        self.assertIn("copy to device", summary)
        self.assertEqual((self.folder / "GITHUB_OUTPUT").read_text(), "verdict=failed\nfolder=lapscope-gate\n")

    def test_long_comment(self):
        gates = "".join(f'[gate."{number}{"é" * 1000}"]\ntraces = ["{TRACES / BAD}"]\nmin = {{ overlap_ratio = 1.0 }}\n'
                        for number in range(60))
        (self.folder / "gates.toml").write_text(gates)
        for locale, name in ("C.UTF-8", "n"), ("C", "n"), ("C", "nn"):  # one of these names moves the cut into a character
            self.run_it(1, {"LC_ALL": locale}, gates="gates.toml", name=name)
            self.assertGreater(len(self.read("gate.md")), 65536)
            self.assertLess(len(self.read("comment.md")), 65536)
        self.assertIn("The rest is in the results of the job.", self.read("comment.md"))


class Files(unittest.TestCase):
    """The pipelines pass on all settings of the script."""

    @classmethod
    def setUpClass(cls):
        try:
            import yaml
        except ImportError:
            print("lapscope-skip: YAML of pipelines: python3-yaml is not installed")
            raise unittest.SkipTest("no yaml") from None
        cls.yaml = yaml
        text = SCRIPT.read_text()
        known = re.search(r"LAPSCOPE_CI_\} in\n\s+(.*?)\) ;;", text).group(1)
        cls.settings = set(known.split(" | "))

    def test_script(self):
        documented = re.findall(r"^#   LAPSCOPE_CI_([A-Z]+)  ", SCRIPT.read_text(), re.M)
        self.assertEqual(set(documented), self.settings)

    def test_action(self):
        action = self.yaml.safe_load((ROOT / "action.yml").read_text())
        gate, artifact = action["runs"]["steps"]
        self.assertEqual({"LAPSCOPE_CI_" + name for name in self.settings} | {"GH_TOKEN"}, set(gate["env"]))
        for name, value in gate["env"].items():
            self.assertEqual(value, "${{ inputs.%s }}" % name.replace("LAPSCOPE_CI_", "").replace("GH_", "").lower())
        self.assertEqual({name.replace("LAPSCOPE_CI_", "").replace("GH_", "").lower() for name in gate["env"]}, set(action["inputs"]))
        for given in action["inputs"].values():
            self.assertIsInstance(given["default"], str)
            self.assertTrue(given["description"])
        self.assertNotIn("${{", gate["run"])
        self.assertEqual(gate["run"].strip('"'), "$GITHUB_ACTION_PATH/scripts/ci_gate.sh")
        self.assertEqual(artifact["with"]["path"], "${{ inputs.out }}")

    def test_gitlab(self):
        header, jobs = self.yaml.safe_load_all((ROOT / "templates/lapscope-gate.yml").read_text())
        inputs = header["spec"]["inputs"]
        (job,) = jobs.values()
        for name, variable in job["variables"].items():
            self.assertIn(name.replace("LAPSCOPE_CI_", ""), self.settings)
            self.assertEqual(variable, {"expand": False, "value": "$[[ inputs.%s ]]" % name.replace("LAPSCOPE_CI_", "").lower()})
        used = set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", json.dumps(jobs)))
        self.assertEqual(used, set(inputs))
        self.assertIn("share/lapscope/ci_gate.sh", job["script"][0])
        self.assertEqual(job["artifacts"]["paths"], ["lapscope-gate"])

    def test_recipes(self):
        page = (ROOT / "docs/ci.md").read_text()
        recipes = dict(re.findall(r"^```\w+ title=\"(\S+)\"\n(.*?)^```$", page, re.M | re.S))
        steps = self.yaml.safe_load(recipes[".github/workflows/overlap.yml"])["jobs"]["overlap"]["steps"]
        (given,) = [step["with"] for step in steps if "/lapscope@" in step.get("uses", "")]
        self.assertLessEqual(set(given), set(self.yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]))
        (included,) = self.yaml.safe_load(recipes[".gitlab-ci.yml"])["include"]
        self.assertRegex(included["component"], r"/lapscope-gate@\d")
        header, _ = self.yaml.safe_load_all((ROOT / "templates/lapscope-gate.yml").read_text())
        inputs = header["spec"]["inputs"]
        self.assertLessEqual(set(included["inputs"]), set(inputs))
        self.assertLessEqual({name for name, facts in inputs.items() if "default" not in facts}, set(included["inputs"]))
        self.assertLessEqual(set(re.findall(r"LAPSCOPE_CI_(\w+)", recipes["Jenkinsfile"])), self.settings)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
