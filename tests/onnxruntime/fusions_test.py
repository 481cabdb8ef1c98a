# SPDX-License-Identifier: Apache-2.0
"""What the provider says about ONNX Runtime's own fusions and layouts, compared with
the graphs that ONNX Runtime writes without the provider. A node is said to be fused if
and only if the written graph does not have the node any more. Each case has the name of
a rule: a version of ONNX Runtime that does otherwise fails under that name."""

from __future__ import annotations

import dataclasses
import functools
import unittest

import host
import numpy as np

FLOAT = np.float32
REASON = "ONNX Runtime can fuse the node"


@dataclasses.dataclass(frozen=True)
class Case:
    """A model in onnx's text format. Each node has the name of its first output."""

    text: str
    opset: int = 17
    constants: tuple[str, ...] = ()  # beside those that the text names


def constants() -> dict[str, np.ndarray]:
    """By name. A model gets those that its text reads."""
    rng = np.random.default_rng(1)

    def normal(*dims: int) -> np.ndarray:
        return rng.normal(0, 1, dims).astype(FLOAT)

    scalars = {
        "k0": 0, "k1": 1, "k2": 2, "k3": 3, "k6": 6, "k01": 0.1, "k05": 0.5,
        "sqrt2": 2**0.5, "cubic": 0.044715, "sqrt2pi": 0.7978845834732056,
        "k1702": 1.702, "eps": 1e-5,
    }  # fmt: skip
    return {
        **{name: FLOAT(value) for name, value in scalars.items()},
        "k1x2": np.array([2], FLOAT),
        "k1111": np.full((1, 1, 1, 1), 2, FLOAT),
        "vec": normal(16),
        "beta": normal(16),
        "row32": normal(32, 1, 1),
        "row16": normal(16, 1, 1),
        "same": normal(1, 32, 8, 8),
        "w16": normal(32, 16, 3, 3),
        "w17": normal(32, 17, 3, 3),
        "w32": normal(32, 32, 3, 3),
        "b32": normal(32),
        "m": normal(16, 16),
        "rows": normal(4, 16),
        "hvec": normal(16).astype(np.float16),
        "d01": np.float64(0.1),
        "d2": np.float64(2),
        "h2": np.float16(2),
        "hw16": normal(32, 16, 3, 3).astype(np.float16),
        "hb32": normal(32).astype(np.float16),
        "hm": normal(16, 16).astype(np.float16),
        "axes": np.int64([-1]),
        "s": FLOAT(0.1),
        "z0": np.uint8(0),
        "z128": np.uint8(128),
        "q8": rng.integers(-9, 9, (16, 16)).astype(np.int8),
        "qz": np.int8(0),
        "up2": np.array([1, 1, 2, 2], FLOAT),
        "heads": np.int64([0, 0, 4, 4]),
        "unheads": np.int64([0, 0, 16]),
    }


@functools.cache
def model(case: Case) -> bytes:
    return host.named(case.text, constants(), opset=case.opset)


def explained(given: bytes | str) -> dict[str, dict]:
    """The provider's words about each node of its operators, by name. Tight engines
    leave all fusions to ONNX Runtime."""
    lines = host.optimized(given, "profitable", accuracy="tight").decisions
    return {line["node"]: line for line in lines if "node" in line}


CONV = "c = Conv<pads = [1, 1, 1, 1]>"
IN16 = "(float[1, 16, 8, 8] x, float[1, 32, 8, 8] z, float lo)"
IN17 = IN16.replace("16", "17")
OUT = "=> (float[1, 32, 8, 8] y)"
C16 = f"{IN16} {OUT} {{ {CONV}(x, w16, b32)"
C17 = f"{IN17} {OUT} {{ {CONV}(x, w17, b32)"
ROWS = "(float[B, 4, 16] i, float[B, 4, 16] j, float k) => (float[B, 4, 16] y)"
PRODUCT = "(float[B, 4, 16] x, float[B, 16, 5] q, float k) => (float[B, 4, 5] y)"
GEMM = "(float[4, 16] x) => (float[4, 16] y) { c = Gemm(x, m)"
ERF = "e = Erf(d) a = Add(e, k1)"
CUBE = """p = Pow(x, k3) q = Mul(p, cubic) r = Add(x, q) s = Mul(r, sqrt2pi)
  t = Tanh(s) u = Add(t, k1) v = Mul(x, k05)"""
