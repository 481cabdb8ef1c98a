# SPDX-License-Identifier: Apache-2.0
"""Models of the kind that people run, with weights and inputs made up. Each function
returns a model and its inputs. `kind` is the type that the model computes in; in
float64 a model serves as the reference of itself.

Needs the packages onnx and numpy only.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import onnx
import onnx.parser

Made = tuple[onnx.ModelProto, dict[str, np.ndarray]]

# Names of types in onnx's text format.
TEXT = {"float16": "float16", "float32": "float", "float64": "double"}
CAST = {"float32": 1, "float64": 11, "bfloat16": 16}


def _model(text: str, opset: int, constants: dict[str, np.ndarray]) -> onnx.ModelProto:
    head = f'<ir_version: 10, opset_import: ["" : {opset}]> graph '
    made = onnx.parser.parse_model(head + text)
    for name, value in constants.items():
        made.graph.initializer.append(onnx.numpy_helper.from_array(value, name))
    return made


def _weights(rng: np.random.Generator, *shape: int) -> np.ndarray:
    fan_in = math.prod(shape[1:]) if len(shape) == 4 else shape[0]
    return rng.normal(0, 1 / math.sqrt(fan_in), shape)


def _normalized(x: str, out: str) -> str:
    """LayerNormalization in primitives, as exporters wrote it before opset 17."""
    return f"""
      {out}_mean = ReduceMean<axes = [-1]>({x})
      {out}_centred = Sub({x}, {out}_mean)
      {out}_square = Pow({out}_centred, two)
      {out}_variance = ReduceMean<axes = [-1]>({out}_square)
      {out}_safe = Add({out}_variance, epsilon)
      {out}_deviation = Sqrt({out}_safe)
      {out}_unit = Div({out}_centred, {out}_deviation)
      {out}_scaled = Mul({out}_unit, {out}_gamma)
      {out} = Add({out}_scaled, {out}_beta)"""


def _softmax(x: str, out: str) -> str:
    return f"""
      {out}_max = ReduceMax<axes = [-1]>({x})
      {out}_below = Sub({x}, {out}_max)
      {out}_exp = Exp({out}_below)
      {out}_sum = ReduceSum({out}_exp, last)
      {out} = Div({out}_exp, {out}_sum)"""


def _gelu(x: str, out: str) -> str:
    return f"""
      {out}_div = Div({x}, root_of_two)
      {out}_erf = Erf({out}_div)
      {out}_add = Add({out}_erf, one)
      {out}_mul = Mul({x}, {out}_add)
      {out} = Mul({out}_mul, half)"""


def transformer_block(
    kind: str = "float32",
    batch: int = 1,
    length: int = 128,
    width: int = 256,
    heads: int = 4,
    whole: bool = False,
) -> Made:
    """Attention with a mask, and a feed-forward part. LayerNormalization, Softmax and
    GELU are whole operators, as exporters write them now, or spelled out."""
    depth = width // heads
    rng = np.random.default_rng(1)
    constants = {
        "epsilon": np.array(1e-5),
        "root_of_depth": np.array(math.sqrt(depth)),
        "root_of_two": np.array(math.sqrt(2)),
        "one": np.array(1.0),
        "half": np.array(0.5),
        "hidden": np.array(-1e4),
        "up": _weights(rng, width, 4 * width),
        "up_bias": rng.normal(0, 0.1, 4 * width),
        "down": _weights(rng, 4 * width, width),
        "down_bias": rng.normal(0, 0.1, width),
        **{n: _weights(rng, width, width) for n in ("wq", "wk", "wv", "wo")},
        **{f"{n}_gamma": rng.normal(1, 0.1, width) for n in ("first", "y")},
        **{f"{n}_beta": rng.normal(0, 0.1, width) for n in ("first", "y")},
    }
    constants = {name: value.astype(kind) for name, value in constants.items()}
    constants["last"] = np.int64([-1])
    # Exporters leave the exponent in float32. ONNX Runtime 1.24 cannot load the
    # float16 model with a float16 exponent.
    constants["two"] = np.array(2.0, np.float32)
    constants["to_heads"] = np.int64([0, 0, heads, depth])
    constants["from_heads"] = np.int64([0, 0, width])
    normalized, softmax, gelu = _normalized, _softmax, _gelu
    if whole:
        normalized = "{1} = LayerNormalization({0}, {1}_gamma, {1}_beta)".format
        softmax = "{1} = Softmax({0})".format
        gelu = "{1} = Gelu({0})".format
    text = f"""({TEXT[kind]}[B, S, {width}] x, bool[B, 1, 1, S] mask)
    => ({TEXT[kind]}[B, S, {width}] y) {{
      q = MatMul(x, wq)
      k = MatMul(x, wk)
      v = MatMul(x, wv)
      q_split = Reshape(q, to_heads)
      k_split = Reshape(k, to_heads)
      v_split = Reshape(v, to_heads)
      q_heads = Transpose<perm = [0, 2, 1, 3]>(q_split)
      k_heads = Transpose<perm = [0, 2, 3, 1]>(k_split)
      v_heads = Transpose<perm = [0, 2, 1, 3]>(v_split)
      products = MatMul(q_heads, k_heads)
      scores = Div(products, root_of_depth)
      seen = Where(mask, scores, hidden)
      {softmax("seen", "weights")}
      mixed = MatMul(weights, v_heads)
      together = Transpose<perm = [0, 2, 1, 3]>(mixed)
      context = Reshape(together, from_heads)
      attention = MatMul(context, wo)
      sum_one = Add(x, attention)
      {normalized("sum_one", "first")}
      wide = MatMul(first, up)
      gelu_in = Add(wide, up_bias)
      {gelu("gelu_in", "gelu")}
      narrow = MatMul(gelu, down)
      fed = Add(narrow, down_bias)
      sum_two = Add(first, fed)
      {normalized("sum_two", "y")}
    }}"""
    mask = np.ones((batch, 1, 1, length), bool)
    mask[..., length - length // 8 :] = False
    x = rng.normal(0, 1, (batch, length, width)).astype(kind)
    return _model(text, 20 if whole else 14, constants), {"x": x, "mask": mask}


def gelu_by_tanh(x: str, out: str) -> str:
    """As GPT-2 was written, and ONNX Runtime's FastGelu."""
    return f"""
      {out}_cube = Pow({x}, three)
      {out}_small = Mul({out}_cube, cubic)
      {out}_sum = Add({x}, {out}_small)
      {out}_argument = Mul({out}_sum, root_of_two_over_pi)
      {out}_tanh = Tanh({out}_argument)
      {out}_more = Add({out}_tanh, one)
      {out}_half = Mul({x}, half)
      {out} = Mul({out}_half, {out}_more)"""


