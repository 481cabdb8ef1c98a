# SPDX-License-Identifier: Apache-2.0
"""Nodes that run as chains, in one pass over memory."""

from __future__ import annotations

import contextlib
import itertools
import json
import pathlib
import tempfile
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import host
import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper

# Types, and how onnx's text format calls them.
KINDS = {1: "float", 10: "float16", 16: "bfloat16"}
FLOAT16 = 10
# What PP-OCR's text detector has behind its convolutions.
HARD_SWISH = """
  scaled = Mul(c, s1)
  x = Add(scaled, b1)
  moved = Add(x, three)
  bounded = Clip(moved, zero, six)
  product = Mul(x, bounded)
  sixth = Div(product, six)
  again = Mul(sixth, s2)
  y = Add(again, b2)
"""
OPERATORS = ["Add", "Add", "Add", "Clip", "Div", "Mul", "Mul", "Mul"]
LARGE = 600_001  # elements that are worth the session's threads


def constants(kind: int, channels: int = 0) -> dict[str, np.ndarray]:
    """`channels`: the last scale and bias are a column for each, not numbers."""
    rng = np.random.default_rng(1)
    column = (channels, 1, 1) if channels else ()
    values = {"s1": [1.25], "b1": [-0.5], "three": 3.0, "zero": 0.0, "six": 6.0}
    values |= {"s2": rng.normal(1, 0.1, column), "b2": rng.normal(0, 0.5, column)}
    return {k: np.array(v).astype(host.dtype(kind)) for k, v in values.items()}


def parsed(text: str, stored: dict[str, np.ndarray]) -> onnx.ModelProto:
    model = host.parsed(text)
    tensors = [onnx.numpy_helper.from_array(v, k) for k, v in stored.items()]
    model.graph.initializer.extend(tensors)
    return model


def hard_swish(kind: int, *more: str) -> onnx.ModelProto:
    """`more` values are outputs, too."""
    text = KINDS[kind]
    outputs = ", ".join(f"{text}[N, M] {name}" for name in ("y", *more))
    graph = f"({text}[N, M] c) => ({outputs}) {{ {HARD_SWISH} }}"
    return parsed(graph, constants(kind))


def values(c: np.ndarray, k: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All values of a hard-swish in the type itself: rounded after each node."""
    v = {"scaled": c * k["s1"]}
    v["x"] = v["scaled"] + k["b1"]
    v["moved"] = v["x"] + k["three"]
    v["bounded"] = np.minimum(np.maximum(v["moved"], k["zero"]), k["six"])
    v["product"] = v["x"] * v["bounded"]
    v["sixth"] = v["product"] / k["six"]
    v["again"] = v["sixth"] * k["s2"]
    return {**v, "y": v["again"] + k["b2"]}


def result(c: np.ndarray, kind: int, accuracy: str) -> np.ndarray:
    """As a chain has it: fast ones compute 16-bit floats in float32."""
    k = constants(kind)
    if accuracy == "tight":
        return values(c, k)["y"]
    wide = {name: v.astype(np.float32) for name, v in k.items()}
    return values(c.astype(np.float32), wide)["y"].astype(host.dtype(kind))


def given(kind: int, *dims: int) -> np.ndarray:
    return np.random.default_rng(2).normal(0, 3, dims).astype(host.dtype(kind))


def run(session: ort.InferenceSession, **inputs: np.ndarray) -> list[np.ndarray]:
    outputs = host.run(session, {k: host.tensor(v) for k, v in inputs.items()})
    return [np.frombuffer(o.raw, host.dtype(o.type)).reshape(o.dims) for o in outputs]


@contextlib.contextmanager
def explained() -> Iterator[tuple[str, list[dict]]]:
    """A file for the option `explain`, and a list that has its chains afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "explained")
        chains: list[dict] = []
        yield str(file), chains
        lines = map(json.loads, file.read_text().splitlines())
        chains += [line for line in lines if "chain" in line]


def session_and_chains(
    model: onnx.ModelProto, **options: str
) -> tuple[ort.InferenceSession, list[list[str]]]:
    """The second: the operators of each chain that is taken."""
    with explained() as (file, chains):
        session = host.session(model, strict=False, explain=file, **options)
    return session, [chain["ops"] for chain in chains if chain["taken"]]


