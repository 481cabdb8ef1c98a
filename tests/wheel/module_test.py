# SPDX-License-Identifier: Apache-2.0
"""The installed package with one version of ONNX Runtime."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import models
import numpy as np
import onnx
import onnxruntime as ort
import onnxruntime_ep_lanewise as lanewise
from onnxruntime_ep_lanewise.__main__ import main

MINOR = int(ort.__version__.split(".")[1])
ROWS = {"x": np.full((2, 8), 3, np.float32), "y": np.zeros((2, 8), np.float32)}


def session(model: onnx.ModelProto, **options: str) -> ort.InferenceSession:
    appended = lanewise.append_to(ort.SessionOptions(), **options)
    appended.log_severity_level = 3
    return ort.InferenceSession(model.SerializeToString(), appended, enable_fallback=0)


def command(*arguments: str) -> tuple[int, str]:
    """Runs the command in this process: the exit code and the output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = main([*arguments])
    return code, output.getvalue()


class Registration(unittest.TestCase):
    def test_path_is_a_file_of_the_package(self) -> None:
        path = pathlib.Path(lanewise.get_library_path())
        self.assertTrue(path.is_absolute() and path.is_file())
        self.assertEqual(path.parent, pathlib.Path(lanewise.__file__).resolve().parent)

    def test_names(self) -> None:
        self.assertEqual(lanewise.get_ep_names(), [lanewise.get_ep_name()])
        self.assertEqual(lanewise.get_ep_name(), "LanewiseExecutionProvider")

    def test_register_and_unregister_again_and_again(self) -> None:
        for _ in range(3):
            self.assertEqual(lanewise.register(), lanewise.get_library_path())
            self.assertEqual(lanewise.register(), lanewise.get_library_path())
            self.assertEqual(self._devices(), 1)
            lanewise.unregister()
            lanewise.unregister()
            self.assertEqual(self._devices(), 0)

    def test_sessions_outlive_the_registration(self) -> None:
        made = session(models.chain(), claim="all")
        lanewise.unregister()
        (z,) = made.run(None, ROWS)
        self.assertEqual(z.tolist(), [[24] * 8] * 2)
        del made

    def test_variable_overrides_the_library(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            os.environ[lanewise.LIBRARY_VARIABLE] = file.name
            try:
                self.assertEqual(
                    lanewise.get_library_path(), str(pathlib.Path(file.name).resolve())
                )
                os.environ[lanewise.LIBRARY_VARIABLE] = file.name + ".missing"
                with self.assertRaisesRegex(FileNotFoundError, "LANEWISE_ORT_LIBRARY"):
                    lanewise.get_library_path()
            finally:
                del os.environ[lanewise.LIBRARY_VARIABLE]

    def _devices(self) -> int:
        return sum(d.ep_name == lanewise.EP_NAME for d in ort.get_ep_devices())


class Sessions(unittest.TestCase):
    def test_appended_provider_is_used(self) -> None:
        made = session(models.chain(), claim="all")
        self.assertEqual(lanewise.assert_used(made), 3)
        (z,) = made.run(None, ROWS)
        self.assertEqual(z.tolist(), [[24] * 8] * 2)

    def test_bad_options_are_errors(self) -> None:
        with self.assertRaisesRegex(Exception, "claim"):
            session(models.chain(), claim="sometimes")

    def test_session_without_the_provider(self) -> None:
        made = ort.InferenceSession(
            models.chain().SerializeToString(), providers=["CPUExecutionProvider"]
        )
        with self.assertRaisesRegex(lanewise.NotUsedError, "CPUExecutionProvider"):
            lanewise.assert_used(made)

    def test_session_that_has_nothing_for_the_provider(self) -> None:
        with self.assertRaisesRegex(lanewise.NotUsedError, "no node"):
            lanewise.assert_used(session(models.foreign()))

    @unittest.skipIf(MINOR < 25, "needs providers=")
    def test_providers(self) -> None:
        model = models.chain().SerializeToString()
        options = ort.SessionOptions()
        options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        made = ort.InferenceSession(
            model, options, providers=lanewise.providers(claim="all")
        )
        self.assertEqual(lanewise.assert_used(made), 3)
        made = ort.InferenceSession(model, providers=lanewise.providers(claim="all"))
        with self.assertRaises(lanewise.NotRecordedError):
            lanewise.assert_used(made)

    @unittest.skipIf(MINOR >= 25, "has providers=")
    def test_providers_are_refused(self) -> None:
        with self.assertRaisesRegex(lanewise.UnsupportedOnnxRuntimeError, "1.25"):
            lanewise.providers()


class Description(unittest.TestCase):
    def test_build_info(self) -> None:
        info = lanewise.build_info()
        self.assertRegex(info.version, r"^\d+\.\d+\.\d+$")
        self.assertEqual(info.library, lanewise.get_library_path())
        self.assertIn(info.instruction_set, info.instruction_sets)
        self.assertLessEqual({"ort", "serial"}, set(info.threading))

    def test_description(self) -> None:
        code, output = command("--json")
        facts = json.loads(output)
        self.assertEqual(code, 0)
        self.assertEqual(facts["onnxruntime"], ort.__version__)
        self.assertEqual(facts["package"], facts["version"])

    def test_as_a_program(self) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "onnxruntime_ep_lanewise"],
            capture_output=True,
            text=True,
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn(f"onnxruntime: {ort.__version__}\n", run.stdout)


