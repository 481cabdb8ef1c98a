# SPDX-License-Identifier: Apache-2.0
"""Other packages' arrays, without a copy where their protocols allow that."""

from __future__ import annotations

import array
import ctypes
from typing import Any

import lanewise
import ml_dtypes
import numpy as np
import pytest
from lanewise import _arrays
from needs import need

NUMPY_1 = np.__version__.startswith("1.")
WANT = np.exp(np.float32([0, 1, 2]))


def is_shared(x: Any, pointer: int) -> bool:
    return _arrays.plain(x).__array_interface__["data"][0] == pointer


def test_memoryviews_and_buffers() -> None:
    x = array.array("f", [0, 1, 2])
    for view in (x, memoryview(x), (ctypes.c_float * 3)(0, 1, 2)):
        np.testing.assert_allclose(lanewise.exp(view), WANT, rtol=1e-6)
    assert is_shared(x, x.buffer_info()[0])
    out = array.array("f", [0, 0, 0])
    assert lanewise.exp(x, out=out) is out
    np.testing.assert_allclose(np.asarray(out), WANT, rtol=1e-6)


def test_array_interface() -> None:
    class Mine:
        def __init__(self, x: np.ndarray) -> None:
            self.x, self.__array_interface__ = x, x.__array_interface__

    x = np.float32([0, 1, 2])
    assert is_shared(Mine(x), x.ctypes.data)
    np.testing.assert_allclose(lanewise.exp(Mine(x)), WANT, rtol=1e-6)


def test_lists_and_subclasses() -> None:
    assert lanewise.exp([0, 1, 2]).dtype == np.float64
    assert type(lanewise.exp(np.zeros(3, "f4").view(np.recarray))) is np.ndarray
    with pytest.raises(TypeError, match="masked"):
        lanewise.exp(np.ma.masked_array([1.0, 2.0], [0, 1]))
    record = np.zeros(3, "f4,f8")
    record["f1"] = [0, 1, 2]
    np.testing.assert_allclose(lanewise.exp(record["f1"]), WANT, rtol=1e-6)
    packed = np.zeros(3, np.dtype([("a", "i1"), ("b", "f4")]))
    packed["b"] = [0, 1, 2]
    np.testing.assert_allclose(lanewise.exp(packed["b"]), WANT, rtol=1e-6)
    lanewise.exp(np.float32([0, 1, 2]), out=packed["b"])
    np.testing.assert_allclose(packed["b"], WANT, rtol=1e-6)
    # Aligned, but 12 bytes apart, which is no number of elements.
    apart = np.zeros(3, np.dtype([("a", "c8"), ("b", "f4")]))["a"]
    apart[:] = [1j, 2, 3]
    np.testing.assert_array_equal(
        lanewise.where([True, False, True], apart, 0), [1j, 0, 3]
    )
    swapped = np.float32([0, 1, 2]).astype(">f4")
    assert lanewise.exp(swapped).dtype == np.dtype("f4")


def test_pyarrow() -> None:
    pyarrow = need("pyarrow")
    x = pyarrow.array([0, 1, 2], pyarrow.float32())
    assert is_shared(x, x.buffers()[1].address)
    np.testing.assert_allclose(lanewise.exp(x), WANT, rtol=1e-6)


def test_jax() -> None:
    jnp = need("jax.numpy")
    x = jnp.float32([0, 1, 2])
    assert is_shared(x, x.unsafe_buffer_pointer())
    np.testing.assert_allclose(lanewise.exp(x), WANT, rtol=1e-6)
    # NumPy's from_dlpack knows no bfloat16.
    narrow = x.astype(jnp.bfloat16)
    assert is_shared(narrow, narrow.unsafe_buffer_pointer())
    assert lanewise.exp(narrow).dtype == ml_dtypes.bfloat16
    np.testing.assert_allclose(lanewise.exp(narrow).astype("f4"), WANT, rtol=0.01)
    transposed = jnp.ones((3, 4), jnp.bfloat16).T
    assert lanewise.exp(transposed).shape == (4, 3)


def test_jax_arrays_are_not_written() -> None:
    jnp = need("jax.numpy")
    for dtype in (jnp.float32, jnp.bfloat16):
        x = jnp.zeros(3, dtype)
        with pytest.raises(ValueError, match="read-only"):
            lanewise.exp(x, out=x)
        assert not x.any()


class Narrow:
    """A bfloat16 tensor as other packages export it: with DLPack's flags, if there is
    a version."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **kwargs: Any) -> Any:
        capsule = self.x.__dlpack__(**kwargs)
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        name = b"dltensor_versioned" if "max_version" in kwargs else b"dltensor"
        # The type stands behind the data, the device and the rank.
        before = 32 if "max_version" in kwargs else 0
        ctypes.c_uint8.from_address(get(capsule, name) + before + 20).value = 4
        return capsule


def test_read_only_tensors() -> None:
    for is_writeable in (True, False):
        x = np.zeros(3, "u2")
        x.flags.writeable = is_writeable
        if NUMPY_1 and not is_writeable:  # exported with a version only
            continue
        assert is_shared(Narrow(x), x.ctypes.data)
        assert _arrays.plain(Narrow(x)).flags.writeable == (is_writeable and not NUMPY_1)
        if is_writeable and not NUMPY_1:
            lanewise.exp(np.zeros(3, ml_dtypes.bfloat16), out=Narrow(x))
            assert x.tolist() == [0x3F80] * 3
        else:
            with pytest.raises(ValueError, match="read-only"):
                lanewise.exp(np.zeros(3, ml_dtypes.bfloat16), out=Narrow(x))
            assert not x.any()


def test_outputs_that_nobody_can_write() -> None:
    class Copied:
        """An array that is made anew for each who asks."""

        def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
            return np.zeros(3, "f4")

    with pytest.raises(TypeError, match="ArrayType"):
        lanewise.exp(np.float32([0, 1, 2]), out=Copied())
    fixed = np.zeros(3, "f4")
    fixed.flags.writeable = False
    for out in (fixed, memoryview(bytes(12)).cast("f"), memoryview(fixed)):
        with pytest.raises(ValueError, match="read-only"):
            lanewise.exp(np.float32([0, 1, 2]), out=out)


def test_pandas() -> None:
    pandas = need("pandas")
    frame = pandas.DataFrame({"a": np.float32([0, 1, 2]), "b": [1, 2, 3]})
    np.testing.assert_allclose(lanewise.exp(frame["a"].to_numpy()), WANT, rtol=1e-6)


class OnGpu:
    """What an array on a GPU says of itself."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, **kwargs: Any) -> Any:
        raise AssertionError("nobody may ask for the memory")


class Cuda:
    __cuda_array_interface__: dict = {}


@pytest.mark.parametrize("x", [OnGpu(), Cuda()])
def test_gpu(x: Any) -> None:
    with pytest.raises(TypeError, match="is on a GPU.*copy the array"):
        lanewise.exp(x)