def gelu_net(kind: str = "float32", length: int = 128, width: int = 256) -> Made:
    """Two feed-forward parts of a transformer: Gelu and LayerNormalization as
    operators, as exporters write them today, and Gelu by Tanh, spelled out."""
    rng = np.random.default_rng(5)
    scalars = {"one": 1, "half": 0.5, "three": 3, "cubic": 0.044715}
    scalars["root_of_two_over_pi"] = math.sqrt(2 / math.pi)
    constants = {name: np.array(value) for name, value in scalars.items()}
    for part in ("first", "second"):
        constants |= {
            f"{part}_up": _weights(rng, width, 4 * width),
            f"{part}_up_bias": rng.normal(0, 0.1, 4 * width),
            f"{part}_down": _weights(rng, 4 * width, width),
            f"{part}_down_bias": rng.normal(0, 0.1, width),
            f"{part}_gamma": rng.normal(1, 0.1, width),
            f"{part}_beta": rng.normal(0, 0.1, width),
        }

    def feed_forward(part: str, x: str, out: str, gelu: str) -> str:
        return f"""
      {part}_unit = LayerNormalization({x}, {part}_gamma, {part}_beta)
      {part}_wide = MatMul({part}_unit, {part}_up)
      {part}_in = Add({part}_wide, {part}_up_bias)
      {gelu}
      {part}_narrow = MatMul({part}_gelu, {part}_down)
      {part}_fed = Add({part}_narrow, {part}_down_bias)
      {out} = Add({x}, {part}_fed)"""

    text = f"""({TEXT[kind]}[B, S, {width}] x) => ({TEXT[kind]}[B, S, {width}] y) {{
      {feed_forward("first", "x", "middle", "first_gelu = Gelu(first_in)")}
      {feed_forward("second", "middle", "y", gelu_by_tanh("second_in", "second_gelu"))}
    }}"""
    made = {name: value.astype(kind) for name, value in constants.items()}
    x = rng.normal(0, 1, (1, length, width)).astype(kind)
    return _model(text, 20, made), {"x": x}