class Models(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def save(self, model: onnx.ModelProto) -> str:
        path = self.folder / "model.onnx"
        onnx.save(model, path)
        return str(path)

    def check(self, model: onnx.ModelProto, *arguments: str) -> tuple[int, dict]:
        code, output = command("--check", self.save(model), "--json", *arguments)
        return code, json.loads(output)

    def test_check_lists_nodes_taken(self) -> None:
        code, report = self.check(models.chain(), "--option", "claim=all")
        self.assertEqual((code, report["problems"]), (0, []))
        self.assertEqual((report["taken"], report["left"]), (3, 0))
        nodes = {node["node"]: node for node in report["nodes"]}
        self.assertEqual(set(nodes), {"relu", "exp", "div"})
        for node in nodes.values():
            self.assertTrue(node["taken"] and node["reason"], node)
        self.assertEqual(nodes["div"]["op"], "Div")
        self.assertEqual(nodes["div"]["opset"], 14)
        self.assertEqual((report["casts_saved"], report["casts_added"]), (0, 0))

    def test_check_lists_nodes_left(self) -> None:
        code, report = self.check(models.chain(), "--option", "claim=missing")
        self.assertEqual((code, report["problems"]), (0, []))
        self.assertEqual((report["taken"], report["left"]), (0, 3))
        self.assertTrue(all(node["reason"] for node in report["nodes"]))

    def test_check_counts_casts(self) -> None:
        model = models.ours(onnx.TensorProto.FLOAT16)
        code, report = self.check(model, "--option", "claim=all")
        self.assertEqual((code, report["problems"]), (0, []))
        self.assertEqual(
            report["casts_saved"], report["casts_without"] - report["casts_with"]
        )
        self.assertGreater(report["casts_saved"], 0)

    def test_check_of_a_model_that_nobody_else_runs(self) -> None:
        code, report = self.check(models.ours())
        self.assertEqual((code, report["problems"]), (0, []))
        self.assertEqual(report["taken"], 4)
        self.assertIn("NOT_IMPLEMENTED", report["error_without"])

    def test_check_lists_chains(self) -> None:
        code, report = self.check(models.ours())
        self.assertEqual((code, report["problems"]), (0, []))
        (chain,) = report["chains"]
        self.assertEqual(sorted(chain["chain"]), ["div", "exp", "reciprocal", "relu"])
        self.assertEqual(chain["ops"][-2:], ["Div", "Reciprocal"])
        self.assertEqual(sorted(chain["inputs"]), ["x", "y"])
        self.assertEqual(chain["outputs"], ["z"])
        self.assertTrue(chain["taken"] and chain["saved_bytes"] > 0, chain)
        self.assertIn("saves", chain["reason"])
        code, output = command("--check", self.save(models.ours()))
        self.assertRegex(output, r"taken chain of .*, Div div, .* from [xy], [xy] to z:")

    def test_check_lists_chains_left(self) -> None:
        code, report = self.check(
            models.ours(onnx.TensorProto.FLOAT), "--option", "claim=missing"
        )
        self.assertEqual((code, report["problems"]), (0, []))
        (chain,) = report["chains"]
        self.assertFalse(chain["taken"])

    def test_check_as_text(self) -> None:
        path = self.save(models.ours())
        code, output = command("--check", path)
        self.assertEqual(code, 0)
        self.assertIn("4 of 4 nodes taken, 4 of them in 1 chains", output)
        self.assertRegex(output, r"taken Reciprocal-13 bfloat16 reciprocal: \w+")

    def test_check_fails_without_the_provider(self) -> None:
        code, report = self.check(models.chain(), "--option", "claim=sometimes")
        self.assertEqual(code, 1)
        self.assertIn("claim", report["problems"][0])

    def test_check_fails_where_the_provider_and_onnxruntime_disagree(self) -> None:
        from onnxruntime_ep_lanewise import _check

        assigned = _check.assigned_nodes
        self.addCleanup(setattr, _check, "assigned_nodes", assigned)
        _check.assigned_nodes = lambda made: assigned(made)[1:]
        code, report = self.check(models.ours())
        self.assertEqual((code, len(report["problems"])), (1, 1))

    def test_make_loadable(self) -> None:
        model = models.foreign()
        for info in [*model.graph.input, *model.graph.output]:
            info.type.tensor_type.elem_type = onnx.TensorProto.BFLOAT16
        out = str(self.folder / "loadable.onnx")
        with self.assertRaisesRegex(Exception, "NOT_IMPLEMENTED"):
            session(model)
        code, output = command("--make-loadable", self.save(model), out)
        self.assertEqual(code, 0)
        self.assertIn("1 nodes in float32, 2 casts added\n  Softmax softmax", output)
        session(onnx.load(out))

    def test_bench(self) -> None:
        path = self.save(models.chain())
        code, output = command(
            "--bench", path, "--json", "--dim", "rows=4", "--seconds", "0.1"
        )
        result = json.loads(output)
        self.assertEqual(code, 0)
        self.assertAlmostEqual(
            result["ratio"], result["seconds_without"] / result["seconds_with"]
        )
        self.assertLessEqual(result["seconds_with_least"], result["seconds_with"])
        self.assertLessEqual(
            result["seconds_without_least"], result["seconds_without"]
        )
        for name in ("quartiles", "noise"):
            low, high = result[name]
            self.assertTrue(0 < low <= high, result)
        # All nodes but the Softmax.
        self.assertGreater(result["elementwise_share"], 0)
        code, output = command("--bench", path, "--seconds", "0.1")
        self.assertRegex(output, r"\d times as fast with the provider \(\d.* to \d")
        self.assertRegex(output, r"without it, \d+% of its nodes' time in")

    def test_bench_of_a_model_that_nobody_else_runs(self) -> None:
        path = self.save(models.ours())
        code, output = command("--bench", path, "--json", "--seconds", "0.1")
        result = json.loads(output)
        self.assertEqual((code, result["ratio"]), (0, None))
        self.assertEqual((result["quartiles"], result["noise"]), (None, None))
        self.assertGreater(result["seconds_with"], 0)


if __name__ == "__main__":
    unittest.main()
