# SPDX-License-Identifier: Apache-2.0
"""Nodes in the bodies of If and Loop."""

from __future__ import annotations

import unittest

import host
import numpy as np

IF = """(float[N] x, bool c) => (float[N] y)
{ a = Exp(x)
  b = If (c) <
    then_branch = yes () => (float[N] t)
    { u = Relu(x)
      minus = Constant<value_ints = [-1]>()
      r = Reshape(u, minus)
      t = Add(r, a) },
    else_branch = no () => (float[N] e)
    { w = Reciprocal(a)
      e = Mul(w, x) }
  >
  y = Sub(b, a) }"""

# Divides, and squares what is positive, until a number of steps is reached.
LOOP = """(int64 trips, bool go, int64[N] x, int64[N] divisor, int64 limit)
=> (int64[N] y, int64[T, N] steps)
{ y, steps = Loop (trips, go, x) <
    body = step (int64 i, bool was, int64[N] v) => (bool again, int64[N] w, int64[N] q)
    { q = Div(v, divisor)
      s = Mul(q, q)
      flat = Constant<value_ints = [-1]>()
      m = Reshape(s, flat)
      zero = Constant<value_ints = [0]>()
      positive = Greater(q, zero)
      w = Where(positive, m, q)
      again = Greater(limit, i) }
  > }"""


class ControlFlow(unittest.TestCase):
    def test_if(self) -> None:
        session = host.session(host.parsed(IF), strict=False)
        operators = ["Add", "Exp", "Mul", "Reciprocal", "Relu", "Reshape", "Sub"]
        self.assertEqual(host.ours(session), operators)
        x = np.linspace(-2, 2, 1001, dtype=np.float32)
        for condition in (True, False, True):
            (out,) = session.run(None, {"x": x, "c": np.array(condition)})
            a = np.exp(x.astype(np.float64))
            wanted = (np.maximum(x, 0) + a if condition else x / a) - a
            np.testing.assert_allclose(out, wanted, rtol=1e-5, atol=1e-6)

    def test_loop(self) -> None:
        session = host.session(host.parsed(LOOP), strict=False)
        operators = ["Div", "Greater", "Greater", "Mul", "Reshape", "Where"]
        self.assertEqual(host.ours(session), operators)
        x, divisor = np.int64([1000, -7, 81, 5]), np.int64([3, 2, 5, -1])
        for trips, limit in [(0, 9), (1, 9), (4, 9), (9, 2)]:
            given = {"trips": trips, "go": True, "x": x, "divisor": divisor}
            given = {k: np.array(v) for k, v in {**given, "limit": limit}.items()}
            out, steps = session.run(None, given)
            v, wanted = x, []
            for i in range(trips):
                q = np.sign(v) * np.sign(divisor) * (abs(v) // abs(divisor))
                v = np.where(q > 0, q * q, q)
                wanted.append(q.tolist())
                if i >= limit:
                    break
            self.assertEqual(out.tolist(), v.tolist())
            self.assertEqual(steps.tolist(), wanted)

    def test_zero_divisor_in_a_loop(self) -> None:
        session = host.session(host.parsed(LOOP), strict=False)
        given = {"trips": 2, "go": True, "x": [4], "divisor": [0], "limit": 5}
        given = {k: np.array(v) for k, v in given.items()}
        with self.assertRaisesRegex(Exception, "(?i)integer division by zero"):
            session.run(None, given)
        given["divisor"] = np.array([2])
        self.assertEqual(session.run(None, given)[0].tolist(), [4])


if __name__ == "__main__":
    host.main()