def silu_net(kind: str = "float32", side: int = 64, channels: int = 32) -> Made:
    """A detector's backbone: x * Sigmoid(x) behind each convolution, and sums."""
    rng = np.random.default_rng(6)
    constants = {}
    blocks = []
    before = 3
    x = "image"
    for i in range(4):
        constants[f"w{i}"] = _weights(rng, channels, before, 3, 3)
        constants[f"b{i}"] = rng.normal(0, 0.1, channels)
        stride = 2 if i % 2 == 0 else 1
        blocks.append(f"""
      c{i} = Conv<pads = [1, 1, 1, 1], strides = [{stride}, {stride}]>({x}, w{i}, b{i})
      s{i} = Sigmoid(c{i})
      m{i} = Mul(c{i}, s{i})""")
        x = f"m{i}"
        if stride == 1:
            blocks.append(f"      r{i} = Add(m{i}, m{i - 1})")
            x = f"r{i}"
        before = channels
    constants["w"] = _weights(rng, channels, 10)
    constants["b"] = rng.normal(0, 0.1, 10)
    made = {name: value.astype(kind) for name, value in constants.items()}
    text = f"""({TEXT[kind]}[N, 3, {side}, {side}] image)
    => ({TEXT[kind]}[N, 10] y) {{
      {"".join(blocks)}
      pooled = GlobalAveragePool({x})
      flat = Flatten(pooled)
      y = Gemm(flat, w, b)
    }}"""
    image = rng.normal(0, 1, (1, 3, side, side)).astype(kind)
    return _model(text, 14, made), {"image": image}


