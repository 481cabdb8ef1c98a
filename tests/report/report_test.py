# SPDX-License-Identifier: Apache-2.0
"""The report of a run: what turns say of a ratio, what is kept, and that pictures can
be read."""

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
import chains_picture  # noqa: E402
import charts  # noqa: E402
import documents  # noqa: E402
import kept  # noqa: E402
import operators  # noqa: E402
import picture  # noqa: E402
import provider  # noqa: E402
import python_package  # noqa: E402
import svg  # noqa: E402
import whole_models  # noqa: E402
from figure import Figure  # noqa: E402
from goals import goals  # noqa: E402
from markdown import make_markdown  # noqa: E402
from page import make_page  # noqa: E402
from rows import Key, Run  # noqa: E402
from turns import Interval, of_ratios, standing  # noqa: E402

# Of a character, as a share of the font's size: of usual fonts' digits and letters.
WIDTH = 0.56
SIZES = (2048, 65536, 1 << 20, 1 << 24)


def run(rows: dict, ulps: dict | None = None, **facts: object) -> Run:
    """A run whose rows have these times: {name: times in ns}, and errors."""
    benchmarks = [
        {"name": name, "real_time": time, "time_unit": "ns", "bytes_per_second": 1e9,
         "max_ulp": (ulps or {}).get(name, 0)}
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


def of_chain(name: str, times: dict, n: int = 65536, threads: int = 1, **facts: object) -> Run:
    rows = {
        f"Chain.{name}/same/{impl}/n:{n}/threads:{threads}": own for impl, own in times.items()
    }
    return run(rows, **facts)


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


class PythonPackage(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_of(self, rows: list, **facts: object) -> python_package.PythonRun:
        """(workload, type, elements, times) -> as time_package.py writes it."""
        context = {"lanewise_cpu": "Some CPU", "lanewise_isa": "AVX2", **facts}
        names = ("workload", "type", "count", "times")
        python = [dict(zip(names, row)) for row in rows]
        path = pathlib.Path(self.folder, "run.json")
        path.write_text(json.dumps({"context": context, "small": {"add": 1.5},
                                    "python": python}))  # fmt: skip
        return python_package.PythonRun(path)

    def times(self, ours: float, numpy: float) -> dict:
        return {"lanewise (python)": {"first": 500.0, "least": ours},
                "numpy": {"first": 9.0, "least": numpy}, "jax": {"wrong": True}}  # fmt: skip

    def test_kept_rows_and_page(self) -> None:
        kept = str(pathlib.Path(self.folder, "python"))
        silu = ("SiLU", "float32", 65536)
        first = [(*silu, self.times(10, 90)), ("wave", "float32", 65536, self.times(4, 8))]
        path = python_package.keep_python(self.run_of(first), kept)
        again = self.run_of([(*silu, self.times(10, 30))])
        self.assertEqual(python_package.keep_python(again, kept), path)
        ((name, run),) = python_package.kept_python(kept).items()
        self.assertEqual((name, len(run.python)), ("some-cpu", 2))
        page = python_package.make_markdown(run)
        self.assertIn("| SiLU | 65,536 | 10.0 | 30.0 (3.00x) | wrong |", page)
        self.assertIn("| wave | 65,536 | 4.0 | 8.0 (2.00x) | wrong |", page)
        self.assertIn("| 3.00x | at least 4x | missed |", page)
        self.assertIn("| 1.50 us | at most 2.5 us | met |", page)
        self.assertIn("| SiLU | 65,536 | 0.5 | - |", page)
        # Of another version, nothing stays.
        other = self.run_of([(*silu, self.times(10, 30))], lanewise_version="2")
        python_package.keep_python(other, kept)
        self.assertEqual(len(python_package.kept_python(kept)["some-cpu"].python), 1)


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

    def test_gains_of_reductions_are_kept_by_pattern(self) -> None:
        cells = {f"ReduceL1/f32/{pattern}/{impl}/n:2048/threads:1": [t]
                 for pattern, gain in (("rows", 2), ("columns", 4), ("strided", 8))
                 for impl, t in (("onnxruntime", 100 * gain), ("ort+lanewise", 100))}
        made = run(cells, lanewise_provider="wheel")
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):  # measured again, a row is replaced
                (path,) = provider.keep_gains(made, folder)
            kept = json.loads(pathlib.Path(path).read_text())["rows"]
        self.assertEqual([(r["type"], r["pattern"], r["ratio"]) for r in kept],
                         [("float32", "columns", 4), ("float32", "rows", 2)])

    def test_readme_names_the_tree(self) -> None:
        turns = [100] * 40
        for name, words in (("tree", "built in the tree"), ("wheel", "")):
            made = of_models(turns, turns, turns, lanewise_provider=name)
            (_, machine), _ = whole_models.readme_rows({"one": made})
            self.assertEqual(words in machine, True)
            self.assertEqual("tree" in machine, bool(words))
            self.assertIn(provider.SOURCES[name], whole_models.make_picture(made))


class Kept(unittest.TestCase):
    """What --keep writes, and what is made from that."""

    RELU = {f"Relu/f32/same/{impl}/n:65536/threads:1": [t] for impl, t in
            (("lanewise", 100), ("eigen", 150), ("numpy", 300))}
    TIMES = {"prepared": [90], "lanewise": [100], "lanewise+steps": [500], "loop": [95],
             "jax": [200], "plain": [50]}

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def keep(self, made: Run, partial: bool = True, goals: tuple = ()) -> Run:
        return Run(kept.keep_medians(made, self.folder, partial, list(goals)))

    def test_every_row_of_a_chain_is_kept(self) -> None:
        noisy = {**self.TIMES, "jax": [150, 180, 200, 220, 250]}
        made = self.keep(of_chain("HardSwish/f16", noisy))
        (cell,) = made.cells.values()
        self.assertEqual(cell.key, Key("Chain.HardSwish", "f16", "same", 65536, 1))
        self.assertEqual({i: r.time for i, r in cell.rows.items()},
                         {i: t[len(t) // 2] for i, t in noisy.items()})
        jax = of_chain("HardSwish/f16", noisy).cells[cell.key].rows["jax"]
        self.assertAlmostEqual(cell.rows["lanewise"].noise, jax.noise, places=3)

    def test_small_calls_threads_and_rows_without_ours_are_not_kept(self) -> None:
        for name, times, n, threads in (("SiLU/f32", self.TIMES, 64, 1),
                                        ("SiLU/f32", self.TIMES, 65536, 2),
                                        ("SiLU/f32", {"jax": [1]}, 65536, 1)):
            self.assertEqual(self.keep(of_chain(name, times, n, threads)).cells, {})

    def test_a_run_of_chains_leaves_the_operators(self) -> None:
        goal = Figure("a goal", "1x", "at least 1x", True)
        self.keep(run(self.RELU), partial=False, goals=(goal,))
        first = self.keep(of_chain("SiLU/f32", self.TIMES))
        made = self.keep(of_chain("SiLU/f32", {"lanewise": [70], "jax": [80]}))
        self.assertEqual([f.title for f in made.goals], ["a goal"])
        relu, silu = (Key(op, "f32", "same", 65536, 1) for op in ("Relu", "Chain.SiLU"))
        self.assertEqual(made.cells[relu].rows["lanewise"].time, 100)
        self.assertEqual(made.cells[relu].duel.peer.impl, "eigen")
        self.assertEqual(first.cells[silu].rows["loop"].time, 95)
        # Times of two sessions do not compare: no row of the first one stays.
        self.assertEqual(sorted(made.cells[silu].rows), ["jax", "lanewise"])

    def test_a_run_of_operators_leaves_the_chains(self) -> None:
        self.keep(of_chain("SiLU/f32", self.TIMES))
        made = self.keep(run(self.RELU))
        self.assertEqual(sorted(key.op for key in made.cells), ["Chain.SiLU", "Relu"])
        made = self.keep(run(self.RELU), partial=False)
        self.assertEqual([key.op for key in made.cells], ["Relu"])

    def test_page_with_chains(self) -> None:
        for n in (1 << 20, 2048, 65536):
            made = self.keep(of_chain("SiLU/f32", self.TIMES, n))
        page = make_markdown(made)
        table = page[page.index("## Chains"):]
        self.assertIn(".chains.svg)", table)
        self.assertIn("| chain, elements | prepared | lanewise | lanewise+steps | loop | jax "
                      "| plain | noise |", table)
        self.assertRegex(table, r"(?s)SiLU f32, 2,048 .*SiLU f32, 65,536 .*SiLU f32, 1,048,576 ")
        self.assertIn("| chains: hard-swish", make_markdown(
            self.keep(of_chain("HardSwish/f32", self.TIMES))))
        self.assertIn(".chains.svg)", documents.chains_part([made]))

    def test_page_without_chains(self) -> None:
        made = self.keep(run(self.RELU))
        self.assertNotIn("hain", make_markdown(made))
        self.assertEqual(documents.chains_part([made]), "")
        self.assertEqual(chains_picture.make_picture(made), "")

    def test_page_of_chains_that_have_no_picture(self) -> None:
        page = make_markdown(self.keep(of_chain("SiLU/f16", self.TIMES)))
        self.assertIn("## Chains", page)
        self.assertNotIn(".chains.svg", page)


class Grades(unittest.TestCase):
    """A peer is compared with the rows of the grades that its error allows."""

    ULPS = {"eigen": 2, "sleef": 0.9, "mkl": 0.5}
    TIMES = {"lanewise": 100, "lanewise+fast": 50, "lanewise+exact": 120, "eigen": 60,
             "sleef": 90, "mkl": 150}

    def setUp(self) -> None:
        name = "Tanh/f32/same/{}/n:65536/threads:1"
        self.run = run({name.format(impl): [t] for impl, t in self.TIMES.items()},
                       {name.format(impl): ulps for impl, ulps in self.ULPS.items()})

    def check(self, made: Run) -> None:
        duels = {c.key.op: c.duel for c in made.cells.values()}
        self.assertEqual({op: (d.api.time, d.peer.impl) for op, d in duels.items()},
                         {"Tanh": (100, "sleef"), "Tanh+fast": (50, "eigen"),
                          "Tanh+exact": (120, "mkl")})

    def test_cells(self) -> None:
        self.check(self.run)
        (tight,) = (c for c in self.run.cells.values() if c.key.op == "Tanh")
        self.assertEqual(tight.rows["eigen"].loose, "2 ULP")
        self.assertEqual(operators.folder_of("Tanh+fast"), "exponential, fast")

    def test_kept(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            made = Run(kept.keep_medians(self.run, folder, False, []))
        self.check(made)
        page = make_markdown(made)
        for op in ("Tanh", "Tanh+fast", "Tanh+exact"):
            self.assertIn(f"| {op} |", page)
        table = documents.machines_table([made])
        self.assertRegex(table, r"\| operators \| .+ \| fast \| exact \|")
        self.assertRegex(table, r"\| exponential( \| [0-9.]+x, \d+ %){3} \|")


class Quick(unittest.TestCase):
    def test_the_list_has_an_operator_of_each_folder(self) -> None:
        text = (TOP / "benchmarks/quick.h").read_text(encoding="utf-8")
        names = re.findall(r'"(\w+)"', text)
        folders = {path.parent.name for path in TOP.glob("kernels/*/*.cc")}
        has_no_cells = {"composed"}
        self.assertEqual(
            {operators.folder_of(name) for name in names}, folders - has_no_cells
        )

    def test_goals_do_not_miss_what_a_run_leaves_out(self) -> None:
        few = run({**Kept.RELU, "Copy/f32/same/plain/n:2048/threads:1": [50]},
                  lanewise_quick="yes")
        self.assertEqual([g.title for g in goals(few, []) if g.met is False], [])


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

    def test_picture_of_chains(self) -> None:
        self.check_texts(chains_picture.make_picture(of_chains()))

    def test_bars_of_chains(self) -> None:
        """Ours is first; a peer that is faster is not drawn as one that is level."""
        times = {"numpy": [90], "lanewise": [100], "jax": [100], "plain": [40], "stream": [20]}
        (cell,) = chains_picture.drawn(of_chain("HardSwish/f32", times))
        found = [(label, row.time, css) for label, row, css in chains_picture.bars(cell)]
        self.assertEqual(
            found,
            [
                ("lanewise, one call", 100, "ahead"),
                ("JAX", 100, "level"),
                ("NumPy", 90, "behind"),
                ("a copy", 20, "copy"),
            ],
        )

    def test_chains_of_the_picture_have_words(self) -> None:
        text = (TOP / "benchmarks/chains.h").read_text(encoding="utf-8")
        names = set(re.findall(r'"Chain\.(\w+)"', text))
        only_16_bits = {"CastInOut"}
        alone = {n for n in names if n.startswith(("CastTo", "Shift", "Softmax", "LayerNorm"))}
        self.assertEqual(set(chains_picture.WORDS), names - only_16_bits - alone)

    def test_noise_is_not_drawn_as_faster(self) -> None:
        times = {"lanewise": [80, 90, 100, 110, 120], "jax": [95] * 5}
        (cell,) = chains_picture.drawn(of_chain("HardSwish/f32", times))
        self.assertEqual([css for *_, css in chains_picture.bars(cell)], ["ahead", "level"])

    def test_every_row_of_a_chain_has_a_bar(self) -> None:
        (cell,) = chains_picture.drawn(of_chains())
        drawn = {row.impl for _, row, _ in chains_picture.bars(cell)}
        self.assertEqual(set(chains.ORDER) - drawn, {"prepared", "lanewise+fast", "stream"})

    def test_bars_of_chains_have_colors_of_their_own(self) -> None:
        fill = re.compile(r"\.(ahead|level|behind|steps|copy) \{ fill: (#\w+); \}")
        light, dark = {}, {}
        for style in (picture.STYLE, chains_picture.STYLE):
            by_day, by_night = style.split("@media")
            light.update(fill.findall(by_day))
            dark.update(fill.findall(by_night))
        for fills in (light, {**light, **dark}):
            self.assertEqual(len(fills), 5)
            self.assertEqual(len(set(fills.values())), 5, fills)

    def test_operators_alone_and_other_types_are_not_drawn(self) -> None:
        for name in ("CastToF16/f32", "ShiftLeft/u8", "HardSwish/f16"):
            self.assertEqual(chains_picture.make_picture(of_chain(name, {"lanewise": [1]})), "")

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

    def test_page_of_long_names(self) -> None:
        names = ("DequantizeLinear/u16", "IsNaN/f8e4m3fnuz", "GreaterOrEqual/bf16", "Copy/f32")
        made = run(
            {
                f"{name}/same/{impl}/n:{n}/threads:{threads}": [n * (i + 1)]
                for name in names
                for i, impl in enumerate(("lanewise", "onnxruntime", "plain", "stream"))
                for n in SIZES
                for threads in (1, 16)
            }
        )
        pictures = re.findall(r"<svg.*?</svg>", make_page(made, []))
        self.assertGreater(len(pictures), 8)
        for picture in pictures:
            self.check_texts(picture)

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
