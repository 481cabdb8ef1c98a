# SPDX-License-Identifier: Apache-2.0
# The extension module, whose sources are in python/src.
from typing import Any, Callable

version: str

class Engine:
    def __new__(
        cls, accuracy: int = ..., threads: int = ..., isa: str | None = ...,
        tuning: str | None = ...,
    ) -> Engine: ...  # fmt: skip
    @property
    def accuracy(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def isa(self) -> str: ...

class Program:
    def __new__(
        cls, engine: Engine, inputs: tuple[Any, ...], constants: tuple[Any, ...],
        steps: tuple[Any, ...], results: tuple[int, ...], dtypes: tuple[Any, ...],
        is_tuple: bool, whole_results: int,
    ) -> Program: ...  # fmt: skip

class Function:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def _run(self, args: tuple[Any, ...], out: Any, /) -> Any: ...

def signatures() -> list[tuple[Any, ...]]: ...
def isas() -> list[str]: ...
def type_name(type: int, /) -> str: ...
def setup(
    numpy: Any,
    dtypes: dict[Any, int],
    engine: Callable[[], Engine | None],
    make_engine: Callable[[], Engine],
    /,
) -> None: ...
