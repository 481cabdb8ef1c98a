// SPDX-License-Identifier: Apache-2.0
//
// Eigen's array expressions, compiled for this CPU.

#include <Eigen/Core>
#include <cstdint>

#include "benchmarks/peers/flat.h"

namespace {

using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

using Index = Eigen::Index;
template <typename T>
using In = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
template <typename T>
using Out = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <typename T>
using Rows = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename T, class Fn>
Runner Apply(const Task& task, Fn fn) {
  return lanewise::bench::Unary<T>(task, [fn](const T* in, T* out, size_t n) {
    Out<T>(out, Index(n)) = fn(In<T>(in, Index(n)));
  });
}

template <typename T>
Runner FlatDiv(const Task& task) {
  return lanewise::bench::Binary<T>(
      task,
      [](const T* a, const T* b, T* out, size_t n) {
        Out<T>(out, Index(n)) = In<T>(a, Index(n)) / In<T>(b, Index(n));
      },
      [](const T* a, T b, T* out, size_t n) {
        Out<T>(out, Index(n)) = In<T>(a, Index(n)) / b;
      },
      [](T a, const T* b, T* out, size_t n) {
        Out<T>(out, Index(n)) = a / In<T>(b, Index(n));
      });
}

template <typename T>
Runner FlatPow(const Task& task) {
  return lanewise::bench::Binary<T>(
      task,
      [](const T* a, const T* b, T* out, size_t n) {
        Out<T>(out, Index(n)) = In<T>(a, Index(n)).pow(In<T>(b, Index(n)));
      },
      [](const T* a, T b, T* out, size_t n) {
        Out<T>(out, Index(n)) = In<T>(a, Index(n)).pow(b);
      },
      [](T a, const T* b, T* out, size_t n) {
        Out<T>(out, Index(n)) = Eigen::pow(a, In<T>(b, Index(n)));
      });
}

// `range` could cut rows apart, so this runner uses `whole` and one thread.
template <typename T>
Runner BroadcastDiv(const Task& task) {
  Runner runner;
  if (task.threads != 1 || task.pattern == Pattern::kStrided) return runner;
  const auto columns = Index(task.columns);
  const auto rows = Index(task.n) / columns;
  const bool by_row =
      task.pattern == Pattern::kRowB || task.pattern == Pattern::kRow8B;
  runner.whole = [=, a = static_cast<const T*>(task.a),
                  b = static_cast<const T*>(task.b),
                  out = static_cast<T*>(task.out)] {
    const Eigen::Map<const Rows<T>> from(a, rows, columns);
    Eigen::Map<Rows<T>> to(out, rows, columns);
    if (by_row) {
      to = from.rowwise() / In<T>(b, columns).transpose();
    } else {
      to = from.colwise() / In<T>(b, rows);
    }
  };
  return runner;
}

// fn(x, along) reduces along(...) of an expression of x. On one thread.
template <typename T, class Fn>
Runner Reduce(const Task& task, Fn fn) {
  Runner runner;
  if (task.threads != 1) return runner;
  const auto columns = Index(task.columns);
  const Eigen::Map<const Rows<T>> from(static_cast<const T*>(task.a),
                                       Index(task.n) / columns, columns);
  Out<T> to(static_cast<T*>(task.out), Index(task.results()));
  if (task.pattern == Pattern::kReduceRows) {
    runner.whole = [=]() mutable {
      to = fn(from, [](const auto& x) { return x.rowwise(); });
    };
  } else {
    runner.whole = [=]() mutable {
      to.transpose() = fn(from, [](const auto& x) { return x.colwise(); });
    };
  }
  return runner;
}

template <typename T>
Runner Reduction(const Task& task) {
  const auto by = [&](auto fn) { return Reduce<T>(task, fn); };
  if (task.Is("ReduceSum")) {
    return by([](const auto& x, auto along) { return along(x).sum(); });
  }
  if (task.Is("ReduceProd")) {
    return by([](const auto& x, auto along) { return along(x).prod(); });
  }
  if (task.Is("ReduceMax")) {
    return by([](const auto& x, auto along) { return along(x).maxCoeff(); });
  }
  if (task.Is("ReduceMin")) {
    return by([](const auto& x, auto along) { return along(x).minCoeff(); });
  }
  if (task.Is("ReduceL1")) {
    return by([](const auto& x, auto along) { return along(x.abs()).sum(); });
  }
  if (task.Is("ReduceSumSquare")) {
    return by(
        [](const auto& x, auto along) { return along(x.square()).sum(); });
  }
  return {};
}

template <typename T>
Runner FloatReduction(const Task& task) {
  const auto by = [&](auto fn) { return Reduce<T>(task, fn); };
  if (task.Is("ReduceMean")) {
    return by([](const auto& x, auto along) { return along(x).mean(); });
  }
  if (task.Is("ReduceL2")) {
    return by([](const auto& x, auto along) {
      return along(x.square()).sum().sqrt();
    });
  }
  if (task.Is("ReduceLogSum")) {
    return by([](const auto& x, auto along) { return along(x).sum().log(); });
  }
  if (task.Is("ReduceLogSumExp")) {
    return by(
        [](const auto& x, auto along) { return along(x.exp()).sum().log(); });
  }
  return Reduction<T>(task);
}

template <typename T>
Runner Integer(const Task& task) {
  if (task.Reduces()) return Reduction<T>(task);
  if (task.Is("Div")) {
    return task.IsFlat() ? FlatDiv<T>(task) : BroadcastDiv<T>(task);
  }
  if (task.Is("Relu")) {
    return Apply<T>(task, [](const auto& x) { return x.max(T(0)); });
  }
  if (task.Is("Neg")) {
    return Apply<T>(task, [](const auto& x) { return -x; });
  }
  if (task.Is("Abs")) {
    return Apply<T>(task, [](const auto& x) { return x.abs(); });
  }
  if (task.Is("Sign")) {
    return Apply<T>(task, [](const auto& x) { return x.sign(); });
  }
  return {};
}

template <typename T>
Runner Float(const Task& task) {
  if (task.Reduces()) return FloatReduction<T>(task);
  if (task.Is("Exp")) {
    return Apply<T>(task, [](const auto& x) { return x.exp(); });
  }
  if (task.Is("Sqrt")) {
    return Apply<T>(task, [](const auto& x) { return x.sqrt(); });
  }
  if (task.Is("Floor")) {
    return Apply<T>(task, [](const auto& x) { return x.floor(); });
  }
  if (task.Is("Ceil")) {
    return Apply<T>(task, [](const auto& x) { return x.ceil(); });
  }
  if (task.Is("Round")) {  // x.round() rounds ties away from zero
    return Apply<T>(task, [](const auto& x) { return x.rint(); });
  }
  if (task.Is("Log")) {
    return Apply<T>(task, [](const auto& x) { return x.log(); });
  }
  if (task.Is("Pow") && task.IsFlat()) return FlatPow<T>(task);
  if (task.Is("Sigmoid")) {
    return Apply<T>(task, [](const auto& x) { return x.logistic(); });
  }
  if (task.Is("Tanh")) {
    return Apply<T>(task, [](const auto& x) { return x.tanh(); });
  }
  if (task.Is("Sin")) {
    return Apply<T>(task, [](const auto& x) { return x.sin(); });
  }
  if (task.Is("Cos")) {
    return Apply<T>(task, [](const auto& x) { return x.cos(); });
  }
  if (task.Is("Tan")) {
    return Apply<T>(task, [](const auto& x) { return x.tan(); });
  }
  if (task.Is("Asin")) {
    return Apply<T>(task, [](const auto& x) { return x.asin(); });
  }
  if (task.Is("Acos")) {
    return Apply<T>(task, [](const auto& x) { return x.acos(); });
  }
  if (task.Is("Atan")) {
    return Apply<T>(task, [](const auto& x) { return x.atan(); });
  }
  if (task.Is("Sinh")) {
    return Apply<T>(task, [](const auto& x) { return x.sinh(); });
  }
  if (task.Is("Cosh")) {
    return Apply<T>(task, [](const auto& x) { return x.cosh(); });
  }
  if (task.Is("Asinh")) {
    return Apply<T>(task, [](const auto& x) { return x.asinh(); });
  }
  if (task.Is("Acosh")) {
    return Apply<T>(task, [](const auto& x) { return x.acosh(); });
  }
  if (task.Is("Atanh")) {
    return Apply<T>(task, [](const auto& x) { return x.atanh(); });
  }
  if (task.Is("Reciprocal")) {
    return Apply<T>(task, [](const auto& x) { return x.inverse(); });
  }
  return Integer<T>(task);
}

Runner Prepare(const Task& task) {
  switch (task.type) {
    case LW_FLOAT32:
      return Float<float>(task);
    case LW_FLOAT64:
      return Float<double>(task);
    case LW_FLOAT16:
      return Float<Eigen::half>(task);
    case LW_BFLOAT16:
      return Float<Eigen::bfloat16>(task);
    case LW_INT8:
      return Integer<int8_t>(task);
    case LW_INT16:
      return Integer<int16_t>(task);
    case LW_INT32:
      return Integer<int32_t>(task);
    case LW_INT64:
      return Integer<int64_t>(task);
    default:  // unsigned division would be the same scalar loop again
      return {};
  }
}

}  // namespace

LANEWISE_BENCH_PEERS(eigen) {
  const std::string version = std::to_string(EIGEN_MAJOR_VERSION) + "." +
                              std::to_string(EIGEN_MINOR_VERSION);
#if defined(EIGEN_PATCH_VERSION)
  return {
      {"eigen", version + "." + std::to_string(EIGEN_PATCH_VERSION), Prepare}};
#else
  return {
      {"eigen", std::to_string(EIGEN_WORLD_VERSION) + "." + version, Prepare}};
#endif
}
