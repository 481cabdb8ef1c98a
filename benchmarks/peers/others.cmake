# The peers that need a library or another program.

# scripts/setup --peers puts newer versions here than the distribution has.
set(_deps "${PROJECT_SOURCE_DIR}/build/_deps")

# An Eigen in that folder is newer than the installed Eigen.
find_path(LANEWISE_EIGEN_INCLUDE Eigen/Core HINTS "${_deps}/eigen"
          PATH_SUFFIXES eigen3)
lanewise_add_peer(eigen FOUND LANEWISE_EIGEN_INCLUDE NEEDS libeigen3-dev
                  INCLUDES "${LANEWISE_EIGEN_INCLUDE}")

find_path(LANEWISE_SLEEF_INCLUDE sleef.h)
find_library(LANEWISE_SLEEF_LIBRARY sleef)
lanewise_add_peer(sleef FOUND LANEWISE_SLEEF_INCLUDE AND LANEWISE_SLEEF_LIBRARY
                  NEEDS libsleef-dev INCLUDES "${LANEWISE_SLEEF_INCLUDE}"
                  LIBRARIES "${LANEWISE_SLEEF_LIBRARY}")

# The peer knows libmvec's function names on x86 only; 64-bit Arm has others.
find_library(LANEWISE_MVEC_LIBRARY mvec)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(LANEWISE_MVEC_LIBRARY LANEWISE_MVEC_LIBRARY-NOTFOUND)
endif()
lanewise_add_peer(libmvec FOUND LANEWISE_MVEC_LIBRARY NEEDS "glibc on x86"
                  LIBRARIES "${LANEWISE_MVEC_LIBRARY}")

find_path(LANEWISE_DNNL_INCLUDE dnnl.hpp)
find_library(LANEWISE_DNNL_LIBRARY dnnl)
lanewise_add_peer(onednn FOUND LANEWISE_DNNL_INCLUDE AND LANEWISE_DNNL_LIBRARY
                  NEEDS libdnnl-dev INCLUDES "${LANEWISE_DNNL_INCLUDE}"
                  LIBRARIES "${LANEWISE_DNNL_LIBRARY}" ${CMAKE_DL_LIBS})

find_path(LANEWISE_LIBDIVIDE_INCLUDE libdivide.h HINTS "${_deps}/libdivide")
lanewise_add_peer(libdivide FOUND LANEWISE_LIBDIVIDE_INCLUDE
                  NEEDS libdivide-dev INCLUDES "${LANEWISE_LIBDIVIDE_INCLUDE}")

find_path(LANEWISE_XNNPACK_INCLUDE xnnpack.h)
find_path(LANEWISE_PTHREADPOOL_INCLUDE pthreadpool.h) # XNNPACK's header needs pthreadpool's
find_library(LANEWISE_XNNPACK_LIBRARY XNNPACK)
set(_unified 0)
if(LANEWISE_XNNPACK_INCLUDE)
  file(STRINGS "${LANEWISE_XNNPACK_INCLUDE}/xnnpack.h" _found
       REGEX "xnn_create_unary_elementwise_nc")
  if(_found)
    set(_unified 1)
  endif()
endif()
lanewise_add_peer(
  xnnpack
  FOUND LANEWISE_XNNPACK_INCLUDE AND LANEWISE_XNNPACK_LIBRARY
        AND LANEWISE_PTHREADPOOL_INCLUDE
  NEEDS "libxnnpack-dev, libpthreadpool-dev"
  INCLUDES "${LANEWISE_XNNPACK_INCLUDE}" "${LANEWISE_PTHREADPOOL_INCLUDE}"
  LIBRARIES "${LANEWISE_XNNPACK_LIBRARY}"
  OPTIONS -DLANEWISE_XNNPACK_UNIFIED=${_unified})

# MKL is looked for at run time, as are the Python packages below.
file(GLOB _mkl "${_deps}/peers-venv/lib/libmkl_rt.so.*")
list(APPEND _mkl libmkl_rt.so.2)
list(GET _mkl 0 _mkl)
lanewise_add_peer(mkl FOUND TRUE LIBRARIES ${CMAKE_DL_LIBS}
                  OPTIONS "-DLANEWISE_BENCH_MKL=\"${_mkl}\"")

# The build needs the headers only; the library is loaded at run time. Without
# the headers, ONNX Runtime is measured through Python. Headers without the one
# of providers are too old.
find_path(LANEWISE_ORT_INCLUDE onnxruntime_ep_c_api.h
          HINTS "${_deps}/onnxruntime" PATH_SUFFIXES onnxruntime)
set(_ep "")
if(TARGET onnxruntime_ep_lanewise)
  set(_ep "$<TARGET_FILE:onnxruntime_ep_lanewise>")
endif()
lanewise_add_peer(
  onnxruntime FOUND LANEWISE_ORT_INCLUDE
  NEEDS "headers of libonnxruntime-dev; measured through Python if Python has the package"
  INCLUDES "${LANEWISE_ORT_INCLUDE}" LIBRARIES ${CMAKE_DL_LIBS}
  OPTIONS "-DLANEWISE_BENCH_ORT_ROOT=\"${_deps}/peers-venv/lib\""
          "-DLANEWISE_BENCH_ORT_EP=\"${_ep}\"")
if(TARGET lanewise_bench_peer_onnxruntime AND TARGET onnxruntime_ep_lanewise)
  add_dependencies(lanewise_bench_peer_onnxruntime onnxruntime_ep_lanewise)
endif()

# NumPy, ONNX Runtime and PyTorch run in a Python process at the other end of a
# pipe.
lanewise_add_peer(
  python FOUND UNIX NEEDS "a POSIX system"
  OPTIONS "-DLANEWISE_BENCH_PYTHON=\"${_deps}/peers-venv/bin/python3\""
          "-DLANEWISE_BENCH_PYTHON_PEERS=\"${CMAKE_CURRENT_SOURCE_DIR}/python_peers.py\"")
