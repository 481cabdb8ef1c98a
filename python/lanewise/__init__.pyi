# SPDX-License-Identifier: Apache-2.0
# The names that the registry gives the package at run time. A test compares both lists.
from typing import Any, Callable, ContextManager, ParamSpec, Protocol, overload

from numpy.typing import ArrayLike, DTypeLike

__version__: str

_P = ParamSpec("_P")
_Out = Any

class TraceError(TypeError):
    what: str

class engine(ContextManager[engine]):
    def __init__(
        self,
        accuracy: str | None = ...,
        threads: int = ...,
        isa: str | None = ...,
        tuning: str | None = ...,
    ) -> None: ...
    @property
    def accuracy(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def isa(self) -> str: ...
    def __call__(self, function: Callable[_P, Any]) -> Callable[_P, Any]: ...
    def __exit__(self, *exception: object) -> None: ...

class _Engine(Protocol):
    @property
    def accuracy(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def isa(self) -> str: ...

def current_engine() -> _Engine: ...
def isas() -> list[str]: ...

class Fused:
    __wrapped__: Callable[..., Any]
    def __call__(self, *args: Any, out: _Out = ..., **kwargs: Any) -> Any: ...
    def explain(self, *args: Any) -> None: ...

@overload
def fuse(
    function: Callable[..., Any],
    *,
    fallback: bool = ...,
    static: str | tuple[str, ...] = ...,
) -> Fused: ...
@overload
def fuse(
    function: None = ..., *, fallback: bool = ..., static: str | tuple[str, ...] = ...
) -> Callable[[Callable[..., Any]], Fused]: ...
def evaluate(
    ex: str,
    local_dict: dict[str, Any] | None = ...,
    global_dict: dict[str, Any] | None = ...,
    out: _Out = ...,
    order: str = ...,
    casting: str = ...,
    sanitize: bool | None = ...,
    _frame_depth: int = ...,
    **kwargs: Any,
) -> Any: ...
def re_evaluate(
    local_dict: dict[str, Any] | None = ...,
    global_dict: dict[str, Any] | None = ...,
    _frame_depth: int = ...,
) -> Any: ...
def validate(
    ex: str,
    local_dict: dict[str, Any] | None = ...,
    global_dict: dict[str, Any] | None = ...,
    out: _Out = ...,
    order: str = ...,
    casting: str = ...,
    sanitize: bool | None = ...,
    _frame_depth: int = ...,
    **kwargs: Any,
) -> Exception | None: ...

class _Unary(Protocol):
    def __call__(
        self, x: ArrayLike, /, *, out: _Out = ..., dtype: DTypeLike | None = ...
    ) -> Any: ...

class _Binary(Protocol):
    def __call__(
        self,
        x1: ArrayLike,
        x2: ArrayLike,
        /,
        *,
        out: _Out = ...,
        dtype: DTypeLike | None = ...,
    ) -> Any: ...

def where(
    condition: ArrayLike, x: ArrayLike, y: ArrayLike, /, *, out: _Out = ...
) -> Any: ...
def clip(
    x: ArrayLike,
    min: ArrayLike | None = ...,
    max: ArrayLike | None = ...,
    /,
    *,
    out: _Out = ...,
) -> Any: ...
def round(x: ArrayLike, decimals: int = ..., *, out: _Out = ...) -> Any: ...
def nan_to_num(
    x: ArrayLike,
    /,
    *,
    out: _Out = ...,
    nan: float = ...,
    posinf: float | None = ...,
    neginf: float | None = ...,
) -> Any: ...
def cast(
    x: ArrayLike,
    dtype: Any,
    /,
    *,
    out: _Out = ...,
    saturate: int = ...,
    round_mode: str = ...,
) -> Any: ...
def divmod(
    x1: ArrayLike, x2: ArrayLike, /, *, out: _Out = ..., dtype: DTypeLike | None = ...
) -> tuple[Any, Any]: ...

abs: _Unary
absolute: _Unary
arccos: _Unary
arccosh: _Unary
arcsin: _Unary
arcsinh: _Unary
arctan: _Unary
arctanh: _Unary
bitwise_not: _Unary
ceil: _Unary
conj: _Unary
conjugate: _Unary
cos: _Unary
cosh: _Unary
deg2rad: _Unary
degrees: _Unary
exp: _Unary
exp2: _Unary
expm1: _Unary
fabs: _Unary
floor: _Unary
invert: _Unary
isfinite: _Unary
isinf: _Unary
isnan: _Unary
log: _Unary
log10: _Unary
log1p: _Unary
log2: _Unary
logical_not: _Unary
negative: _Unary
positive: _Unary
rad2deg: _Unary
radians: _Unary
reciprocal: _Unary
rint: _Unary
sign: _Unary
signbit: _Unary
sin: _Unary
sinh: _Unary
sqrt: _Unary
square: _Unary
tan: _Unary
tanh: _Unary
trunc: _Unary

add: _Binary
arctan2: _Binary
bitwise_and: _Binary
bitwise_or: _Binary
bitwise_xor: _Binary
copysign: _Binary
divide: _Binary
equal: _Binary
float_power: _Binary
floor_divide: _Binary
fmax: _Binary
fmin: _Binary
fmod: _Binary
greater: _Binary
greater_equal: _Binary
heaviside: _Binary
hypot: _Binary
left_shift: _Binary
less: _Binary
less_equal: _Binary
logaddexp: _Binary
logical_and: _Binary
logical_or: _Binary
logical_xor: _Binary
maximum: _Binary
minimum: _Binary
mod: _Binary
multiply: _Binary
not_equal: _Binary
power: _Binary
remainder: _Binary
right_shift: _Binary
subtract: _Binary
true_divide: _Binary

# ONNX's operators
def cast_like(
    input: ArrayLike,
    target_type: ArrayLike,
    /,
    *,
    out: _Out = ...,
    saturate: int = ...,
    round_mode: str = ...,
) -> Any: ...
def celu(x: ArrayLike, /, *, out: _Out = ..., alpha: float = ...) -> Any: ...
def dequantize_linear(
    x: ArrayLike,
    x_scale: ArrayLike,
    x_zero_point: ArrayLike | None = ...,
    /,
    *,
    out: _Out = ...,
    axis: int = ...,
    block_size: int = ...,
    output_dtype: Any = ...,
) -> Any: ...
def elu(x: ArrayLike, /, *, out: _Out = ..., alpha: float = ...) -> Any: ...
def erf(input: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def gelu(x: ArrayLike, /, *, out: _Out = ..., approximate: str = ...) -> Any: ...
def hard_sigmoid(
    x: ArrayLike, /, *, out: _Out = ..., alpha: float = ..., beta: float = ...
) -> Any: ...
def hard_swish(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def leaky_relu(x: ArrayLike, /, *, out: _Out = ..., alpha: float = ...) -> Any: ...
def mean_of(*arrays: ArrayLike, out: _Out = ...) -> Any: ...
def mish(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def prelu(x: ArrayLike, slope: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def quantize_linear(
    x: ArrayLike,
    y_scale: ArrayLike,
    y_zero_point: ArrayLike | None = ...,
    /,
    *,
    out: _Out = ...,
    axis: int = ...,
    saturate: int = ...,
    block_size: int = ...,
    output_dtype: Any = ...,
    precision: int = ...,
) -> Any: ...
def relu(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def reshape(
    data: ArrayLike, shape: ArrayLike, /, *, out: _Out = ..., allowzero: int = ...
) -> Any: ...
def selu(
    x: ArrayLike, /, *, out: _Out = ..., alpha: float = ..., gamma: float = ...
) -> Any: ...
def shrink(
    input: ArrayLike, /, *, out: _Out = ..., bias: float = ..., lambd: float = ...
) -> Any: ...
def sigmoid(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def softplus(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def softsign(input: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def sum_of(*arrays: ArrayLike, out: _Out = ...) -> Any: ...
def swiglu(
    a: ArrayLike, b: ArrayLike, /, *, out: _Out = ..., alpha: float = ...
) -> Any: ...
def swish(x: ArrayLike, /, *, out: _Out = ..., alpha: float = ...) -> Any: ...
def thresholded_relu(
    x: ArrayLike, /, *, out: _Out = ..., alpha: float = ...
) -> Any: ...

# Functions over axes

class _Adding(Protocol):
    def __call__(
        self,
        x: ArrayLike,
        axis: int | tuple[int, ...] | None = ...,
        *,
        out: _Out = ...,
        dtype: DTypeLike | None = ...,
        keepdims: bool = ...,
    ) -> Any: ...

class _Choosing(Protocol):
    def __call__(
        self,
        x: ArrayLike,
        axis: int | tuple[int, ...] | None = ...,
        *,
        out: _Out = ...,
        keepdims: bool = ...,
    ) -> Any: ...

all: _Choosing
any: _Choosing
argmax: _Choosing
argmin: _Choosing
logsumexp: _Choosing
max: _Choosing
mean: _Adding
min: _Choosing
prod: _Adding
std: _Adding
sum: _Adding
var: _Adding

reduce_l1: _Choosing
reduce_l2: _Choosing
reduce_log_sum: _Choosing
reduce_sum_square: _Choosing

class _Along(Protocol):
    def __call__(self, x: ArrayLike, axis: int = ..., *, out: _Out = ...) -> Any: ...

hardmax: _Along
log_softmax: _Along
softmax: _Along

def batch_normalization(
    x: ArrayLike,
    scale: ArrayLike,
    b: ArrayLike,
    input_mean: ArrayLike,
    input_var: ArrayLike,
    /,
    *,
    out: _Out = ...,
    epsilon: float = ...,
) -> Any: ...
def dynamic_quantize_linear(
    x: ArrayLike, /, *, out: _Out = ...
) -> tuple[Any, Any, Any]: ...
def global_average_pool(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def global_lp_pool(x: ArrayLike, /, *, out: _Out = ..., p: int = ...) -> Any: ...
def global_max_pool(x: ArrayLike, /, *, out: _Out = ...) -> Any: ...
def group_normalization(
    x: ArrayLike,
    scale: ArrayLike,
    bias: ArrayLike,
    /,
    *,
    num_groups: int,
    out: _Out = ...,
    epsilon: float = ...,
) -> Any: ...
def instance_normalization(
    input: ArrayLike,
    scale: ArrayLike,
    b: ArrayLike,
    /,
    *,
    out: _Out = ...,
    epsilon: float = ...,
) -> Any: ...
def layer_normalization(
    x: ArrayLike,
    scale: ArrayLike,
    b: ArrayLike | None = ...,
    /,
    *,
    out: _Out = ...,
    axis: int = ...,
    epsilon: float = ...,
) -> Any: ...
def lp_normalization(
    input: ArrayLike, /, *, out: _Out = ..., axis: int = ..., p: int = ...
) -> Any: ...
def mean_variance_normalization(
    x: ArrayLike, /, *, out: _Out = ..., axes: tuple[int, ...] = ...
) -> Any: ...
def rms_normalization(
    x: ArrayLike, scale: ArrayLike, /, *, out: _Out = ..., axis: int = ...,
    epsilon: float = ...,
) -> Any: ...  # fmt: skip
