# SPDX-License-Identifier: Apache-2.0
"""The report of a run: what turns say of a ratio, and that pictures can be read."""

from __future__ import annotations

import json
import pathlib
import re
import sys
import tempfile
import types
import unittest
from xml.etree import ElementTree

sys.dont_write_bytecode = True
TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "benchmarks/report"))
import chains  # noqa: E402
import charts  # noqa: E402
import documents  # noqa: E402
import provider  # noqa: E402
import svg  # noqa: E402
import whole_models  # noqa: E402
from page import make_page  # noqa: E402
from rows import Run  # noqa: E402
from turns import Interval, of_ratios, standing  # noqa: E402

# Of a character, as a share of the font's size: of usual fonts' digits and letters.
WIDTH = 0.56
SIZES = (2048, 65536, 1 << 20, 1 << 24)


def run(rows: dict, **facts: object) -> Run:
    """A run whose rows have these times: {name: times in ns}."""
    benchmarks = [
        {"name": name, "real_time": time, "time_unit": "ns", "bytes_per_second": 1e9}
        for name, times in rows.items()
        for time in times
    ]
    context = {"lanewise_cpu": "Some CPU", "lanewise_isa": "AVX2", **facts}
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as file:
        json.dump({"context": context, "benchmarks": benchmarks}, file)
        file.flush()
        return Run(file.name)


def of_models(own: list, ours: list, again: list, **facts: object) -> Run:
    name = "Model/f32/net/{}/n:64/threads:2"
    impls = zip(("onnxruntime", "ort+lanewise", "onnxruntime+again"), (own, ours, again))
    made = run({name.format(impl): times for impl, times in impls}, **facts)
    made.models = [{"model": "net", "threads": 2, "source": "a package"}]
    return made


def of_chains() -> Run:
    return run(
        {
            f"Chain.HardSwish/f32/same/{impl}/n:{n}/threads:1": [n * (i + 1)]
            for i, impl in enumerate(chains.ORDER)
            for n in SIZES
        }
    )


class Turns(unittest.TestCase):
    def test_a_drift_of_both_does_not_widen_the_interval(self) -> None:
        times = [1 + i % 7 for i in range(100)]
        found = of_ratios([1.5 * t for t in times], times)
        self.assertEqual(found, (1.5, 1.5, 1.5))

    def test_the_interval_is_that_of_the_median(self) -> None:
        few = of_ratios([1 + (i % 11) / 10 for i in range(33)], [1] * 33)
        many = of_ratios([1 + (i % 11) / 10 for i in range(330)], [1] * 330)
        self.assertEqual((few.median, many.median), (1.5, 1.5))
        self.assertLess(many.width, few.width)
        self.assertLess(few.low, 1.5)
        self.assertGreater(few.high, 1.5)

    def test_standing(self) -> None:
        quiet, noisy = Interval(0.99, 1, 1.01), Interval(0.6, 1, 1.5)
        for wanted, ratio, control in (
            ("ahead", (1.1, 1.13, 1.2), quiet),
            ("behind", (0.95, 0.96, 0.97), quiet),
            ("behind", (0.5, 0.54, 0.58), noisy),
            ("level", (0.97, 0.98, 1.0), quiet),
            ("unsure", (0.3, 0.54, 1.4), quiet),
            ("unsure", (0.97, 0.98, 1.0), noisy),
            ("unsure", (1.1, 1.2, 1.3), noisy),
            ("unsure", (0.7, 0.8, 0.9), noisy),
        ):
            with self.subTest(ratio=ratio, control=control):
                self.assertEqual(standing(Interval(*ratio), control), wanted)