SQUARE = """q = Mul(x, cubic) p = Mul(q, x) r = Add(p, k1) f = Mul(x, sqrt2pi)
  s = Mul(f, r) t = Tanh(s) u = Add(t, k1) v = Mul(x, k05)"""
NORM = """a = ReduceMean<axes = [-1]>(x) b = Sub(x, a) p = Pow(b, k2)
  v = ReduceMean<axes = [-1]>(p) w = Add(v, eps) r = Sqrt(w) d = Div(b, r)"""
RMS = """p = Pow(x, k2) v = ReduceMean<axes = [-1]>(p) w = Add(v, eps) r = Sqrt(w)
  d = Div(x, r)"""
QUANTIZED = """(uint8[1, 16, 4, 4] a, uint8[1, 16, 4, 4] b, float[1, 16, 4, 4] f,
  bool[1, 16, 4, 4] c) => (uint8[A, B, C, D] y) {
  x = DequantizeLinear(a, s, z128) x2 = DequantizeLinear(b, s, z128)"""
INTEGER = """(float[2, 4, 16] x) => (float[2, 4, 16] y) {
  a, sa, za = DynamicQuantizeLinear(x) p = MatMulInteger(a, q8, za, qz)
  c = Cast<to = 1>(p) sc = Mul(sa, s)"""


def convolutions() -> dict[str, str]:
    cases = {}
    for op in ("Relu", "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid", "Exp", "Abs"):
        cases[f"conv, {op}"] = f"{C16} y = {op}(c) }}"
        cases[f"plain conv, {op}"] = f"{C17} y = {op}(c) }}"
        cases[f"conv, sum, {op}"] = f"{C16} a = Add(c, z) y = {op}(a) }}"
        cases[f"plain conv, sum, {op}"] = f"{C17} a = Add(c, z) y = {op}(a) }}"
        cases[f"two convs, sum, {op}"] = (
            f"{C16} d = Conv<pads = [1, 1, 1, 1]>(z, w32) a = Add(c, d) y = {op}(a) }}"
        )
    return cases | {
        "conv, Relu without bias": f"{IN16} {OUT} {{ {CONV}(x, w16) y = Relu(c) }}",
        "plain conv without bias, sum": (
            f"{IN17} {OUT} {{ {CONV}(x, w17) a = Add(c, z) y = Relu(a) }}"
        ),
        "plain conv, sum reversed": f"{C17} a = Add(z, c) y = Relu(a) }}",
        "plain conv, sum of itself": f"{C17} a = Add(c, c) y = Relu(a) }}",
        "plain conv, sum read twice": (
            f"{C17} a = Add(c, z) r = Relu(a) y = Sub(r, a) }}"
        ),
        "plain conv, sum with constant": f"{C17} a = Add(c, same) y = Relu(a) }}",
        "plain conv, sum with scalar": f"{C17} a = Add(c, k1) y = Relu(a) }}",
        "plain conv, sum with scalar input": f"{C17} a = Add(c, lo) y = Relu(a) }}",
        "conv read twice": f"{C16} r = Relu(c) y = Sub(r, c) }}",
        "conv read twice by one node": f"{C16} y = Mul(c, c) }}",
        "plain conv read twice": f"{C17} a = Add(c, z) r = Relu(a) y = Sub(r, c) }}",
        "conv is output": (
            f"{IN16} => (float[1, 32, 8, 8] y, float[1, 32, 8, 8] c) {{"
            f"{CONV}(x, w16, b32) y = Relu(c) }}"
        ),
        "conv, Relu read twice": f"{C16} r = Relu(c) a = Abs(r) y = Sub(r, a) }}",
        "conv, scalar Mul": f"{C16} e = Mul(c, k1x2) y = Relu(e) }}",
        "conv, scalar Add": f"{C16} e = Add(c, k3) y = Relu(e) }}",
        "conv, scalar Div": f"{C16} e = Div(c, k6) y = Relu(e) }}",
        "conv, Relu, scalar Mul": f"{C16} r = Relu(c) y = Mul(r, k2) }}",
        "conv, Relu, Mul by channel": f"{C16} r = Relu(c) y = Mul(r, row32) }}",
        "conv, Relu, Add by channel": f"{C16} r = Relu(c) y = Add(r, row32) }}",
        "conv, hard swish in primitives": (
            f"{C16} r = Mul(c, k1x2) e = Add(r, k1x2) a = Add(e, k3) l = Clip(a, k0, k6)"
            " g = Mul(e, l) d = Div(g, k6) h = Mul(d, k1x2) y = Add(h, k1x2) }"
        ),
        "conv, Clip": f"{C16} y = Clip(c, k0, k6) }}",
        "conv, Clip without minimum": f"{C16} y = Clip(c, , k6) }}",
        "conv, Clip by input": f"{C16} y = Clip(c, lo, k6) }}",
        "plain conv, Clip by input": f"{C17} a = Add(c, z) y = Clip(a, lo, k6) }}",
        "conv, x * Sigmoid(x)": f"{C16} s1 = Sigmoid(c) y = Mul(c, s1) }}",
        "conv, x * Tanh(x)": f"{C16} t = Tanh(c) y = Mul(c, t) }}",
        "conv, x * HardSigmoid(x)": f"{C16} h = HardSigmoid(c) y = Mul(c, h) }}",
        "conv, HardSwish": (
            f"{C16} h = HardSigmoid<alpha = 0.16666667, beta = 0.5>(c) y = Mul(c, h) }}"
        ),
        "float16 conv, Relu": (
            f"(float16[1, 16, 8, 8] x) {OUT.replace('float', 'float16')} {{"
            f"{CONV}(x, hw16, hb32) y = Relu(c) }}"
        ),
        "ConvTranspose, Relu": (
            "(float[1, 32, 8, 8] x) => (float[1, 16, 10, 10] y) {"
            "c = ConvTranspose(x, w16) y = Relu(c) }"
        ),
        "conv with weights from outside": (
            "(float[1, 16, 8, 8] x, float[32, 16, 3, 3] w) => (float[1, 32, 8, 8] y) {"
            f"{CONV}(x, w) y = Relu(c) }}"
        ),
    }