class Chains(unittest.TestCase):
    def same(self, got: np.ndarray, wanted: np.ndarray) -> None:
        self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape))
        self.assertEqual(got.tobytes(), wanted.tobytes())

    def test_hard_swish_of_any_shape(self) -> None:
        for kind, accuracy in itertools.product(KINDS, ("tight", "fast")):
            session, chains = session_and_chains(hard_swish(kind), accuracy=accuracy)
            self.assertEqual([sorted(ops) for ops in chains], [OPERATORS])
            self.assertEqual(host.ours(session), OPERATORS)
            # More shapes than are kept, and known shapes again.
            shapes = [(1, 1), (3, 5), (0, 4), (64, 100), (3, 5), (7, 9), (300, 301)]
            for dims in [*shapes, *shapes]:
                with self.subTest(KINDS[kind], accuracy=accuracy, dims=dims):
                    c = given(kind, *dims)
                    (y,) = run(session, c=c)
                    self.same(y, result(c, kind, accuracy))

    def test_values_that_are_used_outside(self) -> None:
        for more in (["x"], ["bounded", "scaled"], ["moved", "product", "again"]):
            session, chains = session_and_chains(hard_swish(1, *more))
            self.assertEqual([sorted(ops) for ops in chains], [OPERATORS])
            for dims in [(2, 3), (100, 101)]:
                c = given(1, *dims)
                wanted = values(c, constants(1))
                for name, got in zip(["y", *more], run(session, c=c), strict=True):
                    with self.subTest(name, more=more, dims=dims):
                        self.same(got, wanted[name])

    def test_one_node_for_each_chain(self) -> None:
        """ONNX Runtime's profile has the chain, not its nodes."""
        options = host.options()
        options.enable_profiling = True
        options.add_provider_for_devices(host.devices(), {"claim": "all"})
        with tempfile.TemporaryDirectory() as folder:
            options.profile_file_prefix = str(pathlib.Path(folder, "profile"))
            session = ort.InferenceSession(
                hard_swish(1).SerializeToString(), options, enable_fallback=0
            )
            run(session, c=given(1, 3, 4))
            events = json.loads(pathlib.Path(session.end_profiling()).read_text())
        kernels = [e for e in events if e["name"].endswith("kernel_time")]
        self.assertEqual([e["args"]["provider"] for e in kernels], [host.PROVIDER])

    def test_between_convolutions(self) -> None:
        """With a scale for each channel, and unknown dims of the image."""
        rng = np.random.default_rng(3)
        for kind in (1, 10):
            text = KINDS[kind]
            stored = constants(kind, channels=8)
            for name, dims in {"w1": (8, 4, 3, 3), "w2": (8, 8, 3, 3)}.items():
                stored[name] = rng.normal(0, 0.2, dims).astype(host.dtype(kind))
            model = parsed(
                f"""({text}[N, 4, H, W] image) => ({text}[N, 8, I, J] z)
                {{ c = Conv<pads = [1, 1, 1, 1]>(image, w1)
                   {HARD_SWISH}
                   z = Conv<pads = [1, 1, 1, 1]>(y, w2) }}""",
                stored,
            )
            session, chains = session_and_chains(model)
            self.assertEqual([sorted(ops) for ops in chains], [OPERATORS])
            alone = host.cpu_session(model)
            for dims in [(1, 4, 20, 20), (2, 4, 7, 33)]:
                image = given(kind, *dims)
                (z,), (wanted,) = run(session, image=image), run(alone, image=image)
                if kind == 1:
                    self.same(z, wanted)
                else:  # the CPU provider rounds neither what enters the chain
                    z, wanted = (v.astype(np.float32) for v in (z, wanted))
                    np.testing.assert_allclose(z, wanted, atol=0.02, rtol=0.01)

    def test_casts_are_members(self) -> None:
        """A chain from float32 to float32 that computes in another type."""
        for kind in (10, 16):
            body = HARD_SWISH.replace("Mul(c,", "Mul(narrow,")
            text = f"""(float[N] c) => (float[N] z)
            {{ narrow = Cast<to = {kind}>(c)
               {body}
               z = Cast<to = 1>(y) }}"""
            session, chains = session_and_chains(parsed(text, constants(kind)))
            wanted = sorted([*OPERATORS, "Cast", "Cast"])
            self.assertEqual([sorted(ops) for ops in chains], [wanted])
            for count in (5, 1000):
                c = given(1, count)
                y = values(c.astype(host.dtype(kind)), constants(kind))["y"]
                self.same(run(session, c=c)[0], y.astype(np.float32))

    def test_attributes_and_absent_inputs(self) -> None:
        text = """(float[N] x, float[N] top, uint32[N] n) => (float[N] y, uint32[N] m)
        { a = LeakyRelu<alpha = 0.3>(x)
          b = Clip(a, , limit)
          c = Cast<to = 16>(b)
          d = Cast<to = 1>(c)
          y = Max(d, top, x)
          e = BitShift<direction = "LEFT">(n, two)
          m = BitShift<direction = "RIGHT">(e, n) }"""
        stored = {"limit": np.array(1.5, np.float32), "two": np.uint32([2])}
        model = parsed(text, stored)
        session, chains = session_and_chains(model)
        self.assertEqual(sorted(map(len, chains)), [2, 5])
        one_by_one = host.session(model, strict=False, chains="nodes")
        x, top = given(1, 100), given(1, 100)[::-1].copy()
        n = np.arange(100, dtype=np.uint32) % 31
        inputs = {"x": x, "top": top, "n": n}
        got, wanted = session.run(None, inputs), one_by_one.run(None, inputs)
        self.same(got[0], wanted[0])
        self.same(got[1], (n << 2) >> n)
        self.assertTrue((got[0] > 0.1).any() and (got[0] < -0.1).any())

    def test_integer_division_by_zero(self) -> None:
        text = """(int32[N] x, int32[N] d) => (int32[N] y)
        { a = Add(x, x)  q = Div(a, d)  y = Mul(q, x) }"""
        session, chains = session_and_chains(host.parsed(text))
        self.assertEqual(chains, [["Add", "Div", "Mul"]])
        x = np.arange(1, LARGE, dtype=np.int32) % 1000 + 1
        for d in (1, 3, -7):
            (y,) = session.run(None, {"x": x, "d": np.full_like(x, d)})
            q = np.sign(d) * (2 * x // abs(d))
            self.same(y, (q * x).astype(np.int32))
        zero = np.ones_like(x)
        zero[500_000] = 0
        with self.assertRaisesRegex(Exception, "Integer division by zero.*500000"):
            session.run(None, {"x": x, "d": zero})
        self.same(session.run(None, {"x": x, "d": x})[0], 2 * x)

    def test_constant_divisor_of_zero(self) -> None:
        text = """(int64[N] x) => (int64[N] y) { a = Add(x, x)  y = Div(a, d) }"""
        for d, right in {0: False, 5: True}.items():
            model = parsed(text, {"d": np.int64([d])})
            if right:
                (y,) = host.session(model).run(None, {"x": np.int64([15])})
                self.assertEqual(y.tolist(), [6])
                continue
            with self.assertRaisesRegex(Exception, "Integer division by zero"):
                host.session(model)

    def test_bodies_of_if_and_loop(self) -> None:
        """Constants and values of the graph outside are read, and a value of a chain
        is read only by a body."""
        text = """(float[N] c, bool up, int64 trips, bool go) => (float[N] z)
        { outer = Exp(c)
          seen = Mul(outer, s1)
          part = Add(seen, b1)
          r = If (up) <
            then_branch = yes () => (float[N] t)
            { p = Mul(part, s2)  t = Add(p, seen) },
            else_branch = no () => (float[N] e)
            { q = Sub(c, b2)  e = Div(q, six) }
          >
          z = Loop (trips, go, r) <
            body = step (int64 i, bool was, float[N] v) => (bool again, float[N] w)
            { again = Equal(was, was)  half = Mul(v, s2)  u = Add(half, part)
              w = Clip(u, zero, six) }
          > }"""
        model = parsed(text, constants(1))
        session, chains = session_and_chains(model)
        wanted = [["Add", "Mul"], ["Clip", "Mul", "Add"], ["Exp", "Mul", "Add"]]
        found = [sorted(ops) for ops in chains]
        for ops in (*map(sorted, wanted), ["Div", "Sub"]):
            self.assertIn(ops, found)
        alone = host.cpu_session(model)
        for count in (3, 1000):
            for up in (True, False):
                inputs = {"c": given(1, count), "up": up, "trips": 3, "go": True}
                inputs = {k: np.array(v) for k, v in inputs.items()}
                (got,), (right,) = (s.run(None, inputs) for s in (session, alone))
                np.testing.assert_allclose(got, right, rtol=1e-5, atol=1e-6)

    def test_many_threads(self) -> None:
        """Threads of the application meet new and known shapes, large and small."""
        model = hard_swish(1, "x")
        shapes = [(1, 7), (3, 5), (2, 4000), (LARGE // 100, 100), (64, 64), (1, 300)]
        inputs = [given(1, *dims) for dims in shapes]
        wanted = [values(c, constants(1)) for c in inputs]
        for threads, threading in [(1, "ort"), (2, "ort"), (2, "serial")]:
            session = host.session(model, threads=threads, threading=threading)

            def runs(seed: int, session: ort.InferenceSession = session) -> bool:
                order = np.random.default_rng(seed).permutation(len(shapes))
                return all(
                    got.tobytes() == wanted[i][name].tobytes()
                    for i in [*order, *order]
                    for name, got in zip("yx", session.run(None, {"c": inputs[i]}))
                )

            with self.subTest(threads=threads, threading=threading):
                with ThreadPoolExecutor(4) as pool:
                    self.assertEqual(list(pool.map(runs, range(8))), [True] * 8)

    def test_sessions_share_nothing(self) -> None:
        c = given(1, 40, 50)
        sessions = [host.session(hard_swish(kind)) for kind in (1, 1)]
        del sessions[0]
        self.same(run(sessions[0], c=c)[0], values(c, constants(1))["y"])

    def test_nodes_instead_of_chains(self) -> None:
        """ONNX Runtime cannot write a graph with fused nodes."""
        for chains, works in {"fused": False, "nodes": True}.items():
            options = host.options()
            options.add_provider_for_devices(
                host.devices(), {"claim": "all", "chains": chains}
            )
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "graph.onnx")
                options.optimized_model_filepath = str(file)
                expected = self.assertRaisesRegex(Exception, "compiled nodes")
                with contextlib.nullcontext() if works else expected:
                    session = ort.InferenceSession(
                        hard_swish(1).SerializeToString(), options, enable_fallback=0
                    )
                    self.assertEqual(host.ours(session), OPERATORS)
                    self.assertTrue(file.exists())


# Operators with the bits of the CPU provider, others of ours, foreign ones.
EXACT = ("Add", "Sub", "Mul", "Div", "Relu", "Clip", "Neg", "Abs")
OURS = ("Exp", "LeakyRelu", "Where", "Max", "Reciprocal")
FOREIGN = ("Expand", "Concat")
DIMS = [(), (1,), (5,), (3, 1), (3, 5), (2, 1, 1), (2, 3, 5)]


def random_graph(
    rng: np.random.Generator, kind: int, exact: bool, alone: bool = False
) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """Nodes that read the last few values, also stretched ones. `alone`: no foreign
    nodes, and no stretched values."""
    number = host.dtype(kind)
    inputs = {
        f"in{i}": rng.uniform(0.5, 2, (3, 5) if alone else DIMS[j]).astype(number)
        for i, j in enumerate(rng.integers(0, len(DIMS), 4))
    }
    stored = {"low": np.array(0.25), "high": np.array(3.0), "row": rng.uniform(1, 2, 5)}
    stored = {k: v.astype(number) for k, v in stored.items()}
    stored["any_shape"] = np.array([1], np.int64)
    nodes, known = [], [*inputs, "row"]
    for i in range(int(rng.integers(3, 30))):
        a, b = (known[-5:][j] for j in rng.integers(0, min(5, len(known)), 2))
        ours = EXACT if exact else (*EXACT, *OURS)
        is_foreign = rng.integers(0, 4) == 0 and not alone
        op = str(rng.choice(FOREIGN if is_foreign else ours))
        read = [a, b] if op in ("Add", "Sub", "Mul", "Div", "Max") else [a]
        if op == "Clip":
            read += ["low", "high"]
        elif op == "Where":
            nodes.append(helper.make_node("Greater", [a, b], [f"c{i}"]))
            read = [f"c{i}", a, b]
        elif op == "Expand":
            read += ["any_shape"]
        more = {"axis": 0} if op == "Concat" else {}
        if op == "Concat":  # of one input: an exact copy
            a = known[0] if len(inputs[known[0]].shape) else a
            op, more = "Identity", {}
        nodes.append(helper.make_node(op, read, [f"v{i}"], **more))
        known.append(f"v{i}")
    read = {name for node in nodes for name in node.input}
    ends = [n for n in known[5:] if n not in read or rng.integers(0, 6) == 0]
    dims = {name: [f"{name}_{i}" for i in range(v.ndim)] for name, v in inputs.items()}
    model = host.model(
        nodes,
        [helper.make_tensor_value_info(n, kind, d) for n, d in dims.items()],
        [helper.make_tensor_value_info(n, kind, None) for n in ends],
        constants=stored,
    )
    return model, inputs


def in_float(model: onnx.ModelProto) -> onnx.ModelProto:
    """The nodes of float16 in float32, between casts."""
    wide = onnx.ModelProto.FromString(model.SerializeToString())
    graph = wide.graph
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [f"{name}_wide" for name in names]
    sources = [v.name for v in (*graph.input, *graph.initializer)]
    before = [helper.make_node("Cast", [n], [f"{n}_wide"], to=1) for n in sources]
    after = [
        helper.make_node("Cast", [f"{v.name}_wide"], [v.name], to=FLOAT16)
        for v in graph.output
    ]
    nodes = [*before, *graph.node, *after]
    del graph.node[:]
    graph.node.extend(nodes)
    return wide


class RandomGraphs(unittest.TestCase):
    GRAPHS = 150

    def test_float32_bit_for_bit(self) -> None:
        steps = 0
        for seed in range(self.GRAPHS):
            rng = np.random.default_rng(seed)
            model, inputs = random_graph(rng, 1, exact=True)
            wanted = host.cpu_session(model).run(None, inputs)
            for claim in ("all", "profitable"):
                session, chains = session_and_chains(model, claim=claim)
                steps += sum(map(len, chains))
                with self.subTest(seed, claim=claim):
                    for got, right in zip(session.run(None, inputs), wanted):
                        # Which NaN comes of several is not specified.
                        got, right = (np.where(v != v, np.nan, v) for v in (got, right))
                        self.assertEqual(got.tobytes(), right.tobytes())
        print(f"{steps} nodes in chains")
        self.assertGreater(steps, 5 * self.GRAPHS)

    def test_chains_have_the_bits_of_their_nodes(self) -> None:
        steps = 0
        for kind in KINDS:
            for seed in range(self.GRAPHS // 2):
                rng = np.random.default_rng(1000 + seed)
                model, inputs = random_graph(rng, kind, exact=False)
                for claim in ("all", "profitable"):
                    try:
                        nodes = host.session(
                            model, strict=False, claim=claim, chains="nodes"
                        )
                    except Exception as error:  # noqa: BLE001
                        # The CPU provider has no foreign node of bfloat16.
                        self.assertEqual(kind, 16, error)
                        continue
                    session, chains = session_and_chains(model, claim=claim)
                    steps += sum(map(len, chains))
                    with self.subTest(seed, kind=KINDS[kind], claim=claim):
                        for got, right in zip(
                            run(session, **inputs), run(nodes, **inputs), strict=True
                        ):
                            self.assertEqual(got.tobytes(), right.tobytes())
        print(f"{steps} nodes in chains")
        self.assertGreater(steps, 5 * self.GRAPHS)

    def test_chains_of_float16_compute_in_float32(self) -> None:
        compared = 0
        for seed in range(self.GRAPHS):
            rng = np.random.default_rng(2000 + seed)
            model, inputs = random_graph(rng, FLOAT16, exact=False, alone=True)
            session, chains = session_and_chains(
                model, claim="all", accuracy="fast"
            )
            # What goes from one chain to another is rounded.
            if list(map(len, chains)) != [len(model.graph.node)]:
                continue
            compared += 1
            wide = host.session(
                in_float(model),
                strict=False,
                claim="all",
                chains="nodes",
                accuracy="fast",
            )
            with self.subTest(seed):
                for got, right in zip(
                    run(session, **inputs), run(wide, **inputs), strict=True
                ):
                    self.assertEqual(got.tobytes(), right.tobytes())
        print(f"{compared} graphs compared")
        self.assertGreater(compared, self.GRAPHS // 8)


if __name__ == "__main__":
    host.main()
