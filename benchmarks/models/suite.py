# SPDX-License-Identifier: Apache-2.0
"""The models that are timed: of packages, and made ones of the tests."""
from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import onnx
from onnx import version_converter

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
# Where scripts/setup unpacks the packages of packages.txt.
PACKAGES = os.path.join(SOURCE, 'build', '_deps', 'models')
sys.path.insert(0, os.path.join(SOURCE, 'tests', 'onnxruntime'))
import models as made  # noqa: E402
from narrow import narrowed  # noqa: E402
from unquantized import unquantized  # noqa: E402

NARROW = {'f16': onnx.TensorProto.FLOAT16, 'bf16': onnx.TensorProto.BFLOAT16}
BFLOAT16_OPSET = 22
# The distance from 1 to the next number of the type.
STEPS = {'f32': 2.0**-23, 'f16': 2.0**-10, 'bf16': 2.0**-7}
Inputs = dict[str, np.ndarray]


class Model(NamedTuple):
    name: str
    dtype: str  # the type that the model computes in
    source: str  # a package, or 'made'
    file: str  # of the package
    make: Callable[[], tuple[onnx.ModelProto, Inputs]]

    @property
    def absent(self) -> bool:
        return bool(self.file) and not os.path.exists(self.file)


def _noise(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).uniform(-1, 1, shape).astype('float32')


def _of_package(name: str, path: str, inputs: Inputs) -> Model:
    file = os.path.join(PACKAGES, path)
    return Model(name, 'f32', path.split('/')[0], file,
                 lambda: (onnx.load(file), inputs))


def _typed(model: Model, dtype: str) -> Model:
    """The model in another type."""
    if dtype == 'f32':
        return model

    def make() -> tuple[onnx.ModelProto, Inputs]:
        wide, inputs = model.make()
        if dtype == 'bf16':  # older versions of some operators lack bfloat16
            wide = version_converter.convert_version(wide, BFLOAT16_OPSET)
        return narrowed(wide, NARROW[dtype]), inputs
    return model._replace(name=f'{model.name}_{dtype}', dtype=dtype, make=make)


def _transformer(length: int) -> Model:
    """A block of the size of BERT and GPT-2."""
    return Model(f'transformer_{length}', 'f32', 'made', '',
                 lambda: made.transformer_block(length=length, width=768, heads=12,
                                                whole=True))


def _suite() -> list[Model]:
    ocr = 'rapidocr_onnxruntime/models/ch_'
    found = [
        _of_package('ppocr_detector', ocr + 'PP-OCRv4_det_infer.onnx',
                    {'x': _noise(1, 3, 640, 640)}),
        _of_package('ppocr_recogniser', ocr + 'PP-OCRv4_rec_infer.onnx',
                    {'x': _noise(1, 3, 48, 320)}),
        _of_package('ppocr_classifier', ocr + 'ppocr_mobile_v2.0_cls_infer.onnx',
                    {'x': _noise(1, 3, 48, 192)})]
    found += [_typed(model, 'f16') for model in found]
    found.append(_of_package(
        'silero_vad', 'silero_vad/data/silero_vad.onnx',
        {'input': 0.1 * _noise(1, 576), 'state': np.zeros((2, 1, 128), 'float32'),
         'sr': np.array(16000)}))
    turn = 'pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx'
    quantized = _of_package('smart_turn_int8', turn,
                            {'input_features': _noise(1, 80, 800)})

    def wide_turn() -> tuple[onnx.ModelProto, Inputs]:
        model, inputs = quantized.make()
        return unquantized(model), inputs
    wide = quantized._replace(name='smart_turn', make=wide_turn)
    found += [quantized, wide, _typed(wide, 'f16'), _typed(wide, 'bf16')]
    for name, make in made.MODELS.items():
        dtype = ('bf16' if 'bfloat16' in name else
                 'f16' if 'float16' in name else 'f32')
        found.append(Model(name, dtype, 'made', '', make))
    by_name = {model.name: model for model in found}
    found += [_typed(by_name[name], dtype) for dtype, name in itertools.product(
        ('f16', 'bf16'), ('convolutional_net', 'embeddings'))]
    return found + [_typed(_transformer(length), dtype) for length, dtype in
                    itertools.product((128, 512), ('f32', 'f16', 'bf16'))]


SUITE = {model.name: model for model in _suite()}


def of_file(path: str, shape: str) -> Model:
    """Any model with one input of float32, of a shape such as 1x3x48x320."""
    def make() -> tuple[onnx.ModelProto, Inputs]:
        model = onnx.load(path)
        weights = {tensor.name for tensor in model.graph.initializer}
        # Outputs of another rank than the model says could not be bound.
        for output in model.graph.output:
            output.type.tensor_type.ClearField('shape')
        (name,) = [i.name for i in model.graph.input if i.name not in weights]
        return model, {name: _noise(*map(int, shape.split('x')))}
    return Model(os.path.basename(path), 'f32', 'file', path, make)