def products() -> dict[str, str]:
    cases = {
        f"Gemm, {op}": f"{GEMM} y = {op}(c) }}"
        for op in ("Relu", "LeakyRelu", "Sigmoid", "Tanh", "Exp", "Abs", "Elu", "Selu")
    }
    double = PRODUCT.replace("float", "double")
    return cases | {
        "Gemm, Clip": f"{GEMM} y = Clip(c, k0, k6) }}",
        "Gemm, scale": f"{GEMM} y = Mul(c, k2) }}",
        "Gemm read twice": f"{GEMM} r = Relu(c) y = Sub(r, c) }}",
        "Gemm is output": GEMM.replace("y)", "y, float[4, 16] c)") + " y = Relu(c) }",
        "float16 Gemm, Relu": GEMM.replace("float", "float16").replace("m)", "hm)")
        + " y = Relu(c) }",
        "MatMul, Relu": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Relu(m1) }}",
        "MatMul, Mul": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Mul(m1, k2) }}",
        "MatMul, Mul reversed": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Mul(k2, m1) }}",
        "MatMul, Div": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Div(m1, k2) }}",
        "MatMul, Div reversed": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Div(k2, m1) }}",
        "MatMul, Mul by [1]": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Mul(m1, k1x2) }}",
        "MatMul, Mul by more dims": (
            PRODUCT.replace("[B, 4, 5]", "[A, B, 4, 5]")
            + "{ m1 = MatMul(x, q) y = Mul(m1, k1111) }"
        ),
        "MatMul, Mul by input": f"{PRODUCT} {{ m1 = MatMul(x, q) y = Mul(m1, k) }}",
        "MatMul read twice": (
            f"{PRODUCT} {{ m1 = MatMul(x, q) e = Mul(m1, k2) y = Add(e, m1) }}"
        ),
        "Mul, MatMul": f"{PRODUCT} {{ e = Mul(x, k2) y = MatMul(e, q) }}",
        "MatMul, Div on the right": f"{PRODUCT} {{ e = Div(q, k3) y = MatMul(x, e) }}",
        "Mul read twice, MatMul": (
            f"{PRODUCT} {{ e = Mul(x, k2) p = MatMul(e, q) t = ReduceSum(e) "
            "y = Add(p, t) }"
        ),
        "Mul for two MatMul": (
            "(float[4, 16] x, float[16, 4] q) => (float[4, 16] y) {"
            "e = Mul(x, k2) p = MatMul(e, q) y = MatMul(p, e) }"
        ),
        "MatMul, Mul, Mul": (
            f"{PRODUCT} {{ p = MatMul(x, q) e = Mul(p, k2) y = Mul(e, k3) }}"
        ),
        "Mul, Div, MatMul": (
            f"{PRODUCT} {{ e = Mul(x, k2) d = Div(e, k3) y = MatMul(d, q) }}"
        ),
        "MatMul, Add, Mul": (
            f"{PRODUCT} {{ p = MatMul(x, q) e = Add(p, k2) y = Mul(e, k2) }}"
        ),
        "float64 MatMul, inexact": f"{double} {{ p = MatMul(x, q) y = Mul(p, d01) }}",
        "float64 MatMul, exact": f"{double} {{ p = MatMul(x, q) y = Mul(p, d2) }}",
        "float16 MatMul, Mul": PRODUCT.replace("float", "float16")
        + "{ p = MatMul(x, q) y = Mul(p, h2) }",
        "MatMul, bias": f"{ROWS} {{ p = MatMul(i, m) e = Add(p, vec) y = Abs(e) }}",
        "MatMul, bias, Relu": (
            f"{ROWS} {{ p = MatMul(i, m) e = Add(p, vec) y = Relu(e) }}"
        ),
        "scores, mask, Softmax": (
            "(float[2, 4, 3, 16] x, float[2, 4, 16, 5] q, float[2, 1, 1, 5] z)"
            "=> (float[2, 4, 3, 5] y) { p = MatMul(x, q) d = Div(p, k2) a = Add(d, z)"
            "y = Softmax(a) }"
        ),
        "Where, Softmax": (
            "(float[2, 16] x, bool[2, 16] c) => (float[2, 16] y) {"
            "w = Where(c, x, k6) y = Softmax(w) }"
        ),
    }


