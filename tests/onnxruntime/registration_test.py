# SPDX-License-Identifier: Apache-2.0
"""How the provider's library comes and goes. Each test is a process of its own, as a
fault would be a signal."""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
import unittest

import host
import numpy as np
import onnxruntime as ort

MODEL = """(float[N] x) => (float[N] y) { a = Exp(x)  y = Relu(a) }"""
X = np.zeros(5, np.float32)


def works(session: ort.InferenceSession) -> bool:
    return session.run(None, {"x": X})[0].tolist() == [1] * 5


def register_unregister_register_again() -> None:
    host.register()
    for _ in range(3):
        session = host.session(host.parsed(MODEL))
        assert host.ours(session) == ["Exp", "Relu"] and works(session)
        del session
        gc.collect()
        host.unregister()
        assert not host.devices()
        host.register()
    assert works(host.session(host.parsed(MODEL)))


def unregister_while_a_session_lives() -> None:
    host.register()
    session = host.session(host.parsed(MODEL))
    host.unregister()
    assert works(session)
    del session
    gc.collect()


def unregister_register_while_a_session_lives() -> None:
    host.register()
    first = host.session(host.parsed(MODEL))
    host.unregister()
    host.register()
    second = host.session(host.parsed(MODEL))
    assert works(first) and works(second)
    del first
    gc.collect()
    assert works(second)
    host.unregister()
    assert works(second)


def two_registrations_of_one_name() -> None:
    host.register()
    try:
        host.register()
    except Exception as error:  # noqa: BLE001
        assert host.REGISTRATION in str(error), error
    else:
        raise AssertionError("registered twice")
    assert works(host.session(host.parsed(MODEL)))


def any_name() -> None:
    ort.register_execution_provider_library("a name of the user's", host.Paths.provider)
    assert works(host.session(host.parsed(MODEL)))
    ort.unregister_execution_provider_library("a name of the user's")


def a_file_that_is_no_provider() -> None:
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        try:
            ort.register_execution_provider_library("broken", file.name)
        except Exception:  # noqa: BLE001
            pass
        else:
            raise AssertionError("registered an empty file")
    host.register()
    assert works(host.session(host.parsed(MODEL)))


def sessions_that_outlive_the_program() -> None:
    """The session dies when Python does."""
    host.register()
    globals()["kept"] = host.session(host.parsed(MODEL))
    assert works(globals()["kept"])


def selection_policies_take_the_provider() -> None:
    host.register()
    for policy in ("DEFAULT", "PREFER_CPU", "MAX_PERFORMANCE", "MAX_EFFICIENCY"):
        options = host.options()
        chosen = getattr(ort.OrtExecutionProviderDevicePolicy, policy)
        options.set_provider_selection_policy(chosen)
        model = host.parsed(MODEL.replace("float[N]", "bfloat16[N]"))
        session = ort.InferenceSession(
            model.SerializeToString(), options, enable_fallback=0
        )
        assert host.ours(session) == ["Exp", "Relu"], policy


def by_its_name_among_the_providers() -> None:
    host.register()
    if host.version() < (1, 25):
        return  # runs on the CPU provider there
    assert host.PROVIDER in ort.get_available_providers()
    for name in (host.PROVIDER, (host.PROVIDER, {"claim": "all"})):
        session = ort.InferenceSession(
            host.parsed(MODEL).SerializeToString(),
            host.options(),
            providers=[name],
            enable_fallback=0,
        )
        assert works(session)
        if name != host.PROVIDER:
            assert host.ours(session) == ["Exp", "Relu"]


SCENARIOS = (
    register_unregister_register_again,
    unregister_while_a_session_lives,
    unregister_register_while_a_session_lives,
    two_registrations_of_one_name,
    any_name,
    a_file_that_is_no_provider,
    sessions_that_outlive_the_program,
    selection_policies_take_the_provider,
    by_its_name_among_the_providers,
)


class Registration(unittest.TestCase):
    def test_scenarios(self) -> None:
        paths = host.Paths.provider, host.Paths.lanewise
        for scenario in SCENARIOS:
            done = subprocess.run(
                [sys.executable, __file__, *paths, scenario.__name__],
                capture_output=True,
                text=True,
                timeout=120,
            )
            with self.subTest(scenario.__name__):
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    (scenario,) = [s for s in SCENARIOS if s.__name__ in sys.argv] or [None]
    if scenario:
        host.read_paths()
        scenario()
    else:
        host.main()