class Models(unittest.TestCase):
    def bar(self, made: Run) -> tuple[str, str]:
        """The class of the bar, and the text behind the bar."""
        root = ElementTree.fromstring(whole_models.make_picture(made))
        (css,) = [r.get("class") for r in root.iter() if r.get("class", "")[:5] in
                  ("ahead", "level", "behin")]
        (text,) = [t.text for t in root.iter() if "2 threads" in (t.text or "")]
        return css, text

    def test_a_loss_is_never_drawn_as_level(self) -> None:
        turns = [100, 101, 102] * 20
        slow = [170, 172, 174] * 20
        self.assertEqual(self.bar(of_models(turns, slow, turns))[0], "behind")
        self.assertEqual(self.bar(of_models(slow, turns, slow))[0], "ahead")
        self.assertEqual(self.bar(of_models(turns, turns, turns))[0], "level")

    def test_a_wide_range_is_shown(self) -> None:
        wild = [100, 300, 90, 310] * 8
        slow = [170, 172, 168, 171] * 8
        css, text = self.bar(of_models(wild, slow, [200] * 32))
        self.assertIn("unsure", css)
        self.assertRegex(text, r"x \(\d\.\d+ to \d\.\d+\), 2 threads")

    def test_equals_that_differ_are_noise(self) -> None:
        own, again = [100] * 60, [250] * 60
        made = of_models(own, [185] * 60, again)
        self.assertNotEqual(self.bar(made)[0], "level")
        (_, row) = whole_models.model_rows(made)
        self.assertIn("60 %", row)

    def test_figures(self) -> None:
        turns, slow = [100, 101, 102] * 20, [170, 172, 174] * 20
        for ours, met in ((slow, False), (turns, True)):
            (figure,) = whole_models.figures(of_models(turns, ours, turns))
            self.assertEqual(figure.met, met)

    def test_only_the_wheel_is_kept(self) -> None:
        turns = [100] * 40
        with tempfile.TemporaryDirectory() as folder:
            for facts in ({}, {"lanewise_provider": "tree"}):
                made = of_models(turns, turns, turns, **facts)
                for keep in (whole_models.keep_models, provider.keep_gains):
                    with self.assertRaisesRegex(ValueError, "wheel"):
                        keep(made, folder)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
            made = of_models(turns, turns, turns, lanewise_provider="wheel")
            whole_models.keep_models(made, folder)
            (kept,) = whole_models.kept_models(folder).values()
        self.assertEqual(kept.own("provider"), "wheel")
        self.assertEqual(whole_models.records(kept)[0]["ratio"], [1, 1, 1])

    def test_readme_names_the_tree(self) -> None:
        turns = [100] * 40
        for name, words in (("tree", "built in the tree"), ("wheel", "")):
            made = of_models(turns, turns, turns, lanewise_provider=name)
            (_, row) = whole_models.readme_rows({"one": made})
            self.assertEqual(words in row[0], True)
            self.assertEqual("tree" in row[0], bool(words))
            self.assertIn(provider.SOURCES[name], whole_models.make_picture(made))


class Pictures(unittest.TestCase):
    def check_texts(self, picture: str) -> None:
        """No text runs over an edge of its picture."""
        root = ElementTree.fromstring(picture)
        room = float(root.get("width"))
        texts = [t for t in root.iter() if t.tag.endswith("text")]
        self.assertTrue(texts)
        for text in texts:
            small = text.get("class") in ("tick", "cell")
            length = WIDTH * (11 if small else 12) * len(text.text or "")
            x = float(text.get("x"))
            left = {"start": x, "middle": x - length / 2, "end": x - length}
            with self.subTest(text.text):
                self.assertGreaterEqual(left[text.get("text-anchor")], 0)
                self.assertLessEqual(left[text.get("text-anchor")] + length, room)

    def test_kept_pictures(self) -> None:
        found = documents.documents()
        pictures = [text for path, text in found.items() if path.endswith(".svg")]
        self.assertTrue(pictures)
        for picture in pictures:
            self.check_texts(picture)

    def test_charts_of_chains(self) -> None:
        page = chains.charts(of_chains())
        pictures = re.findall(r"<svg.*?</svg>", page)
        self.assertTrue(pictures)
        for picture in pictures:
            self.check_texts(picture)

    def test_a_legend_has_a_color_for_each_name(self) -> None:
        page = chains.charts(of_chains())
        keys = re.findall(r'<i style="background:(#\w+)"></i>([^<]+)<', page)
        self.assertIn("stream", [name for _, name in keys])
        self.assertIn(chains.STEPS, [name for _, name in keys])
        self.assertEqual(len({color for color, _ in keys}), len(keys))

    def test_colors_differ(self) -> None:
        colors = [charts.OUR_COLOR, *charts.COPY_COLORS.values(), *charts.PEER_COLORS]
        parts = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colors]
        for i, one in enumerate(parts):
            for other in parts[:i]:
                apart = sum(abs(a - b) for a, b in zip(one, other))
                self.assertGreater(apart, 40, (one, other))

    def test_page_of_models(self) -> None:
        wild = [100, 300, 90, 310] * 8
        page = make_page(of_models(wild, [170] * 32, [200] * 32), [])
        for picture in re.findall(r"<svg.*?</svg>", page):
            self.check_texts(picture)

    def test_sessions_of_models_are_no_peers_of_operators(self) -> None:
        made = of_models([100] * 40, [100] * 40, [100] * 40)
        self.assertEqual(charts.peer_colors(made), {})


if __name__ == "__main__":
    unittest.main()
