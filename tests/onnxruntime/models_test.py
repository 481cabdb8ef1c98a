# SPDX-License-Identifier: Apache-2.0
"""Whole models with and without the provider: the answers, and what the provider's
claims do to the graph."""

from __future__ import annotations

import collections
import functools
import unittest

import host
import models
import numpy as np
import one_op
import onnx
from onnx.reference import ReferenceEvaluator

CLAIMS = ("all", "missing", "profitable")
# The distance from one number to the next, relative to the largest answer.
PRECISION = {"transformer_float16": 2**-10, "bfloat16_gate": 2**-7}
FLOAT_PRECISION = 2**-23
# Sums of hundreds of rounded products are this far off, with any provider.
ALLOWED = 8
# Fusions that take longer than chains on x86.
SLOW = {"Gelu", "BiasGelu", "SkipLayerNormalization"}
# The models that ONNX Runtime refuses without the provider.
REFUSED = {"bfloat16_gate"}


@functools.cache
def reference(name: str) -> np.ndarray:
    """onnx's own evaluator on the model in float64."""
    _, inputs = models.MODELS[name]()
    model, wide = models.REFERENCES[name]()
    given = {key: value.astype(wide[key].dtype) for key, value in inputs.items()}
    (answer,) = ReferenceEvaluator(model).run(None, given)
    return answer


class Loaded:
    """A session, and the graph that ONNX Runtime made of the model."""

    def __init__(self, model: onnx.ModelProto, claim: str | None) -> None:
        self.session, graph, decisions = host.optimized(
            model.SerializeToString(), claim, threads=2
        )
        self.nodes = list(graph.node)
        self.chains = host.taken_chains(decisions)

    def casts(self) -> int:
        return sum(node.op_type == "Cast" for node in self.nodes)

    def fused(self) -> collections.Counter[str]:
        return collections.Counter(n.op_type for n in self.nodes if n.domain)


@functools.cache
def loaded(name: str, claim: str | None) -> Loaded:
    return Loaded(models.MODELS[name]()[0], claim)


# Operators that the models have, for each form one; others: one_op_test.py.
IN_MODELS = {
    "Add", "Cast", "Clip", "Div", "Equal", "Exp", "Greater", "LeakyRelu", "Mul",
    "Reciprocal", "Relu", "Reshape", "Sub", "Where",
}  # fmt: skip


class Models(unittest.TestCase):
    def check(self, name: str, claim: str | None) -> float:
        """Compares with the reference. Returns the error."""
        _, inputs = models.MODELS[name]()
        (answer,) = loaded(name, claim).session.run(None, inputs)
        wanted = reference(name)
        self.assertEqual(answer.shape, wanted.shape)
        error = np.abs(answer - wanted).max() / np.abs(wanted).max()
        error /= PRECISION.get(name, FLOAT_PRECISION)
        self.assertLess(error, ALLOWED)
        return error

    def test_answers(self) -> None:
        for name in models.MODELS:
            for claim in CLAIMS if name in REFUSED else (None, *CLAIMS):
                with self.subTest(name, claim=claim):
                    error = self.check(name, claim)
                    print(f"{name}, claim={claim}: error {error:.2f} of the last place")

    def test_the_models_are_what_they_are_for(self) -> None:
        used: set[str] = set()
        for name in models.MODELS:
            model, _ = models.MODELS[name]()
            onnx.checker.check_model(model, full_check=True)
            used |= {node.op_type for node in model.graph.node}
        self.assertLessEqual(IN_MODELS, used)

    def test_all_takes_every_node_of_ours(self) -> None:
        operators = {row.name for row in one_op.rows()}
        for name in models.MODELS:
            placed = host.placement(loaded(name, "all").session)
            with self.subTest(name):
                mine = [p for p in placed if p[0] in operators]
                self.assertTrue(mine)
                self.assertEqual({provider for _, provider in mine}, {host.PROVIDER})

    def test_refused_without_the_provider(self) -> None:
        for name in models.MODELS:
            if name not in REFUSED:
                continue
            with self.subTest(name):
                with self.assertRaises(Exception) as caught:
                    Loaded(models.MODELS[name]()[0], None)
                print(f"{name} without the provider: {caught.exception}")

    def test_claims_add_no_casts(self) -> None:
        for name in models.MODELS:
            model, _ = models.MODELS[name]()
            if name in REFUSED:
                before = sum(node.op_type == "Cast" for node in model.graph.node)
            else:
                before = loaded(name, None).casts()
            for claim in ("missing", "profitable"):
                with self.subTest(name, claim=claim):
                    after = loaded(name, claim)
                    # A chain may be worth casts.
                    if all(chain["added_casts"] <= 0 for chain in after.chains):
                        self.assertLessEqual(after.casts(), before)

    def test_claims_block_no_fusion_but_slow_ones(self) -> None:
        found = 0
        for name in set(models.MODELS) - REFUSED:
            before = loaded(name, None).fused()
            found += before.total()
            for claim in ("missing", "profitable"):
                with self.subTest(name, claim=claim):
                    blocked = before - loaded(name, claim).fused()
                    self.assertLessEqual(set(blocked), SLOW if claim[0] == "p" else set())
        self.assertGreater(found, 0)

    def test_slow_fusions_are_chains(self) -> None:
        gelu = ["Add", "Div", "Erf", "Add", "Mul", "Mul"]
        given = models.MODELS["transformer_float32"]()[0].SerializeToString()
        for accuracy in ("fast", "tight"):
            lines = host.optimized(given, "profitable", accuracy=accuracy).decisions
            ops = [chain["ops"] for chain in host.taken_chains(lines)]
            # Measured on x86 with AVX2 or more.
            slow = host.devices()[0].ep_metadata["isa"].startswith("AVX")
            self.assertEqual(gelu in ops, slow and accuracy == "fast")


if __name__ == "__main__":
    host.main()
