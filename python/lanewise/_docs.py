# SPDX-License-Identifier: Apache-2.0
"""What each operator does, and an example: arguments and what comes back, printed with
four digits. A test runs the examples as doctests, and asks for each operator's."""

from __future__ import annotations

_TEXT = """\
abs: The absolute value.
    np.int32([-7, 0, 9]) -> array([7, 0, 9], dtype=int32)
absolute: The absolute value.
    np.float32([-1, 0, 2]) -> array([1., 0., 2.], dtype=float32)
add: x1 + x2.
    np.float32([-1, 0, 2]), 0.5 -> array([-0.5, 0.5, 2.5], dtype=float32)
arccos: The angle whose cosine is x.
    np.float32([0, 1]) -> array([1.5708, 0. ], dtype=float32)
arccosh: The inverse of cosh.
    np.float32([1, 2]) -> array([0. , 1.317], dtype=float32)
arcsin: The angle whose sine is x.
    np.float32([0, 1]) -> array([0. , 1.5708], dtype=float32)
arcsinh: The inverse of sinh.
    np.float32([0, 1]) -> array([0. , 0.8814], dtype=float32)
arctan: The angle whose tangent is x.
    np.float32([0, 1]) -> array([0. , 0.7854], dtype=float32)
arctan2: The angle of the point (x2, x1), from -pi to pi.
    np.float32([0, 1]), np.float32([-1, 1]) -> array([3.1416, 0.7854], dtype=float32)
arctanh: The inverse of tanh.
    np.float32([0, 0.5]) -> array([0. , 0.5493], dtype=float32)
bitwise_and: The bits that both have.
    np.int32([-7, 0, 9]), 3 -> array([1, 0, 1], dtype=int32)
bitwise_not: Each bit inverted.
    np.int32([-7, 0, 9]) -> array([ 6, -1, -10], dtype=int32)
bitwise_or: The bits that either has.
    np.int32([-7, 0, 9]), 3 -> array([-5, 3, 11], dtype=int32)
bitwise_xor: The bits that one has and not the other.
    np.int32([-7, 0, 9]), 3 -> array([-6, 3, 10], dtype=int32)
cast: x in another type: truncated and saturated to integers, rounded once to floats.
    np.float32([-1.5, 0, 300]), "uint8" -> array([ 0, 0, 255], dtype=uint8)
cast_like: input in the type of target_type.
    np.float32([-1.5, 2]), np.int8([0]) -> array([-1, 2], dtype=int8)
ceil: The smallest whole number that is not below x.
    np.float32([-1.5, 0.2]) -> array([-1., 1.], dtype=float32)
celu: x, but alpha (e^(x / alpha) - 1) below 0.
    np.float32([-1, 0, 2]) -> array([-0.6321, 0. , 2. ], dtype=float32)
clip: x, but not below min and not above max.
    np.float32([-1, 0, 2]), 0, 1 -> array([0., 0., 1.], dtype=float32)
conj: x itself: there are no complex numbers.
    np.float32([-1, 0, 2]) -> array([-1., 0., 2.], dtype=float32)
conjugate: x itself: there are no complex numbers.
    np.float32([-1, 0, 2]) -> array([-1., 0., 2.], dtype=float32)
copysign: x1 with the sign of x2.
    np.float32([1, 2]), np.float32([-1, 1]) -> array([-1., 2.], dtype=float32)
cos: The cosine.
    np.float32([0, 1]) -> array([1. , 0.5403], dtype=float32)
cosh: The hyperbolic cosine.
    np.float32([0, 1]) -> array([1. , 1.5431], dtype=float32)
deg2rad: Degrees as radians.
    np.float32([90, 180]) -> array([1.5708, 3.1416], dtype=float32)
degrees: Radians as degrees.
    np.float32([0, 1]) -> array([ 0. , 57.2958], dtype=float32)
dequantize_linear: (x - x_zero_point) * x_scale, as floats.
    np.uint8([126, 130]), np.float32(0.5), np.uint8(128) -> array([-1., 1.], dtype=float32)
divide: x1 / x2, as floats.
    np.int32([-7, 0, 9]), 2 -> array([-3.5, 0. , 4.5])
divmod: floor_divide and remainder.
    np.int32([-7, 0, 9]), 2 -> (array([-4, 0, 4], dtype=int32), array([1, 0, 1], dtype=int32))
elu: x, but alpha (e^x - 1) below 0.
    np.float32([-1, 0, 2]) -> array([-0.6321, 0. , 2. ], dtype=float32)
equal: Whether x1 is x2.
    np.float32([-1, 0, 2]), 0 -> array([False, True, False])
erf: The error function.
    np.float32([-1, 0, 2]) -> array([-0.8427, 0. , 0.9953], dtype=float32)
exp: e to the power of x.
    np.float32([0, 1]) -> array([1. , 2.7183], dtype=float32)
exp2: 2 to the power of x.
    np.float32([0, 3]) -> array([1., 8.], dtype=float32)
expm1: e^x - 1, exact for small x, too.
    np.float32([1e-4, 1]) -> array([1.0001e-04, 1.7183e+00], dtype=float32)
fabs: The absolute value, as floats.
    np.float32([-1, 0, 2]) -> array([1., 0., 2.], dtype=float32)
float_power: x1 to the power of x2, in float64.
    np.float32([0.5, 1, 4]), 2 -> array([ 0.25, 1. , 16. ])
floor: The largest whole number that is not above x.
    np.float32([-1.5, 0.2]) -> array([-2., 0.], dtype=float32)
floor_divide: The largest whole number that is not above x1 / x2.
    np.int32([-7, 0, 9]), 2 -> array([-4, 0, 4], dtype=int32)
fmax: The larger number; a number beside a NaN.
    np.float32([1, np.nan]), 2 -> array([2., 2.], dtype=float32)
fmin: The smaller number; a number beside a NaN.
    np.float32([1, np.nan]), 2 -> array([1., 2.], dtype=float32)
fmod: The remainder of x1 / x2, with the sign of x1.
    np.int32([-7, 0, 9]), 2 -> array([-1, 0, 1], dtype=int32)
gelu: x times the normal distribution of x; approximate="tanh" is quicker in some models.
    np.float32([-1, 0, 2]) -> array([-0.1587, 0. , 1.9545], dtype=float32)
greater: Whether x1 > x2.
    np.float32([-1, 0, 2]), 0 -> array([False, False, True])
greater_equal: Whether x1 >= x2.
    np.float32([-1, 0, 2]), 0 -> array([False, True, True])
hard_sigmoid: alpha x + beta, between 0 and 1.
    np.float32([-1, 0, 2]) -> array([0.3, 0.5, 0.9], dtype=float32)
hard_swish: x hard_sigmoid(x), with alpha 1/6.
    np.float32([-1, 0, 2]) -> array([-0.3333, 0. , 1.6667], dtype=float32)
heaviside: 0 below 0, 1 above, x2 at 0.
    np.float32([-1, 0, 2]), 0.5 -> array([0. , 0.5, 1. ], dtype=float32)
hypot: The root of x1^2 + x2^2.
    np.float32([3, 5]), np.float32([4, 12]) -> array([ 5., 13.], dtype=float32)
invert: Each bit inverted.
    np.int32([-7, 0, 9]) -> array([ 6, -1, -10], dtype=int32)
isfinite: Whether x is a number and finite.
    np.float32([1, np.inf, np.nan]) -> array([ True, False, False])
isinf: Whether x is infinite.
    np.float32([1, np.inf, np.nan]) -> array([False, True, False])
isnan: Whether x is no number.
    np.float32([1, np.inf, np.nan]) -> array([False, False, True])
leaky_relu: x, but alpha x below 0.
    np.float32([-1, 0, 2]) -> array([-0.01, 0. , 2. ], dtype=float32)
left_shift: x1 times 2 to the power of x2.
    np.int32([-7, 0, 9]), 2 -> array([-28, 0, 36], dtype=int32)
less: Whether x1 < x2.
    np.float32([-1, 0, 2]), 0 -> array([ True, False, False])
less_equal: Whether x1 <= x2.
    np.float32([-1, 0, 2]), 0 -> array([ True, True, False])
log: The natural logarithm.
    np.float32([0.5, 1, 4]) -> array([-0.6931, 0. , 1.3863], dtype=float32)
log10: The logarithm of base 10.
    np.float32([1, 1000]) -> array([0., 3.], dtype=float32)
log1p: log(1 + x), exact for small x, too.
    np.float32([1e-4, 1]) -> array([9.9995e-05, 6.9315e-01], dtype=float32)
log2: The logarithm of base 2.
    np.float32([1, 8]) -> array([0., 3.], dtype=float32)
logaddexp: log(e^x1 + e^x2).
    np.float32([-1, 0, 2]), 0 -> array([0.3133, 0.6931, 2.1269], dtype=float32)
logical_and: Whether both are true.
    np.float32([-1, 0, 2]), True -> array([ True, False, True])
logical_not: Whether x is false.
    np.float32([-1, 0, 2]) -> array([False, True, False])
logical_or: Whether either is true.
    np.float32([-1, 0, 2]), False -> array([ True, False, True])
logical_xor: Whether one is true and not the other.
    np.float32([-1, 0, 2]), True -> array([False, True, False])
maximum: The larger number; NaN beside a NaN.
    np.float32([-1, 0, 2]), 0.5 -> array([0.5, 0.5, 2. ], dtype=float32)
mean_of: The mean of several arrays.
    np.float32([-1, 0, 2]), np.float32([0.5, 1, 4]) -> array([-0.25, 0.5 , 3. ], dtype=float32)
minimum: The smaller number; NaN beside a NaN.
    np.float32([-1, 0, 2]), 0.5 -> array([-1. , 0. , 0.5], dtype=float32)
mish: x tanh(softplus(x)).
    np.float32([-1, 0, 2]) -> array([-0.3034, 0. , 1.944 ], dtype=float32)
mod: The remainder of x1 / x2, with the sign of x2.
    np.int32([-7, 0, 9]), 2 -> array([1, 0, 1], dtype=int32)
multiply: x1 x2.
    np.float32([-1, 0, 2]), 0.5 -> array([-0.5, 0. , 1. ], dtype=float32)
nan_to_num: x with numbers in place of NaN and infinities.
    np.float32([1, np.nan]) -> array([1., 0.], dtype=float32)
negative: -x.
    np.float32([-1, 0, 2]) -> array([ 1., -0., -2.], dtype=float32)
not_equal: Whether x1 is not x2.
    np.float32([-1, 0, 2]), 0 -> array([ True, False, True])
positive: x itself.
    np.float32([-1, 0, 2]) -> array([-1., 0., 2.], dtype=float32)
power: x1 to the power of x2.
    np.float32([0.5, 1, 4]), 2 -> array([ 0.25, 1. , 16. ], dtype=float32)
prelu: x, but slope x below 0.
    np.float32([-1, 0, 2]), 0.25 -> array([-0.25, 0. , 2. ], dtype=float32)
quantize_linear: x / y_scale, rounded, plus y_zero_point, saturated.
    np.float32([-1.5, 0, 300]), np.float32(0.5), np.uint8(128) -> array([125, 128, 255], dtype=uint8)
rad2deg: Radians as degrees.
    np.float32([0, 1]) -> array([ 0. , 57.2958], dtype=float32)
radians: Degrees as radians.
    np.float32([90, 180]) -> array([1.5708, 3.1416], dtype=float32)
reciprocal: 1 / x.
    np.float32([0.5, 1, 4]) -> array([2. , 1. , 0.25], dtype=float32)
relu: x, but 0 below 0.
    np.float32([-1, 0, 2]) -> array([0., 0., 2.], dtype=float32)
remainder: The remainder of x1 / x2, with the sign of x2.
    np.int32([-7, 0, 9]), 2 -> array([1, 0, 1], dtype=int32)
reshape: data in another shape.
    np.float32([[1, 2], [3, 4]]), [4] -> array([1., 2., 3., 4.], dtype=float32)
right_shift: x1 divided by 2 to the power of x2, rounded down.
    np.int32([-7, 0, 9]), 2 -> array([-2, 0, 2], dtype=int32)
rint: The nearest whole number; a tie is even.
    np.float32([-1.5, 0.2]) -> array([-2., 0.], dtype=float32)
round: x to so many decimals; a tie is even.
    np.float32([-1.25, 0.29]), 1 -> array([-1.2, 0.3], dtype=float32)
selu: gamma x, but gamma alpha (e^x - 1) below 0.
    np.float32([-1, 0, 2]) -> array([-1.1113, 0. , 2.1014], dtype=float32)
shrink: x + bias below -lambd, x - bias above lambd, else 0.
    np.float32([-1, 0, 2]) -> array([-1., 0., 2.], dtype=float32)
sigmoid: 1 / (1 + e^-x).
    np.float32([-1, 0, 2]) -> array([0.2689, 0.5 , 0.8808], dtype=float32)
sign: -1, 0 or 1.
    np.float32([-1, 0, 2]) -> array([-1., 0., 1.], dtype=float32)
signbit: Whether the sign is a minus, also that of a zero.
    np.float32([-0.0, 1]) -> array([ True, False])
sin: The sine.
    np.float32([0, 1]) -> array([0. , 0.8415], dtype=float32)
sinh: The hyperbolic sine.
    np.float32([0, 1]) -> array([0. , 1.1752], dtype=float32)
softplus: log(1 + e^x).
    np.float32([-1, 0, 2]) -> array([0.3133, 0.6931, 2.1269], dtype=float32)
softsign: x / (1 + |x|).
    np.float32([-1, 0, 2]) -> array([-0.5 , 0. , 0.6667], dtype=float32)
sqrt: The root.
    np.float32([0.5, 1, 4]) -> array([0.7071, 1. , 2. ], dtype=float32)
square: x^2.
    np.float32([-1, 0, 2]) -> array([1., 0., 4.], dtype=float32)
subtract: x1 - x2.
    np.float32([-1, 0, 2]), 0.5 -> array([-1.5, -0.5, 1.5], dtype=float32)
sum_of: The sum of several arrays.
    np.float32([-1, 0, 2]), np.float32([0.5, 1, 4]) -> array([-0.5, 1. , 6. ], dtype=float32)
swiglu: swish(a) b.
    np.float32([-1, 0, 2]), np.float32([0.5, 1, 4]) -> array([-0.1345, 0. , 7.0464], dtype=float32)
swish: x sigmoid(alpha x).
    np.float32([-1, 0, 2]) -> array([-0.2689, 0. , 1.7616], dtype=float32)
tan: The tangent.
    np.float32([0, 1]) -> array([0. , 1.5574], dtype=float32)
tanh: The hyperbolic tangent.
    np.float32([-1, 0, 2]) -> array([-0.7616, 0. , 0.964 ], dtype=float32)
thresholded_relu: x above alpha, else 0.
    np.float32([-1, 0, 2]) -> array([0., 0., 2.], dtype=float32)
true_divide: x1 / x2, as floats.
    np.int32([-7, 0, 9]), 2 -> array([-3.5, 0. , 4.5])
trunc: x without its fraction.
    np.float32([-1.5, 0.2]) -> array([-1., 0.], dtype=float32)
where: x where the condition is true, y elsewhere.
    np.array([False, True]), 1.0, np.float32([2, 3]) -> array([2., 1.], dtype=float32)
all: Whether all are true.
    np.array([[True, False], [True, True]]), axis=1 -> array([False, True])
any: Whether any is true.
    np.array([[True, False], [False, False]]), axis=1 -> array([ True, False])
argmax: Where the first of the largest numbers is.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([1, 0])
argmin: Where the first of the smallest numbers is.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([0, 2])
logsumexp: The logarithm of the sum of e^x.
    np.float32([[0, 0], [1, 2]]), axis=1 -> array([0.6931, 2.3133], dtype=float32)
max: The largest number; NaN if one is there.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([3., 6.], dtype=float32)
mean: The mean.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([2., 5.], dtype=float32)
min: The smallest number; NaN if one is there.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([1., 4.], dtype=float32)
prod: The product.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([ 6., 120.], dtype=float32)
batch_normalization: (x - input_mean) / sqrt(input_var + epsilon) scale + b, by channels.
    np.float32([[3, 5]]), *np.float32([[1, 2], [0, 1], [1, 3], [4, 1]]) -> array([[1., 5.]], dtype=float32)
dynamic_quantize_linear: x in 8 bits, the scale, and the zero point, which belong to x.
    np.float32([0, 127.5, 255]) -> (array([ 0, 128, 255], dtype=uint8), np.float32(1.0), np.uint8(0))
global_average_pool: The mean over all axes but the first two.
    np.float32([[[1, 3, 2], [6, 5, 4]]]) -> array([[[2.], [5.]]], dtype=float32)
global_lp_pool: The root of the sum of |x|^p over all axes but the first two; p is 2.
    np.float32([[[3, 4], [5, 12]]]) -> array([[[ 5.], [13.]]], dtype=float32)
global_max_pool: The largest number over all axes but the first two.
    np.float32([[[1, 3, 2], [6, 5, 4]]]) -> array([[[3.], [6.]]], dtype=float32)
group_normalization: Groups of channels with mean 0 and variance 1, times scale, plus bias.
    np.float32([[[1], [3], [2], [6]]]), np.ones(4, "f4"), np.zeros(4, "f4"), num_groups=2 -> array([[[-1.], [ 1.], [-1.], [ 1.]]], dtype=float32)
hardmax: 1 at the first of the largest numbers along an axis, else 0.
    np.float32([[1, 3, 2], [6, 5, 4]]) -> array([[0., 1., 0.], [1., 0., 0.]], dtype=float32)
instance_normalization: Each channel with mean 0 and variance 1, times scale, plus b.
    np.float32([[[1, 3], [2, 6]]]), np.float32([1, 2]), np.float32([0, 1]) -> array([[[-1., 1.], [-1., 3.]]], dtype=float32)
layer_normalization: Rows with mean 0 and variance 1, times scale, plus b.
    np.float32([[1, 3], [2, 6]]), np.float32([1, 2]) -> array([[-1., 2.], [-1., 2.]], dtype=float32)
log_softmax: The logarithm of softmax, along an axis.
    np.float32([[0, 0], [1, 2]]) -> array([[-0.6931, -0.6931], [-1.3133, -0.3133]], dtype=float32)
lp_normalization: x over the root of the sum of |x|^p along an axis; p is 2.
    np.float32([[3, 4], [0, 2]]) -> array([[0.6, 0.8], [0. , 1. ]], dtype=float32)
mean_variance_normalization: x with mean 0 and variance 1 over axes; by channels.
    np.float32([[[[1, 3]]], [[[2, 6]]]]), axes=(1, 2, 3) -> array([[[[-1., 1.]]], [[[-1., 1.]]]], dtype=float32)
reduce_l1: The sum of |x|.
    np.float32([[1, -3, 2], [6, 5, 4]]), axis=1 -> array([ 6., 15.], dtype=float32)
reduce_l2: The root of the sum of x^2.
    np.float32([[3, 4], [5, 12]]), axis=1 -> array([ 5., 13.], dtype=float32)
reduce_log_sum: The logarithm of the sum.
    np.float32([[1, 3], [6, 4]]), axis=1 -> array([1.3863, 2.3026], dtype=float32)
reduce_sum_square: The sum of x^2.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([14., 77.], dtype=float32)
rms_normalization: Rows over the root of the mean of their squares, times scale.
    np.float32([[3, 4], [6, 8]]), np.float32([5, 5]) -> array([[4.2426, 5.6569], [4.2426, 5.6569]], dtype=float32)
softmax: e^x over the sum of e^x, along an axis.
    np.float32([[0, 0], [1, 2]]) -> array([[0.5 , 0.5 ], [0.2689, 0.7311]], dtype=float32)
std: The standard deviation.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([0.8165, 0.8165], dtype=float32)
sum: The sum.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([ 6., 15.], dtype=float32)
var: The variance.
    np.float32([[1, 3, 2], [6, 5, 4]]), axis=1 -> array([0.6667, 0.6667], dtype=float32)
"""


def docs() -> dict[str, str]:
    """The docstring of each operator."""
    made = {}
    lines = _TEXT.splitlines()
    for head, example in zip(lines[::2], lines[1::2]):
        name, what = head.split(": ", 1)
        arguments, result = example.strip().split(" -> ")
        made[name] = f"{what}\n\n>>> lanewise.{name}({arguments})\n{result}\n"
    return made