def gelus() -> dict[str, str]:
    body = f"x = Abs(i) d = Div(x, sqrt2) {ERF}"
    cases = {
        "Gelu": f"{body} f = Mul(x, a) y = Mul(f, k05)",
        "Gelu reversed": (
            "x = Abs(i) d = Div(x, sqrt2) e = Erf(d) a = Add(k1, e) f = Mul(a, x)"
            "y = Mul(k05, f)"
        ),
        "Gelu, half first": f"{body} f = Mul(x, k05) y = Mul(f, a)",
        "Gelu, half on the sum": f"{body} f = Mul(a, k05) y = Mul(x, f)",
        "Gelu by a factor": (
            f"x = Abs(i) d = Mul(x, k05) {ERF} f = Mul(x, a) y = Mul(f, k05)"
        ),
        "Gelu, other root": (
            f"x = Abs(i) d = Div(x, k2) {ERF} f = Mul(x, a) y = Mul(f, k05)"
        ),
        "Gelu, sum read twice": f"{body} f = Mul(x, a) g = Mul(f, k05) y = Add(g, a)",
        "Gelu, product read twice": (
            f"{body} f = Mul(x, a) g = Mul(f, k05) y = Add(g, f)"
        ),
        "Gelu on input": f"d = Div(i, sqrt2) {ERF} f = Mul(i, a) y = Mul(f, k05)",
        "BiasGelu": (
            f"x = Add(i, vec) d = Div(x, sqrt2) {ERF} f = Mul(x, a) y = Mul(f, k05)"
        ),
        "BiasGelu reversed": (
            f"x = Add(vec, i) d = Div(x, sqrt2) {ERF} f = Mul(x, a) y = Mul(f, k05)"
        ),
        "Gelu of a sum": (
            f"x = Add(i, j) d = Div(x, sqrt2) {ERF} f = Mul(x, a) y = Mul(f, k05)"
        ),
        "Gelu of a scalar sum": (
            f"x = Add(i, k3) d = Div(x, sqrt2) {ERF} f = Mul(x, a) y = Mul(f, k05)"
        ),
        "BiasGelu, sum read twice": (
            f"x = Add(i, vec) d = Div(x, sqrt2) {ERF} f = Mul(x, a) g = Mul(f, k05)"
            "y = Add(g, x)"
        ),
        "FastGelu by Pow": f"x = Abs(i) {CUBE} g = Mul(u, v) y = Abs(g)",
        "FastGelu by Mul": f"x = Abs(i) {SQUARE} g = Mul(v, u) y = Abs(g)",
        "FastGelu is output": f"x = Abs(i) {CUBE} y = Mul(u, v)",
        "FastGelu with bias": f"x = Add(i, vec) {CUBE} g = Mul(u, v) y = Abs(g)",
        "FastGelu, half behind": (
            f"x = Abs(i) {CUBE.replace('v = Mul(x, k05)', 'v = Mul(x, u)')}"
            "g = Mul(v, k05) y = Abs(g)"
        ),
        "FastGelu, other factor": (
            f"x = Abs(i) {CUBE.replace('cubic', 'k01')} g = Mul(u, v) y = Abs(g)"
        ),
        "QuickGelu": "x = Abs(i) t = Sigmoid(x) y = Mul(x, t)",
        "QuickGelu reversed": "x = Abs(i) t = Sigmoid(x) y = Mul(t, x)",
        "QuickGelu with factor": (
            "x = Abs(i) f = Mul(x, k1702) t = Sigmoid(f) y = Mul(x, t)"
        ),
        "QuickGelu with factor reversed": (
            "x = Abs(i) f = Mul(k1702, x) t = Sigmoid(f) y = Mul(t, x)"
        ),
        "QuickGelu with factor read twice": (
            "x = Abs(i) f = Mul(x, k1702) t = Sigmoid(f) g = Mul(x, t) y = Add(g, f)"
        ),
        "QuickGelu of the factor": (
            "x = Abs(i) f = Mul(x, k1702) t = Sigmoid(f) y = Mul(f, t)"
        ),
        "QuickGelu with input": "x = Abs(i) f = Mul(x, k) t = Sigmoid(f) y = Mul(x, t)",
        "Sigmoid read twice": "x = Abs(i) t = Sigmoid(x) g = Mul(x, t) y = Add(g, t)",
        "Sigmoid of something else": "x = Abs(i) t = Sigmoid(x) y = Mul(i, t)",
        "SwiGLU": "t = Sigmoid(i) g = Mul(i, t) y = Mul(g, j)",
        "x * HardSigmoid(x)": "x = Abs(i) t = HardSigmoid(x) y = Mul(x, t)",
        "Softmax in primitives": (
            "a = ReduceMax<axes = [-1]>(i) b = Sub(i, a) c = Exp(b) "
            "d = ReduceSum(c, axes) y = Div(c, d)"
        ),
    }
    made = {name: f"{ROWS} {{ {body} }}" for name, body in cases.items()}
    made["Sigmoid is output"] = (
        "(float[4, 16] x) => (float[4, 16] y, float[4, 16] t) {"
        "t = Sigmoid(x) y = Mul(x, t) }"
    )
    made["float16 QuickGelu"] = (
        "(float16[4, 16] x) => (float16[4, 16] y) { t = Sigmoid(x) y = Mul(x, t) }"
    )
    return made


