# SPDX-License-Identifier: Apache-2.0
"""Why some cells of an operator are slower than a peer: a line for each
operator with a known cause. The machines' pages show the line."""
_CHECKS = 'n = 2,048: the checks of a call take some of its 30 ns.'
_STREAMED = ('Calls beyond the last-level cache store past the caches, which gains '
             'nothing where the last-level cache holds the operands.')
_READ = ('64 bits, n = 16 Mi: results are not stored past the caches, as the '
         'inputs are most of the bytes.')
_ONCE = ('Sums of e^x and 1 are two lanes, and the quotient is rounded once, for an '
         'error below 1 ULP; peers round several times.')
_EVERYWHERE = ('In our tests, errors stay within 0.51 ULP in float32 and 1 ULP in '
               'float64, and 16 bits are rounded correctly for all inputs; a peer may '
               'err by up to 4 ULP, and is checked on the inputs of the benchmark.')
_ALIGNS = 'n = 2,048: a call first finds how the scales lie beside the elements.'

NOTES = {
    **dict.fromkeys(('Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atanh', 'Cos', 'Cosh',
                     'Sin', 'Sinh', 'Tan'), _EVERYWHERE),
    'Add': f'{_CHECKS} {_STREAMED}',
    'Clip': f'{_CHECKS} {_STREAMED}',
    'DequantizeLinear': f'{_ALIGNS} int32: products of 57 bits are rounded once.',
    'Div': 'Floats: the divider is the limit, and rows of 8 by one element '
           'each first spread the divisors over a tile. Integers: the loop '
           'also looks for zero divisors, on which a plain loop stops the '
           'program.',
    'Equal': f'{_CHECKS} {_READ}',
    'Exp': 'Special values, n = 16 Mi: each vector is first tried in the way '
           'for ordinary values, which makes ordinary values faster.',
    'Greater': f'{_CHECKS} {_READ}',
    'GreaterOrEqual': f'{_CHECKS} {_READ}',
    'LeakyRelu': 'Only the lanes below 0 are multiplied: slower in float64, '
                 'faster in small calls and in the other types.',
    'Less': f'{_CHECKS} {_READ}',
    'LessOrEqual': f'{_CHECKS} {_READ}',
    'Mul': f'{_CHECKS} {_STREAMED}',
    'Pow': 'The logarithm and its product with y have two words, for an error below '
           '1 ULP; a peer may err by up to 4.',
    'QuantizeLinear': _ALIGNS,
    'Reciprocal': 'Divisions with special values among their lanes are slow.',
    'Relu': f'{_CHECKS} {_STREAMED}',
    'Reshape': 'In the caches, a call is one memcpy and some checks. '
               f'{_STREAMED}',
    'Sigmoid': _ONCE,
    'Softsign': 'The quotient of x and 1 + |x| is rounded once; a plain loop rounds '
                'twice.',
    'Sub': f'{_CHECKS} {_STREAMED}',
    'Tanh': _ONCE,
}
