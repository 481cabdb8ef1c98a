# SPDX-License-Identifier: Apache-2.0
"""Div: divisors that are constants or computed, MIN / -1, and zero divisors."""

from __future__ import annotations

import subprocess
import sys
import unittest

import host
import numpy as np
import onnx
import samples
from lanewise_ctypes import Tensor
from onnx import helper
from oracle import check_node

SIGNED = [code for code in samples.INTEGERS if np.iinfo(host.dtype(code)).min < 0]


def divisors(code: int) -> list[int]:
    """Those for which divisions by constants have ways of their own."""
    info = np.iinfo(host.dtype(code))
    bits = info.bits
    found = {1, 2, 3, 5, 6, 7, 10, 12, 25, 100, info.max, info.max - 1, info.max // 3}
    found |= {1 << k for k in range(1, bits - 1, 3)} | {(1 << k) + 1 for k in (3, 5)}
    found |= {1 << (bits - 2), (1 << (bits - 2)) - 1}
    if info.min < 0:
        found |= {-d for d in found} | {info.min, info.min + 1}
    return sorted(d for d in found if info.min <= d <= info.max and d != 0)


def dividends(code: int) -> np.ndarray:
    kind = host.dtype(code)
    rng = np.random.default_rng(code)
    return np.concatenate(
        [samples.specials(code), samples.random(code, 90, rng)]
    ).astype(kind)


def division(code: int, divisor: np.ndarray | None, opset: int = 14) -> onnx.ModelProto:
    """a / b; b is a constant if a divisor is given."""
    names = ["a"] if divisor is not None else ["a", "b"]
    return host.model(
        [helper.make_node("Div", ["a", "b"], ["out"], "div")],
        [helper.make_tensor_value_info(n, code, None) for n in names],
        [helper.make_tensor_value_info("out", code, None)],
        opset=opset,
        constants={"b": divisor} if divisor is not None else {},
    )


class Divisors(unittest.TestCase):
    def check(self, code: int, a: np.ndarray, b: np.ndarray, out: Tensor) -> None:
        self.assertIsNone(check_node("Div", {}, [host.tensor(a), host.tensor(b)], out))

    def test_constants(self) -> None:
        for code in samples.INTEGERS:
            a = dividends(code)
            for d in divisors(code):
                for shape in [(), (1,)] if d in (-1, 7) else [()]:
                    b = np.full(shape, d, host.dtype(code))
                    session = host.session(division(code, b))
                    with self.subTest(a.dtype, divisor=d, shape=shape):
                        self.assertEqual(host.ours(session), ["Div"])
                        (out,) = host.run(session, {"a": host.tensor(a)})
                        self.check(code, a, b, out)

    def test_constant_rows_and_dividends(self) -> None:
        for code in samples.INTEGERS:
            all_divisors = np.array(divisors(code), host.dtype(code))
            column = dividends(code).reshape(-1, 1)
            session = host.session(division(code, all_divisors))
            (out,) = host.run(session, {"a": host.tensor(column)})
            self.check(code, column, all_divisors, out)

    def test_inputs(self) -> None:
        """One session for all divisors: nothing may be kept of an earlier one."""
        for code in samples.INTEGERS:
            session = host.session(division(code, None))
            a = dividends(code)
            for d in divisors(code):
                b = np.array(d, host.dtype(code))
                given = {"a": host.tensor(a), "b": host.tensor(b)}
                with self.subTest(a.dtype, divisor=d):
                    (out,) = host.run(session, given)
                    self.check(code, a, b, out)

    def test_computed(self) -> None:
        """The divisor is the result of other nodes, and dies with the division."""
        made = host.parsed(
            """(int64[N] a, int64[N] b, int64 c) => (int64[N] by_row, int64[N] by_one)
            { row = Add(b, c)
              by_row = Div(a, row)
              one = Mul(c, c)
              by_one = Div(a, one) }"""
        )
        session = host.session(made)
        self.assertEqual(host.ours(session), ["Add", "Div", "Div", "Mul"])
        a = dividends(7)
        b = np.arange(len(a), dtype=np.int64)
        for c in (1, 3, 1000):
            given = {"a": a, "b": b, "c": np.array(c)}
            by_row, by_one = session.run(None, given)
            self.check(7, a, b + c, host.tensor(by_row))
            self.check(7, a, np.array(c * c), host.tensor(by_one))


class Overflow(unittest.TestCase):
    def test_min_by_minus_one_wraps(self) -> None:
        for code in SIGNED:
            least = np.iinfo(host.dtype(code)).min
            for n in (1, 3, 5, 9, 64, 1001):
                a, b = (np.full(n, v, host.dtype(code)) for v in (least, -1))
                for divisor in (None, b, b[:1]):
                    session = host.session(division(code, divisor))
                    given = {"a": a} if divisor is not None else {"a": a, "b": b}
                    with self.subTest(a.dtype, n=n, constant=divisor is not None):
                        self.assertEqual(host.ours(session), ["Div"])
                        (out,) = session.run(None, given)
                        self.assertTrue((out == least).all())

    def test_what_the_cpu_provider_does(self) -> None:
        """Why the above matters. Documents, but does not ask for, a signal."""
        program = (
            "import numpy as np, onnxruntime as ort, sys\n"
            "model = sys.stdin.buffer.read()\n"
            "cpu = ['CPUExecutionProvider']\n"
            "session = ort.InferenceSession(model, providers=cpu)\n"
            "kind = sys.argv[1]\n"
            "given = {'a': np.array([np.iinfo(kind).min], kind),\n"
            "         'b': np.array([-1], kind)}\n"
            "print(session.run(None, given)[0])"
        )
        for code in SIGNED:
            kind = host.dtype(code).name
            done = subprocess.run(
                [sys.executable, "-c", program, kind],
                input=division(code, None).SerializeToString(),
                capture_output=True,
                timeout=60,
            )
            self.assertNotEqual(done.returncode, 1, done.stderr)
            answer = done.stdout.decode().strip() or f"signal {-done.returncode}"
            print(f"the CPU provider, {kind} MIN / -1: {answer}")


class Zeros(unittest.TestCase):
    def test_zero_divisors_raise_and_the_session_lives_on(self) -> None:
        for code in samples.INTEGERS:
            session = host.session(division(code, None))
            a = dividends(code)
            for zero in (np.zeros(()), np.zeros(1), np.arange(len(a))[::-1]):
                b = zero.astype(host.dtype(code))
                with self.subTest(a.dtype, shape=b.shape):
                    with self.assertRaisesRegex(
                        Exception, "(?i)integer division by zero"
                    ):
                        session.run(None, {"a": a, "b": b})
                    b = np.where(b == 0, b.dtype.type(3), b)
                    (out,) = session.run(None, {"a": a, "b": b})
                    given = [host.tensor(a), host.tensor(b)]
                    self.assertIsNone(check_node("Div", {}, given, host.tensor(out)))

    def test_a_constant_zero(self) -> None:
        """Raises when the session is made, or in each run."""
        for code in samples.INTEGERS:
            a = dividends(code)
            for shape in [(), (1,), (len(a),)]:
                made = division(code, np.zeros(shape, host.dtype(code)))
                with self.subTest(a.dtype, shape=shape):
                    with self.assertRaisesRegex(
                        Exception, "(?i)integer division by zero"
                    ):
                        host.session(made).run(None, {"a": a})

    def test_a_zero_in_a_large_call(self) -> None:
        for threads in (1, 2):
            session = host.session(division(6, None), threads=threads)
            a, b = (np.full(1 << 20, v, np.int32) for v in (100, 7))
            b[777_777] = 0
            with self.assertRaisesRegex(Exception, "777777"):
                session.run(None, {"a": a, "b": b})
            b[777_777] = 10
            (out,) = session.run(None, {"a": a, "b": b})
            self.assertEqual((out[777_777], out.sum()), (10, 14 * (len(a) - 1) + 10))

    def test_no_elements_no_failure(self) -> None:
        session = host.session(division(7, None))
        (out,) = session.run(None, {"a": np.zeros((0, 1), int), "b": np.zeros(3, int)})
        self.assertEqual(out.shape, (0, 3))

    def test_floats_have_zero_divisors(self) -> None:
        session = host.session(division(1, None))
        a = np.float32([1, -1, 0])
        (out,) = session.run(None, {"a": a, "b": np.zeros(3, np.float32)})
        self.assertEqual(str(out.tolist()), "[inf, -inf, nan]")


if __name__ == "__main__":
    host.main()