def normalizations() -> dict[str, str]:
    affine = "g = Mul(d, vec) y0 = Add(g, beta) y = Abs(y0)"
    cases = {
        "LayerNormalization": f"x = Abs(i) {NORM} {affine}",
        "LayerNormalization reversed": (
            f"x = Abs(i) {NORM} g = Mul(vec, d) y0 = Add(beta, g) y = Abs(y0)"
        ),
        "LayerNormalization by Mul": (
            f"x = Abs(i) {NORM.replace('Pow(b, k2)', 'Mul(b, b)')} {affine}"
        ),
        "LayerNormalization without affine": f"x = Abs(i) {NORM} y = Abs(d)",
        "LayerNormalization without beta": (
            f"x = Abs(i) {NORM} g = Mul(d, vec) y = Abs(g)"
        ),
        "LayerNormalization on another axis": (
            f"x = Abs(i) {NORM.replace('[-1]', '[1]')} {affine}"
        ),
        "LayerNormalization read inside": (
            f"x = Abs(i) {NORM} g = Mul(d, vec) y0 = Add(g, beta) y = Add(y0, d)"
        ),
        "LayerNormalization by Reciprocal": (
            f"x = Abs(i) {NORM.replace('d = Div(b, r)', 'l = Reciprocal(r) d = Mul(b, l)')}"
            + affine
        ),
        "sum, LayerNormalization in primitives": f"x = Add(i, j) {NORM} {affine}",
        "RMSNormalization": f"x = Abs(i) {RMS} g = Mul(d, vec) y = Abs(g)",
        "RMSNormalization reversed": f"x = Abs(i) {RMS} g = Mul(vec, d) y = Abs(g)",
        "sum, RMSNormalization": f"x = Add(i, j) {RMS} g = Mul(d, vec) y = Abs(g)",
        "sum, LayerNormalization": "x = Add(i, j) y = LayerNormalization(x, vec, beta)",
        "sum read twice, LayerNormalization": (
            "x = Add(i, j) n = LayerNormalization(x, vec, beta) y = Add(n, x)"
        ),
        "bias, sum, LayerNormalization": (
            "b = Add(i, vec) x = Add(b, j) y = LayerNormalization(x, vec, beta)"
        ),
        "sum with bias on the right, LayerNormalization": (
            "b = Add(i, vec) x = Add(j, b) y = LayerNormalization(x, vec, beta)"
        ),
        "reversed bias, sum, LayerNormalization": (
            "b = Add(vec, i) x = Add(j, b) y = LayerNormalization(x, vec, beta)"
        ),
        "bias, LayerNormalization": (
            "x = Add(i, vec) y = LayerNormalization(x, vec, beta)"
        ),
        "sum, Softmax": "x = Add(i, j) y = Softmax(x)",
        "sum, LayerNormalization by its axis": (
            "x = Add(i, j) y = LayerNormalization<axis = 2>(x, vec, beta)"
        ),
        "sum, LayerNormalization of two dims": (
            "x = Add(i, j) y = LayerNormalization<axis = 1>(x, rows, rows)"
        ),
    }
    made = {name: f"{ROWS} {{ {body} }}" for name, body in cases.items()}
    norm = "x = Add(i, j) y = LayerNormalization(x, vec, beta)"
    for name, dims in {
        "sum of 2 dims, LayerNormalization": "[4, 16]",
        "sum of 4 dims, LayerNormalization": "[2, 4, 3, 16]",
        "sum of named dims, LayerNormalization": "[B, S, 16]",
    }.items():
        made[name] = f"(float{dims} i, float{dims} j) => (float{dims} y) {{ {norm} }}"
    made["stretched sum, LayerNormalization"] = (
        f"(float[2, 4, 16] i, float[1, 4, 16] j) => (float[2, 4, 16] y) {{ {norm} }}"
    )
    made["float16 sum, LayerNormalization"] = (
        "(float16[2, 4, 16] i, float16[2, 4, 16] j) => (float16[2, 4, 16] y)"
        "{ x = Add(i, j) y = LayerNormalization(x, hvec, hvec) }"
    )
    made["Attention"] = attention()
    return made


