# SPDX-License-Identifier: Apache-2.0
"""make_loadable of the Python package: which nodes get casts, and that the new models
load and compute what float32 computes, rounded to bfloat16."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import unittest
from collections.abc import Mapping

import host
import loadable
import numpy as np
import onnx
import onnxruntime as ort
from loadable import Files, lanewise, narrow, random, rounded, weights, wide
from onnx import TensorProto
from onnxruntime_ep_lanewise.__main__ import main

# Nodes that have kernels lie between nodes that have none.
TRANSFORMER = """(bfloat16[N, 4, 8] x, int64[2] rows)
=> (bfloat16[N, 4, 8] y, bfloat16[N, 2, 8] some, bfloat16[N, 4, 16] both)
{ a = MatMul(x, w)
  b = Add(a, bias)
  t = Transpose<perm = [0, 2, 1]>(b)
  s = MatMul(b, t)
  p = Softmax<axis = -1>(s)
  c = MatMul(p, b)
  d = Add(c, x)
  y = LayerNormalization(d, scale, bias)
  some = Gather<axis = 1>(y, rows)
  both = Concat<axis = -1>(y, x) }"""

IF = """(bfloat16[4, 8] x, bool c) => (bfloat16[4, 8] y)
{ a = CumSum(x, last)
  b = If (c) <
    then_branch = yes () => (bfloat16[4, 8] t)
    { u = MatMul(a, w)
      v = MatMul(a, w)
      t = Add(u, v) },
    else_branch = no () => (bfloat16[4, 8] e)
    { u = Relu(a)
      e = CumSum(u, last) }
  >
  y = MatMul(b, w) }"""

LOOP = """(bfloat16[8] x, int64 trips, bool go) => (bfloat16[8] y, bfloat16[T, 8] steps)
{ y, steps = Loop (trips, go, x) <
    body = step (int64 i, bool was, bfloat16[8] v)
      => (bool again, bfloat16[8] w, bfloat16[8] q)
    { again = Identity(was)
      q = CumSum(v, last)
      w = Add(q, x) }
  > }"""


# An operator that has no bfloat16 kernel anywhere, and its axis.
LAST = {"last": np.array(-1)}


def sums(x: np.ndarray) -> np.ndarray:
    return np.cumsum(x, axis=-1)


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Operators(Files):
    """One operator each, without a kernel for bfloat16."""

    def check(
        self,
        call: str,
        given: Mapping[str, np.ndarray],
        wanted: np.ndarray,
        *,
        casts: int,
        outputs: str = "y",
        opset: int = 21,
        **constants: np.ndarray,
    ) -> None:
        def info(name: str, array: np.ndarray) -> str:
            kind = "bfloat16" if array.dtype == loadable.BFLOAT16 else "int64"
            return f"{kind}{list(array.shape)} {name}"

        inputs = ", ".join(info(name, array) for name, array in given.items())
        kind = "int64" if wanted.dtype == np.int64 else "bfloat16"
        graph = f"({inputs}) => ({kind}{list(wanted.shape)} y) {{ {outputs} = {call} }}"
        self.save(graph, opset=opset, **constants)
        report = self.convert()
        self.assertEqual((len(report.nodes), report.casts), (1, casts))
        got = self.run_new(**given)[0]
        if kind == "int64":
            self.assertEqual(got.tolist(), wanted.tolist())
        else:
            self.assert_close(got, wanted)

    def test_matmul(self) -> None:
        x, w = random(4, 8), random(8, 3, seed=2)
        wanted = wide(x) @ wide(w)
        self.check("MatMul(x, w)", {"x": x, "w": w}, wanted, casts=3)
        self.check("MatMul(x, w)", {"x": x}, wanted, casts=3, w=w)
        self.check("MatMul(x, w)", {"x": x, "w": w}, wanted, casts=3, opset=13)

    def test_a_value_that_is_read_twice(self) -> None:
        x = random(8, 8)
        self.check("MatMul(x, x)", {"x": x}, wide(x) @ wide(x), casts=2)

    def test_sums(self) -> None:
        x = random(4, 8)
        self.check("CumSum(x, last)", {"x": x}, sums(wide(x)), casts=2, **LAST)

    def test_gemm(self) -> None:
        x, w, c = random(4, 8), random(3, 8, seed=2), random(3, seed=3)
        product = 0.5 * wide(x) @ wide(w).T
        call = "Gemm<alpha = 0.5, transB = 1>"
        self.check(f"{call}(x, w)", {"x": x}, product, casts=3, w=w)
        self.check(f"{call}(x, w, c)", {"x": x}, product + wide(c), casts=4, w=w, c=c)

    def test_conv(self) -> None:
        x, w, b = random(1, 2, 6), random(3, 2, 3, seed=2), random(3, seed=3)
        windows = np.lib.stride_tricks.sliding_window_view(wide(x), 3, axis=2)
        wanted = np.einsum("ncpk,mck->nmp", windows, wide(w)) + wide(b)[:, None]
        given = {"x": x}
        for opset in (21, 22):  # opset 21 does not allow bfloat16
            call = "Conv(x, w, b)"
            self.check(call, given, wanted, casts=4, opset=opset, w=w, b=b)

    def test_several_outputs(self) -> None:
        x = random(4, 8)
        wanted = -np.sort(-wide(x), axis=-1)[:, :3]
        k = np.array([3])
        self.check("TopK(x, k)", {"x": x}, wanted, casts=2, outputs="y, places", k=k)

    def test_inputs_that_are_not_there(self) -> None:
        x, sizes = random(1, 1, 2, 4), np.array([1, 1, 4, 8])
        wanted = wide(x).repeat(2, axis=2).repeat(2, axis=3)
        self.check("Resize(x, , , sizes)", {"x": x}, wanted, casts=2, sizes=sizes)

    def test_outputs_that_are_not_there(self) -> None:
        x = narrow([3, 1, 3, 2])
        wanted, outputs = np.float32([1, 2, 3]), "y, , places"
        self.check("Unique(x)", {"x": x}, wanted, casts=2, outputs=outputs)

    def test_outputs_of_other_types(self) -> None:
        x = narrow([0, 1, 0, 2])
        self.check("NonZero(x)", {"x": x}, np.array([[1, 3]]), casts=1)

    def test_types_in_attributes(self) -> None:
        x = np.zeros((3, 3), np.int64)
        call = "EyeLike<dtype = 16>(x)"
        self.check(call, {"x": x}, np.eye(3, dtype=np.float32), casts=1)


class Graphs(Files):
    def test_transformer(self) -> None:
        bias, scale = random(8, seed=2), random(8, seed=3)
        w, x = random(8, 8, seed=4), random(2, 4, 8, seed=5)
        self.save(TRANSFORMER, w=w, bias=bias, scale=scale)
        self.assertEqual(self.operators(), ["MatMul", "MatMul", "MatMul"])
        y, some, both = self.run_new(x=x, rows=np.array([3, 0]))

        b = rounded(rounded(wide(x) @ wide(w)) + wide(bias))
        p = rounded(softmax(rounded(b @ b.transpose(0, 2, 1))))
        d = rounded(rounded(p @ b) + wide(x))
        d -= d.mean(axis=-1, keepdims=True)
        d /= np.sqrt((d**2).mean(axis=-1, keepdims=True) + 1e-5)
        # Sums in another order may round to neighbours.
        self.assert_close(y, d * wide(scale) + wide(bias), steps=4)
        self.assertEqual(wide(some).tolist(), wide(y[:, [3, 0]]).tolist())
        joined = np.concatenate([wide(y), wide(x)], axis=-1)
        self.assertEqual(wide(both).tolist(), joined.tolist())

    def test_nodes_of_one_kind_and_of_other_sizes(self) -> None:
        x, w, v = random(4, 8), random(8, 16, seed=2), random(16, 3, seed=3)
        graph = """(bfloat16[N, 8] x) => (bfloat16[N, 3] y)
        { a = Mul(x, x)
          b = MatMul(a, w)
          c = Mul(b, b)
          y = Gemm(c, v) }"""
        self.save(graph, w=w, v=v)
        self.assertEqual(self.operators(), ["Gemm", "MatMul"])
        b = rounded(rounded(wide(x) ** 2) @ wide(w))
        self.assert_close(self.run_new(x=x)[0], rounded(b**2) @ wide(v), steps=4)

    def test_if(self) -> None:
        w, x = random(8, 8), random(4, 8, seed=2)
        self.save(IF, w=w, **LAST)
        report = self.convert()
        places = [(node.graph, node.op) for node in report.nodes]
        then, other = ("b.then_branch", "MatMul"), ("b.else_branch", "CumSum")
        self.assertEqual(
            places, [("main", "CumSum"), then, then, other, ("main", "MatMul")]
        )
        # Each graph casts a value once: x, a, w of then_branch, u, b, w of main; and
        # five outputs.
        self.assertEqual(report.casts, 12 - 1)
        a = rounded(sums(wide(x)))
        for condition in (True, False):
            (y,) = self.run_new(x=x, c=np.array(condition))
            b = 2 * rounded(a @ wide(w)) if condition else sums(np.maximum(a, 0))
            self.assert_close(y, rounded(b) @ wide(w), steps=4)

    def test_loop(self) -> None:
        x = random(8)
        self.save(LOOP, **LAST)
        self.assertEqual(self.operators(), ["CumSum"])
        y, steps = self.run_new(x=x, trips=np.array(3), go=np.array(True))
        v, wanted = wide(x), []
        for _ in range(3):
            wanted.append(rounded(sums(v)))
            v = rounded(wanted[-1] + wide(x))
        self.assert_close(y, v)
        self.assert_close(steps, np.array(wanted))

    def test_values_between_casts_are_rounded(self) -> None:
        """Without the rounding in between the result would be another one."""
        x = narrow(np.arange(1, 129)).reshape(1, -1)
        graph = """(bfloat16[1, 128] x) => (bfloat16[1, 128] y) {
          s = MatMul(x, three) y = MatMul(s, five) }"""
        self.save(graph, three=narrow(3 * np.eye(128)), five=narrow(5 * np.eye(128)))
        self.assertEqual(self.operators(), ["MatMul", "MatMul"])
        (y,) = self.run_new(x=x)
        wanted = rounded(5 * rounded(3 * wide(x)))
        self.assertEqual(wide(y).tolist(), wanted.tolist())
        self.assertNotEqual(wanted.tolist(), rounded(15 * wide(x)).tolist())

    def test_weights_are_kept_once_and_cast_by_the_optimizer(self) -> None:
        w = random(64, 64)
        graph = "(bfloat16[1, 64] x) => (bfloat16[1, 64] y) { y = MatMul(x, w) }"
        self.save(graph, w=w)
        self.convert()
        kept = onnx.load(self.new).graph.initializer
        self.assertEqual(kept, onnx.load(self.old).graph.initializer)
        options = lanewise.append_to(ort.SessionOptions())
        options.optimized_model_filepath = str(self.folder / "optimized.onnx")
        ort.InferenceSession(str(self.new), options, enable_fallback=0)
        nodes = onnx.load(options.optimized_model_filepath).graph.node
        casts = [node.input[0] for node in nodes if node.op_type == "Cast"]
        self.assertEqual(len(casts), 2)
        self.assertIn("x", casts)

    def test_head_and_interface_are_kept(self) -> None:
        graph = "(bfloat16[N] x) => (bfloat16[N] y) { a = CumSum(x, last) y = Relu(a) }"
        self.save(graph, **LAST)
        model = onnx.load(self.old)
        model.opset_import.add(domain="com.microsoft", version=1)
        model.ir_version = 8
        model.producer_name = "somebody"
        model.metadata_props.add(key="a", value="b")
        info = onnx.helper.make_tensor_value_info("a", TensorProto.BFLOAT16, ["N"])
        model.graph.value_info.append(info)
        onnx.save(model, self.old)
        self.convert()
        new = onnx.load(self.new)
        onnx.checker.check_model(new, full_check=True)
        for changed in (model, new):
            del changed.graph.node[:]
        self.assertEqual(model, new)

    def test_names_that_are_taken(self) -> None:
        x = random(8)
        self.save("""(bfloat16[8] x, bfloat16[8] x_float32) => (bfloat16[8] y)
            { y_unrounded = Relu(x_float32)
              [x_float32_2_cast] a = CumSum(x, last)
              y = Add(a, y_unrounded) }""", **LAST)
        self.assertEqual(self.operators(), ["CumSum"])
        names = [node.name for node in onnx.load(self.new).graph.node if node.name]
        self.assertEqual(len(names), len(set(names)))
        (y,) = self.run_new(x=x, x_float32=x)
        wanted = rounded(sums(wide(x))) + np.maximum(wide(x), 0)
        self.assert_close(y, wanted)

    def test_types_that_onnx_does_not_know(self) -> None:
        """onnx has no types for this domain, so ONNX Runtime is asked."""
        self.save("""(bfloat16[4, 8] x) => (bfloat16[4, 8] y)
            { a = com.microsoft.BiasGelu(x, b)
              y = CumSum(a, last) }""", b=random(8), **LAST)
        self.import_microsoft()
        report = self.convert()
        self.assertEqual([node.op for node in report.nodes], ["BiasGelu", "CumSum"])
        self.assertEqual(report.casts, 5)

    def test_float_outputs_that_onnx_does_not_know(self) -> None:
        self.save("""(bfloat16[4, 8] x) => (bfloat16[4, 8] y, float[4, 1] r)
            { a, mean = com.microsoft.SkipLayerNormalization(x, x, s)
              r = Neg(mean)
              y = Softmax(a) }""", s=random(8))
        self.import_microsoft()
        self.assertNotIn("Neg", self.operators())

    def import_microsoft(self) -> None:
        model = onnx.load(self.old)
        model.opset_import.add(domain="com.microsoft", version=1)
        onnx.save(model, self.old)

    def test_functions(self) -> None:
        text = """<ir_version: 10, opset_import: ["" : 21, "own" : 1]>
            graph (bfloat16[8] x) => (bfloat16[8] y) { a = own.f(x) y = Relu(a) }
            <domain: "own", opset_import: ["" : 21]> f (v) => (w)
            { last = Constant<value_int = -1>() w = CumSum(v, last) }"""
        onnx.save(onnx.parser.parse_model(text), self.old)
        self.assertEqual(self.operators(), ["CumSum"])
        x = random(8)
        (y,) = self.run_new(x=x)
        self.assert_close(y, np.maximum(sums(wide(x)), 0))


class ExternalData(Files):
    GRAPH = "(bfloat16[1, 64] x) => (bfloat16[1, 64] y) { y = Gemm(x, w, b) }"

    def setUp(self) -> None:
        super().setUp()
        self.w, self.b = random(64, 64), random(64)
        model = host.parsed(self.GRAPH)
        model.graph.initializer.extend(weights(w=self.w, b=self.b))
        external = {"save_as_external_data": True, "size_threshold": 0}
        onnx.save(model, self.old, location="old.data", **external)

    def check(self) -> None:
        self.assertEqual(self.operators(), ["Gemm"])
        x = random(1, 64, seed=2)
        (y,) = self.run_new(x=x)
        self.assert_close(y, wide(x) @ wide(self.w) + wide(self.b))

    def test_same_folder(self) -> None:
        self.check()
        self.assertLess(self.new.stat().st_size, self.w.nbytes)

    def test_other_folder(self) -> None:
        self.new = self.folder / "other" / "new.onnx"
        self.new.parent.mkdir()
        self.check()
        copy = self.new.parent / "old.data"
        self.assertEqual(copy.read_bytes(), (self.folder / "old.data").read_bytes())
        self.check()  # the copy is there already

    def test_other_data_is_not_overwritten(self) -> None:
        self.new = self.folder / "other" / "new.onnx"
        self.new.parent.mkdir()
        copy = self.new.parent / "old.data"
        copy.write_bytes(b"other data")
        with self.assertRaisesRegex(FileExistsError, "old.data"):
            self.convert()
        self.assertEqual(copy.read_bytes(), b"other data")
        self.assertFalse(self.new.exists())


class Unchanged(Files):
    def write_a_field_twice(self) -> None:
        """A parser reads this, but does not write the same bytes again."""
        self.old.write_bytes(b"\x08\x07" + self.old.read_bytes())

    def check(self) -> None:
        content = self.old.read_bytes()
        self.assertEqual((self.operators(), self.new.read_bytes()), ([], content))

    def test_models_that_load(self) -> None:
        self.save("(bfloat16[8] x) => (bfloat16[8] y) { a = Exp(x) y = Relu(a) }")
        self.write_a_field_twice()
        self.check()
        self.save("(float[8] x) => (float[8] y) { y = Softmax(x) }")
        self.check()
        self.save("""(int64[2] x) => (bfloat16[A, B] y)
            { z = ConstantOfShape<value = bfloat16[1] {16256}>(x) y = Add(z, z) }""")
        self.check()

    def test_reductions_and_what_is_made_of_them(self) -> None:
        for call in (
            "y = Softmax(x)",
            "y = LayerNormalization<stash_type = 16>(x, s)",
            "y, mean = LayerNormalization<stash_type = 16>(x, s)",
            "m = ReduceMean<keepdims = 1>(x) y = Sub(x, m)",
        ):
            with self.subTest(call):
                graph = f"(bfloat16[4, 8] x) => (bfloat16[4, 8] y) {{ {call} }}"
                self.save(graph, s=random(8))
                self.check()

    def test_a_model_made_loadable(self) -> None:
        graph = "(bfloat16[8] x) => (bfloat16[8] y) { a = CumSum(x, last) y = Relu(a) }"
        self.save(graph, **LAST)
        self.assertEqual(self.operators(), ["CumSum"])
        self.old, self.new = self.new, self.folder / "again.onnx"
        self.check()

    def test_models_that_casts_do_not_help(self) -> None:
        self.save("""(bfloat16[8] x) => (bfloat16[8] y)
            { s = SequenceConstruct(x, x)
              i = Constant<value_int = 0>()
              y = SequenceAt(s, i) }""")
        self.write_a_field_twice()
        report = lanewise.make_loadable(self.old, self.new)
        self.assertEqual((report.nodes, len(report.problems)), ([], 1))
        self.assertIn("SequenceConstruct", report.problems[0])
        self.assertEqual(self.new.read_bytes(), self.old.read_bytes())


class Command(Files):
    GRAPH = """(bfloat16[8] x) => (bfloat16[8] y)
        { [first] a = CumSum(x, last) b = Relu(a) y = CumSum(b, last) }"""

    def command(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        paths = ["--make-loadable", str(self.old), str(self.new)]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([*paths, *arguments])
        return code, out.getvalue(), err.getvalue()

    def test_text(self) -> None:
        self.save(self.GRAPH, **LAST)
        code, out, _ = self.command()
        lines = [f"{self.new}: 2 nodes in float32, 4 casts added"]
        lines += ["  CumSum first", "  CumSum y"]
        self.assertEqual((code, out.splitlines()), (0, lines))

    def test_json(self) -> None:
        self.save(self.GRAPH, **LAST)
        code, out, _ = self.command("--json")
        report = json.loads(out)
        node = {"graph": "main", "node": "first", "op": "CumSum", "domain": ""}
        self.assertEqual((code, report["nodes"][0]), (0, node))
        self.assertEqual((report["casts"], report["problems"]), (4, []))

    def test_unchanged(self) -> None:
        self.save("(float[8] x) => (float[8] y) { y = Softmax(x) }")
        self.assertEqual(self.command()[:2], (0, f"{self.new}: unchanged\n"))

    def test_new_model_that_does_not_load(self) -> None:
        self.save("(bfloat16[8] x) => (bfloat16[8] y) { y = own.Op(x) }")
        code, out, _ = self.command()
        self.assertEqual(code, 1)
        self.assertIn("problem: ", out)

    def test_no_model(self) -> None:
        code, out, err = self.command()
        self.assertEqual((code, out), (2, ""))
        self.assertIn("old.onnx", err)

    def test_without_onnx(self) -> None:
        code = (
            "import sys; sys.modules['onnx'] = None;"
            f"sys.path.insert(0, {str(loadable.PACKAGE)!r});"
            "from onnxruntime_ep_lanewise.__main__ import main;"
            "sys.exit(main(['--make-loadable', 'a.onnx', 'b.onnx']))"
        )
        command = [sys.executable, "-c", code]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"^make_loadable needs the package onnx.*\n$")


if __name__ == "__main__":
    host.main()
