# SPDX-License-Identifier: Apache-2.0
"""lanewise as an execution provider for ONNX Runtime.

    import onnxruntime, onnxruntime_ep_lanewise as lanewise

    options = lanewise.append_to(onnxruntime.SessionOptions())
    session = onnxruntime.InferenceSession("model.onnx", options)
    lanewise.assert_used(session)

`python -m onnxruntime_ep_lanewise` describes the installation.
"""

from ._cast_node import CastNode
from ._description import BuildInfo, build_info
from ._library import (
    EP_NAME,
    LIBRARY_VARIABLE,
    UnsupportedOnnxRuntimeError,
    get_ep_name,
    get_ep_names,
    get_library_path,
    register,
    unregister,
)
from ._loadable import Loadable, MissingOnnxError, make_loadable
from ._session import (
    NotRecordedError,
    NotUsedError,
    append_to,
    assert_used,
    providers,
)

__all__ = [
    "EP_NAME",
    "LIBRARY_VARIABLE",
    "BuildInfo",
    "CastNode",
    "Loadable",
    "MissingOnnxError",
    "NotRecordedError",
    "NotUsedError",
    "UnsupportedOnnxRuntimeError",
    "append_to",
    "assert_used",
    "build_info",
    "get_ep_name",
    "get_ep_names",
    "get_library_path",
    "make_loadable",
    "providers",
    "register",
    "unregister",
]