def attention() -> str:
    """The layer that ONNX Runtime knows from BERT."""
    split = "Transpose<perm = [0, 2, 1, 3]>"
    heads = "".join(
        f"{n}p = MatMul(x, m) {n}b = Add({n}p, vec) {n}r = Reshape({n}b, heads)"
        f"{n}t = Transpose<perm = [0, 2, {'3, 1' if n == 'k' else '1, 3'}]>({n}r) "
        for n in "qkv"
    )
    return f"""(float[2, 8, 16] i, float[2, 1, 1, 8] mask) => (float[2, 8, 16] y) {{
      x = LayerNormalization(i, vec, beta) {heads}
      p = MatMul(qt, kt) d = Div(p, k2) a = Add(d, mask) f = Softmax(a)
      o = MatMul(f, vt) t = {split}(o) r = Reshape(t, unheads) w = MatMul(r, m)
      wb = Add(w, vec) z = Add(wb, x) y = LayerNormalization(z, vec, beta)
    }}"""


def quantized() -> dict[str, str]:
    unary = ("Relu", "LeakyRelu", "Sigmoid", "Exp", "Abs", "Reciprocal", "Softmax")
    unary += ("LogSoftmax", "GlobalAveragePool", "GlobalMaxPool", "ReduceSum")
    cases = {f"quantized {op}": f"o = {op}(x)" for op in unary}
    for op in ("Add", "Sub", "Mul", "Div"):
        cases[f"quantized {op}"] = f"o = {op}(x, x2)"
    cases |= {
        "quantized Max": "o = Max(x, x2)",
        "quantized Add with float": "o = Add(x, f)",
        "quantized Where": "o = Where(c, x, x2)",
        "quantized Clip": "o = Clip(x, k0, k6)",
        "quantized Relu, Add": "r = Relu(x) o = Add(r, x2)",
    }
    made = {
        name: f"{QUANTIZED} {body} y = QuantizeLinear(o, s, z128) }}"
        for name, body in cases.items()
    }
    behind = "(float[4, 16] x) => (uint8[4, 16] y) {"
    return made | {
        "Relu, QuantizeLinear from 0": (
            f"{behind} r = Relu(x) y = QuantizeLinear(r, s, z0) }}"
        ),
        "Relu, QuantizeLinear": (
            f"{behind} r = Relu(x) y = QuantizeLinear(r, s, z128) }}"
        ),
        "Clip, QuantizeLinear": (
            f"{behind} r = Clip(x, k0, k6) y = QuantizeLinear(r, s, z0) }}"
        ),
        "Add, QuantizeLinear": (
            f"{behind} r = Add(x, k2) y = QuantizeLinear(r, s, z0) }}"
        ),
        "DequantizeLinear, Mul": (
            "(uint8[4, 16] a) => (float[4, 16] y) {"
            "x = DequantizeLinear(a, s, z128) y = Mul(x, k6) }"
        ),
        "MatMulInteger, scale": f"{INTEGER} y = Mul(c, sc) }}",
        "MatMulInteger, scale reversed": f"{INTEGER} y = Mul(sc, c) }}",
        "MatMulInteger, scale, bias": f"{INTEGER} d = Mul(c, sc) y = Add(d, vec) }}",
        "MatMulInteger, bias reversed": f"{INTEGER} d = Mul(c, sc) y = Add(vec, d) }}",
        "MatMulInteger, scale, bias, Relu": (
            f"{INTEGER} d = Mul(c, sc) e = Add(d, vec) y = Relu(e) }}"
        ),
        "MatMulInteger, scale by input": (
            "(uint8[2, 4, 16] x, float k) => (float[2, 4, 16] y) {"
            "p = MatMulInteger(x, q8) c = Cast<to = 1>(p) y = Mul(c, k) }"
        ),
    }


