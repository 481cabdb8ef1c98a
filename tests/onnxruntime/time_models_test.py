# SPDX-License-Identifier: Apache-2.0
"""benchmarks/models, which times whole models with the provider and without, and
what the report makes of its file."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

import host
import models
import numpy as np
import onnx

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
sys.path += [str(BENCHMARKS / "models"), str(BENCHMARKS / "report")]
import node_times  # noqa: E402
import time_models  # noqa: E402
import whole_models  # noqa: E402
from exact_functions import with_exact_functions  # noqa: E402
from narrow import narrowed  # noqa: E402
from unquantized import unquantized  # noqa: E402
from rows import Run  # noqa: E402

TIMED = ("convolutional_net", "bfloat16_gate")


def node(name: str, *times: float, op: str = "Mul") -> node_times.Node:
    return node_times.Node(name, op, host.PROVIDER, 64, list(times))


class TimeModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.file = cls.folder / "timed.json"
        command = [BENCHMARKS / "models/time_models.py", "--seconds=1"]
        command += ["--tree", host.Paths.provider]
        cls.done = subprocess.run([sys.executable, *command, cls.file, *TIMED])
        cls.run_ = Run(cls.file)

    def record(self, model: str) -> dict:
        found = [r for r in whole_models.records(self.run_) if r["model"] == model]
        self.assertEqual(found[0]["threads"], 1)
        return found[0]

    def test_both_ways(self) -> None:
        self.assertEqual(self.done.returncode, 0)
        rows = json.loads(self.file.read_text())["benchmarks"]
        for impl in ("onnxruntime", "ort+lanewise", "onnxruntime+again"):
            own = [r for r in rows if f"/convolutional_net/{impl}/" in r["name"]]
            own = [r for r in own if r["name"].endswith("/threads:1")]
            self.assertGreaterEqual(len(own), 30)
        record = self.record("convolutional_net")
        self.assertTrue(record["right"])
        self.assertGreater(record["taken"], 0)
        self.assertLess(record["taken"], record["nodes"])
        self.assertGreater(record["elementwise_share"], 0)
        self.assertLess(record["elementwise_share"], 0.5)
        for times in record["times"].values():
            self.assertLessEqual(times["min"], times["median"])

    def test_refused_without_the_provider(self) -> None:
        record = self.record("bfloat16_gate")
        self.assertEqual([*record["refused"]], ["onnxruntime"])
        # ONNX Runtime alone computes the model in float32, between casts.
        self.assertEqual(len(record["times"]), 3)
        self.assertTrue(record["right"])

    def test_report(self) -> None:
        rows = whole_models.model_rows(self.run_)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        (gate, *_) = [row for row in rows if row[0] == "bfloat16_gate"]
        self.assertRegex(gate[2], "with casts$")
        self.assertNotRegex(gate[3], "with casts$")
        picture = whole_models.make_picture(self.run_)
        for name in TIMED:
            self.assertIn(f">{name}<", picture)

    def test_kept_results(self) -> None:
        kept = self.folder / "kept"
        self.assertEqual(self.run_.own("provider"), "tree")
        with self.assertRaisesRegex(ValueError, "wheel"):
            whole_models.keep_models(self.run_, kept)
        self.run_.context["lanewise_provider"] = "wheel"
        whole_models.keep_models(self.run_, kept)
        (run,) = whole_models.kept_models(kept).values()
        wanted = whole_models.model_rows(self.run_)
        self.assertEqual(whole_models.model_rows(run), wanted)
        # What is measured again replaces what was kept; the rest stays.
        self.run_.models = [m for m in self.run_.models if m["model"] == TIMED[1]]
        self.addCleanup(setattr, self.run_, "models", Run(self.file).models)
        whole_models.keep_models(self.run_, kept)
        (run,) = whole_models.kept_models(kept).values()
        self.assertCountEqual(whole_models.model_rows(run), wanted)
        # README has the models of packages only.
        self.assertEqual(whole_models.readme_rows({"one": run}), [])
        for model in run.models:
            model["source"] = "a package"
        head, *lines = whole_models.readme_rows({"one": run, "two": run})
        self.assertEqual((head[0], len(head)), ("model", 3))
        self.assertEqual({line[0] for line in lines}, set(TIMED))
        self.assertEqual({len(line) for line in lines}, {len(head)})

    def test_an_absent_model_is_named(self) -> None:
        run = types.SimpleNamespace(
            cells={}, models=[{"model": "far", "threads": 1, "absent": True}]
        )
        _, row = whole_models.model_rows(run)
        self.assertEqual(row[0], "far")
        self.assertIn("absent", row)


class Sessions(unittest.TestCase):
    @unittest.skipIf(len(time_models.CPUS) < 2, "needs two processors")
    def test_each_thread_has_a_processor_of_its_own(self) -> None:
        self.assertEqual(time_models.affinities([0, 1, 5]), "2;6")
        before = os.listdir("/proc/self/task")
        self.addCleanup(os.sched_setaffinity, 0, time_models.CPUS)
        case = time_models.Case(time_models.SUITE["convolutional_net"], 2)
        self.assertEqual(os.sched_getaffinity(0), {time_models.CPUS[0]})
        (session,) = case.sessions((time_models.OWN,))
        made = {int(t) for t in os.listdir("/proc/self/task")} - {int(t) for t in before}
        # A thread moves to its processor when it starts to run.
        for _ in range(1000):
            found = [os.sched_getaffinity(t) for t in made]
            if {time_models.CPUS[1]} in found:
                break
            time.sleep(0.01)
        self.assertIn({time_models.CPUS[1]}, found)
        del session

    def test_turns_go_on_until_the_ratio_is_sure(self) -> None:
        def session(*times: float) -> types.SimpleNamespace:
            left = itertools.cycle(times)
            return types.SimpleNamespace(times=[], run=lambda count: next(left))

        quiet = [session(2), session(1), session(2)]
        time_models.until_sure(quiet, 1, 10)
        self.assertEqual({len(s.times) for s in quiet}, {time_models.TURNS})
        noisy = [session(2), session(*range(1, 20)), session(2)]
        time_models.until_sure(noisy, 1, 10)
        self.assertGreaterEqual(len(noisy[0].times), time_models.MOST_TURNS)


class Answers(unittest.TestCase):
    def difference(self, *answers: object, dtype: str = "f32") -> float:
        made = [[np.asarray(values, "float32")] for values in answers]
        return time_models.difference(*made, dtype)

    def test_in_steps_of_the_type(self) -> None:
        self.assertEqual(self.difference([1, np.nan], [1, np.nan]), 0)
        self.assertEqual(self.difference([2, 1], [2, 1 + 2**-22]), 1)
        self.assertEqual(self.difference([1, 0], [1, 2**-7], dtype="bf16"), 1)
        self.assertGreater(self.difference([1, 0], [1, 0.001]), time_models.ALLOWED)
        self.assertEqual(self.difference([1], [np.nan]), float("inf"))


    def test_functions_of_the_right_answers_are_exact(self) -> None:
        model = host.parsed(
            """(float[N] x, bool c) => (float[N] y) {
              s = Sigmoid(x)
              y = If(c) <
                then_branch = then_graph () => (float[N] t) { t = Tanh(s) },
                else_branch = else_graph () => (float[N] e) { e = Sigmoid(s) }
              >
            }"""
        )
        x = np.linspace(-80, 80, 1001, dtype="float32")
        exact = with_exact_functions(model)
        onnx.checker.check_model(exact, full_check=True)
        wide = 1 / (1 + np.exp(-x.astype("float64")))
        for condition, wanted in ((True, np.tanh(wide)), (False, 1 / (1 + np.exp(-wide)))):
            given = {"x": x, "c": np.array(condition)}
            (answer,) = host.cpu_session(exact).run(None, given)
            np.testing.assert_allclose(answer, wanted, rtol=2.0**-22, atol=2.0**-50)
        self.assertEqual(model.graph.node[0].op_type, "Sigmoid")  # is a copy

    def test_means_of_the_right_answers_are_exact(self) -> None:
        x = np.random.default_rng(1).uniform(1, 2, (1, 2, 90, 90)).astype("float32")
        wanted = x.astype("float64").mean(axis=(2, 3), keepdims=True)
        for opset in (17, 18):
            text = "(float[N, 2, H, W] x) => (float[A, B, C, D] y)"
            model = host.parsed(f"{text} {{ y = GlobalAveragePool(x) }}", opset=opset)
            session = host.cpu_session(with_exact_functions(model))
            (answer,) = session.run(None, {"x": x})
            np.testing.assert_allclose(answer, wanted, rtol=2.0**-23)

    def test_who_errs_is_known(self) -> None:
        case = time_models.Case(time_models.SUITE["silu_net"], 1)

        def found(*answers: float) -> tuple[float, float, bool]:
            right = types.SimpleNamespace(answers=lambda: [np.float32([1])])
            sessions = [
                types.SimpleNamespace(answers=lambda a=a: [np.float32([1 + a * 2**-23])])
                for a in answers
            ]
            with unittest.mock.patch.object(time_models, "Session", lambda *_: right):
                return tuple(case.compared(sessions).values())

        far = 2 * time_models.ALLOWED
        self.assertEqual(found(0, 1), (1, 0, True))
        self.assertEqual(found(far, 0), (0, far, True))
        self.assertEqual(found(0, far), (far, 0, False))
        # Nodes that are left to ONNX Runtime err as they do without the provider.
        self.assertEqual(found(far, far), (far, far, True))


class NodeTimes(unittest.TestCase):
    def slower(self, old: list, new: list) -> list[tuple[list[str], float]]:
        found = node_times.slower(old, new)
        return [(g["nodes"], round(g["with_us"] - g["without_us"])) for g in found]

    def test_nodes_of_one_name(self) -> None:
        old = [node("a", 5, 6, 6, 7), node("b", 5, 6, 6, 7), node("c", 1, 9, 1, 9)]
        new = [node("a", 9, 9, 8, 9), node("b", 4, 5, 4, 5), node("c", 2, 9, 2, 10)]
        self.assertEqual(self.slower(old, new), [(["a"], 3)])

    def test_fused_nodes_are_compared_with_their_group(self) -> None:
        old = [node(name, 2, 2, 2, 2) for name in ("conv", "mul", "add", "end")]
        short, long = node("fused", 3, 3, 3, 3), node("fused", 8, 8, 8, 8)
        self.assertEqual(self.slower(old, [old[0], short, old[3]]), [])
        self.assertEqual(self.slower(old, [old[0], long, old[3]]), [(["fused"], 4)])

    def test_nodes_that_the_provider_adds(self) -> None:
        old = [node("a", 5, 5, 5, 5), node("b", 5, 5, 5, 5)]
        reorder = node("reorder", 4, 4, 4, 4)
        self.assertEqual(self.slower(old, [old[0], reorder, old[1]]), [(["reorder"], 4)])

    def test_share_of_elementwise_nodes(self) -> None:
        nodes = [node("a", 2, 2), node("b", 6, 6, op="Conv")]
        self.assertAlmostEqual(node_times.elementwise_share(nodes), 0.25)


class Narrowed(unittest.TestCase):
    def test_models_are_valid_and_answer_alike(self) -> None:
        for name in ("convolutional_net", "embeddings"):
            wide, inputs = models.MODELS[name]()
            (wanted,) = host.cpu_session(wide).run(None, inputs)
            narrow = narrowed(wide, onnx.TensorProto.FLOAT16)
            onnx.checker.check_model(narrow, full_check=True)
            (answer,) = host.cpu_session(narrow).run(None, inputs)
            with self.subTest(name):
                self.assertEqual(answer.dtype, wanted.dtype)
                np.testing.assert_allclose(answer, wanted, atol=0.02)
                self.assertFalse(np.array_equal(answer, wanted))

    def test_types_that_an_operator_fixes_stay(self) -> None:
        model = host.parsed(
            """(float[1, 1, 2, 2] x) => (float[1, 1, 4, 4] y)
            <float[4] scales = {1, 1, 2, 2}, float big = {3e38}> {
              bounded = Min(x, big)
              y = Resize(bounded, , scales)
            }"""
        )
        narrow = narrowed(model, onnx.TensorProto.FLOAT16)
        onnx.checker.check_model(narrow, full_check=True)
        stored = {t.name: t for t in narrow.graph.initializer}
        self.assertEqual(stored["scales"].data_type, onnx.TensorProto.FLOAT)
        big = onnx.numpy_helper.to_array(stored["big"])
        self.assertEqual(big, np.finfo("float16").max)


class Reductions(unittest.TestCase):
    def test_rows_of_a_cell(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "timed.json"
            command = [BENCHMARKS / "models/time_reductions.py"]
            command += ["--tree", host.Paths.provider, file]
            wanted = "^(ReduceL1/f32|GlobalMaxPool/f32)/.*/n:2048/"
            subprocess.run([sys.executable, *command, wanted], check=True)
            found = Run(file)
        cells = {(c.key.op, c.key.pattern): set(c.rows) for c in found.cells.values()}
        both = {"onnxruntime", "ort+lanewise"}
        self.assertEqual(
            cells,
            {
                ("ReduceL1", "rows"): {*both, "numpy"},
                ("ReduceL1", "columns"): {*both, "numpy"},
                ("GlobalMaxPool", "rows"): both,
            },
        )


class Unquantized(unittest.TestCase):
    def test_weights_keep_their_values_and_nothing_is_quantized(self) -> None:
        rng = np.random.default_rng(1)
        constants = {
            "w": rng.integers(-9, 9, (4, 3)).astype("int8"),
            "scales": np.float32([0.5, 0.25, 2]),
            "zeros": np.int8([1, 0, -2]),
            "step": np.float32(1 / 128),
            "centre": np.uint8(128),
        }
        graph = """(float[2, 4] x) => (float[2, 3] y) {
              narrow = QuantizeLinear(x, step, centre)
              wide = DequantizeLinear(narrow, step, centre)
              weights = DequantizeLinear<axis = 1>(w, scales, zeros)
              y = MatMul(wide, weights)
            }"""
        model = onnx.load_model_from_string(host.named(graph, constants, opset=21))
        made = unquantized(model)
        onnx.checker.check_model(made, full_check=True)
        self.assertEqual([node.op_type for node in made.graph.node], ["MatMul"])
        self.assertEqual([t.name for t in made.graph.initializer], ["weights"])
        x = rng.integers(-128, 127, (2, 4)).astype("float32") / 128
        (wanted,) = host.cpu_session(model).run(None, {"x": x})
        (answer,) = host.cpu_session(made).run(None, {"x": x})
        np.testing.assert_allclose(answer, wanted, rtol=1e-6)


if __name__ == "__main__":
    host.main()
