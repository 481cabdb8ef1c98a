# SPDX-License-Identifier: Apache-2.0
"""The provider's options: what they do, and that bad ones are refused."""

from __future__ import annotations

import json
import pathlib
import tempfile
import unittest

import host
import numpy as np
import onnxruntime as ort

CHAIN = """(bfloat16[N] x, float[N] y, int64[1] shape) => (bfloat16[N] a, float[N] c)
{ a = Relu(x)
  b = Exp(y)
  c = Reshape(b, shape) }"""


def model() -> host.onnx.ModelProto:
    return host.parsed(CHAIN)


class Options(unittest.TestCase):
    def refused(self, **options: str) -> str:
        with self.assertRaises(Exception) as caught:
            host.session(model(), **options)
        return str(caught.exception)

    def test_bad_values_are_refused_with_the_allowed_ones(self) -> None:
        for option, value, allowed in [
            ("claim", "some", ("all", "missing", "profitable")),
            ("claim", "", ("all", "missing", "profitable")),
            ("chains", "yes", ("fused", "nodes")),
            ("threading", "tbb", ("ort", "serial")),
            ("accuracy", "exact", ("fast", "tight")),
            ("isa", "AVX9000", tuple(host.library().isas())),
        ]:
            with self.subTest(option, value=value):
                message = self.refused(**{option: value})
                for text in (host.PROVIDER, option, value, *allowed):
                    self.assertIn(text, message)

    def test_unknown_options_are_refused(self) -> None:
        message = self.refused(clam="all")
        options = ("accuracy", "chains", "claim", "threading", "explain")
        for text in (host.PROVIDER, "clam", *options):
            self.assertIn(text, message)

    def test_a_refusal_leaves_nothing_behind(self) -> None:
        for _ in range(3):
            self.refused(claim="nothing")
            session = host.session(model())
            self.assertEqual(host.ours(session), ["Exp", "Relu", "Reshape"])

    def test_session_configuration_entries(self) -> None:
        """Options also arrive as configuration entries of the session."""
        options = host.options()
        options.add_session_config_entry(f"ep.{host.PROVIDER.lower()}.claim", "what")
        options.add_provider_for_devices(host.devices(), {})
        with self.assertRaisesRegex(Exception, "claim=what"):
            ort.InferenceSession(
                model().SerializeToString(), options, enable_fallback=0
            )

    def test_every_instruction_set_and_threading(self) -> None:
        """Div gives the same bits on all of them."""
        made = host.parsed("(float[N] x, float[N] y) => (float[N] z) { z = Div(x, y) }")
        rng = np.random.default_rng(1)
        given = {n: rng.normal(size=1 << 16).astype(np.float32) for n in "xy"}
        isas = [{"isa": isa} for isa in host.library().isas()]
        self.assertTrue(isas)
        for options in (*isas, {"threading": "serial"}, {"threading": "ort"}):
            session = host.session(made, threads=2, **options)
            with self.subTest(**options):
                (out,) = session.run(None, given)
                self.assertEqual(out.tobytes(), (given["x"] / given["y"]).tobytes())

    def test_accuracy(self) -> None:
        made = host.parsed("(float[N] x) => (float[N] y) { y = Sigmoid(x) }")
        x = np.linspace(-20, 20, 1 << 16, dtype=np.float32)
        exact = 1 / (1 + np.exp(-x.astype(np.float64)))
        for accuracy, ulps in (("fast", 4), ("tight", 1)):
            session = host.session(made, accuracy=accuracy)
            (out,) = session.run(None, {"x": x})
            errors = np.abs(out - exact) / np.spacing(exact.astype(np.float32))
            self.assertLess(errors.max(), ulps, accuracy)

    def test_claims(self) -> None:
        everything = host.ours(host.session(model(), claim="all"))
        self.assertEqual(everything, ["Exp", "Relu", "Reshape"])
        # The CPU provider lacks bfloat16, nothing else here.
        missing = host.ours(host.session(model(), strict=False, claim="missing"))
        self.assertEqual(missing, ["Relu"])
        for claim in ({}, {"claim": "profitable"}):
            options = host.options()
            options.add_provider_for_devices(host.devices(), claim)
            session = ort.InferenceSession(
                model().SerializeToString(), options, enable_fallback=0
            )
            self.assertIn("Relu", host.ours(session))
            self.assertLessEqual(set(host.ours(session)), set(everything))

    def test_explain_agrees_with_the_placement(self) -> None:
        for claim in ("all", "missing", "profitable"):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "explained")
                session = host.session(
                    model(), strict=False, claim=claim, explain=str(file)
                )
                lines = [json.loads(line) for line in file.read_text().splitlines()]
            # The last line about a node counts.
            last = {(line["op"], line["node"]): line for line in lines}
            taken = sorted(op for (op, _), line in last.items() if line["taken"])
            with self.subTest(claim):
                self.assertEqual(len(last), 3)
                self.assertEqual(taken, host.ours(session))
                for line in lines:
                    self.assertRegex(line["reason"], r"^[A-Z].*\.$")
                types = {op: line["type"] for (op, _), line in last.items()}
                self.assertEqual((types["Relu"], types["Exp"]), ("bfloat16", "float32"))

    def test_an_explanation_that_cannot_be_written(self) -> None:
        """Either answer is fine, but not a signal: a failure, or no explanation."""
        try:
            host.session(model(), explain="/nonexistent/folder/file")
        except Exception as error:  # noqa: BLE001
            self.assertIn("/nonexistent/folder/file", str(error))


if __name__ == "__main__":
    host.main()