class Fusions(unittest.TestCase):
    def check(self, name: str, case: Case) -> None:
        given = model(case)
        left = {(node.op_type, node.name) for node in host.optimized(given).graph.node}
        for node, line in explained(given).items():
            fused = (line["op"], node) not in left
            said = line["reason"].startswith(REASON)
            with self.subTest(name, node=node, op=line["op"], reason=line["reason"]):
                self.assertEqual(said, fused)

    def check_all(self, cases: dict[str, str], opsets: tuple[int, ...] = (17,)) -> None:
        for name, text in cases.items():
            for opset in opsets:
                self.check(f"{name}, opset {opset}", Case(text, opset))

    def test_convolutions(self) -> None:
        self.check_all(convolutions(), (14, 17, 22))

    def test_products(self) -> None:
        self.check_all(products(), (14, 17, 22))

    def test_gelus(self) -> None:
        self.check_all(gelus(), (14, 17))

    def test_normalizations(self) -> None:
        self.check_all(normalizations())
        if host.newest_opset() >= 23:
            sums = f"{ROWS} {{ x = Add(i, j) y = RMSNormalization(x, vec) }}"
            self.check_all({"sum, the operator RMSNormalization": sums}, (23,))

    def test_quantized(self) -> None:
        self.check_all(quantized())


if __name__ == "__main__":
    host.main()