def convolutional_net(kind: str = "float32", batch: int = 4, side: int = 32) -> Made:
    """Relu after Conv, Reshape into Gemm, and a softmax."""
    rng = np.random.default_rng(2)
    features = 32 * (side // 4) ** 2
    constants = {
        "w1": _weights(rng, 16, 3, 3, 3),
        "b1": rng.normal(0, 0.1, 16),
        "w2": _weights(rng, 32, 16, 3, 3),
        "b2": rng.normal(0, 0.1, 32),
        "w3": _weights(rng, features, 64),
        "b3": rng.normal(0, 0.1, 64),
        "w4": _weights(rng, 64, 10),
        "b4": rng.normal(0, 0.1, 10),
        "mean": rng.normal(0, 0.2, (3, 1, 1)),
        "deviation": rng.uniform(0.5, 2, (3, 1, 1)),
    }
    constants = {name: value.astype(kind) for name, value in constants.items()}
    constants |= {"rows": np.int64([0, -1]), "last": np.int64([-1])}
    text = f"""({TEXT[kind]}[N, 3, {side}, {side}] image)
    => ({TEXT[kind]}[N, 10] y) {{
      moved = Sub(image, mean)
      unit = Div(moved, deviation)
      c1 = Conv<pads = [1, 1, 1, 1]>(unit, w1, b1)
      r1 = Relu(c1)
      p1 = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(r1)
      c2 = Conv<pads = [1, 1, 1, 1]>(p1, w2, b2)
      r2 = LeakyRelu<alpha = 0.1>(c2)
      p2 = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(r2)
      flat = Reshape(p2, rows)
      g1 = Gemm(flat, w3, b3)
      r3 = Relu(g1)
      g2 = Gemm(r3, w4, b4)
      {_softmax("g2", "y")}
    }}"""
    image = rng.normal(0, 1, (batch, 3, side, side)).astype(kind)
    return _model(text, 13, constants), {"image": image}


def embeddings(kind: str = "float32", rows: int = 4096, fields: int = 16) -> Made:
    """A table of features as a recommender reads it: identifiers in two tables by
    quotient and remainder, counts in buckets of a width that is an input."""
    rng = np.random.default_rng(3)
    width, hidden = 16, 64
    constants = {
        "quotients": rng.normal(0, 1, (1000, width)),
        "remainders": rng.normal(0, 1, (1024, width)),
        "buckets": rng.normal(0, 1, (64, width)),
        "w1": _weights(rng, fields * width, hidden),
        "b1": rng.normal(0, 0.1, hidden),
        "w2": _weights(rng, hidden, 1),
        "zero": np.array(0.0),
        "one": np.array(1.0),
    }
    constants = {name: value.astype(kind) for name, value in constants.items()}
    constants |= {
        "divisor": np.array(1024),
        "least": np.array(0),
        "most": np.array(63),
        "nobody": np.array(-1),
        "to_rows": np.int64([-1, fields * width]),
    }
    text = f"""(int64[N, {fields}] ids, int64[N, {fields}] counts, int64 bucket_width)
    => ({TEXT[kind]}[N, 1] y) {{
      unknown = Equal(ids, nobody)
      known = Where(unknown, least, ids)
      quotient = Div(known, divisor)
      product = Mul(quotient, divisor)
      remainder = Sub(known, product)
      bucket = Div(counts, bucket_width)
      place = Clip(bucket, least, most)
      e1 = Gather(quotients, quotient)
      e2 = Gather(remainders, remainder)
      e3 = Gather(buckets, place)
      e12 = Mul(e1, e2)
      e = Add(e12, e3)
      row = Reshape(e, to_rows)
      h1 = MatMul(row, w1)
      h2 = Add(h1, b1)
      h3 = Relu(h2)
      logit = MatMul(h3, w2)
      minus = Sub(zero, logit)
      grown = Exp(minus)
      more = Add(grown, one)
      y = Reciprocal(more)
    }}"""
    ids = rng.integers(-1, 1000 * 1024, (rows, fields))
    counts = rng.integers(0, 10000, (rows, fields))
    inputs = {"ids": ids, "counts": counts, "bucket_width": np.array(97)}
    return _model(text, 14, constants), inputs


def bfloat16_gate(kind: str = "bfloat16", rows: int = 512, width: int = 512) -> Made:
    """Products in float32 and a gate in bfloat16, which ONNX Runtime's CPU provider
    refuses to load. The inputs and the output are float32."""
    rng = np.random.default_rng(4)
    outside = "float32" if kind == "bfloat16" else kind
    narrow = onnx.helper.tensor_dtype_to_np_dtype(CAST[kind])
    gate = {
        "temperature": np.array(1.5),
        "one": np.array(1.0),
        "zero": np.array(0.0),
        "low": np.array(-20.0),
        "high": np.array(20.0),
        "limit": np.array(0.25),
    }
    constants = {name: value.astype(narrow) for name, value in gate.items()}
    constants["w1"] = _weights(rng, width, 2 * width).astype(outside)
    constants["w2"] = _weights(rng, width, width).astype(outside)
    constants["halves"] = np.int64([-1, 2, width])
    constants["flat"] = np.int64([-1, width])
    constants["parts"] = np.int64([1, 1])
    text = f"""({TEXT[outside]}[N, {width}] x) => ({TEXT[outside]}[N, {width}] y) {{
      both = MatMul(x, w1)
      both_narrow = Cast<to = {CAST[kind]}>(both)
      split = Reshape(both_narrow, halves)
      bounded = Clip(split, low, high)
      cooled = Div(bounded, temperature)
      minus = Sub(zero, cooled)
      grown = Exp(minus)
      more = Add(grown, one)
      sigmoid = Reciprocal(more)
      is_open = Greater(sigmoid, limit)
      active = LeakyRelu<alpha = 0.125>(split)
      gated = Mul(active, sigmoid)
      chosen = Where(is_open, gated, zero)
      positive = Relu(chosen)
      sum = Add(positive, gated)
      back = Cast<to = {CAST[outside]}>(sum)
      a, b = Split<axis = 1>(back, parts)
      a_flat = Reshape(a, flat)
      b_flat = Reshape(b, flat)
      product = Mul(a_flat, b_flat)
      y = MatMul(product, w2)
    }}"""
    return _model(text, 16, constants), {
        "x": rng.normal(0, 1, (rows, width)).astype(outside)
    }


# Each model that is tested and timed, by name.
MODELS: dict[str, Callable[[], Made]] = {
    "transformer_float32": lambda: transformer_block("float32"),
    "transformer_float16": lambda: transformer_block("float16"),
    "transformer_whole": lambda: transformer_block(whole=True),
    "gelu_net": gelu_net,
    "silu_net": silu_net,
    "convolutional_net": convolutional_net,
    "embeddings": embeddings,
    "bfloat16_gate": bfloat16_gate,
}
# The same model in float64.
REFERENCES: dict[str, Callable[[], Made]] = {
    "transformer_float32": lambda: transformer_block("float64"),
    "transformer_float16": lambda: transformer_block("float64"),
    "transformer_whole": lambda: transformer_block("float64"),
    "gelu_net": lambda: gelu_net("float64"),
    "silu_net": lambda: silu_net("float64"),
    "convolutional_net": lambda: convolutional_net("float64"),
    "embeddings": lambda: embeddings("float64"),
    "bfloat16_gate": lambda: bfloat16_gate("float64"),
}
