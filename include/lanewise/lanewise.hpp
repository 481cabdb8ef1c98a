// SPDX-License-Identifier: Apache-2.0
//
// lanewise for C++17: the C functions of lanewise.h with owners, element types
// and spans. Header only. The functions here do nothing that the C calls would
// not do.
//
// Failures are statuses here too; no function throws:
//
//   lanewise::Op relu;
//   if (lanewise::Status s = lanewise::Op::Create("Relu", 14, &relu); !s.ok())
//   {
//     std::puts(s.message());
//   }
#ifndef LANEWISE_LANEWISE_HPP_
#define LANEWISE_LANEWISE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

#include "lanewise/lanewise.h"

#if defined(__has_include) && __cplusplus >= 202002L
#include <span>
#endif

namespace lanewise {

// The library itself has names in lanewise:: too; these must never meet them
// in a static link.
inline namespace cxx {

/// An lw_status that must be looked at.
class [[nodiscard]] Status {
 public:
  Status(lw_status code = LW_OK) noexcept : code_(code) {}  // NOLINT
  bool ok() const noexcept { return code_ == LW_OK; }
  lw_status code() const noexcept { return code_; }
  const char* name() const noexcept { return lw_status_name(code_); }
  /// This thread's last failure: ask before the next call.
  const char* message() const noexcept {
    return ok() ? "" : message_ != nullptr ? message_ : lw_last_error();
  }

  /// A failure that was found on this side of the C functions.
  static Status Failure(lw_status code, const char* message) noexcept {
    Status status(code);
    status.message_ = message;
    return status;
  }

 private:
  lw_status code_;
  const char* message_ = nullptr;
};

#if defined(__cpp_lib_span)
template <typename T>
using Span = std::span<T>;
#else
/// What is needed of std::span where the standard has none yet.
template <typename T>
class Span {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(T* data, size_t size) noexcept : data_(data), size_(size) {}
  // As std::span: a temporary's elements may be looked at, not written.
  template <
      class Container,
      class = std::enable_if_t<
          (std::is_lvalue_reference_v<Container> || std::is_const_v<T>)&&std::
              is_convertible_v<decltype(std::declval<Container&>().data()),
                               T*>>>
  constexpr Span(Container&& c) noexcept  // NOLINT: as std::span
      : data_(c.data()), size_(c.size()) {}
  template <size_t kSize>
  constexpr Span(T (&array)[kSize]) noexcept  // NOLINT: as std::span
      : data_(array), size_(kSize) {}
  constexpr T* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};
#endif

/// 16-bit floats are carried as their bits.
struct float16 {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

/// The ONNX code of a C++ type: kType<float> is LW_FLOAT32.
template <typename T>
inline constexpr lw_type kType = [] {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, float>)
    return LW_FLOAT32;
  else if constexpr (std::is_same_v<U, double>)
    return LW_FLOAT64;
  else if constexpr (std::is_same_v<U, float16>)
    return LW_FLOAT16;
  else if constexpr (std::is_same_v<U, bfloat16>)
    return LW_BFLOAT16;
  else if constexpr (std::is_same_v<U, bool>)
    return LW_BOOL;
  else if constexpr (std::is_same_v<U, lw_string>)
    return LW_STRING;
  else {
    static_assert(std::is_integral_v<U>, "no ONNX type for this C++ type");
    constexpr lw_type kSigned[] = {LW_INT8, LW_INT16, LW_INT32, LW_INT64};
    constexpr lw_type kUnsigned[] = {LW_UINT8, LW_UINT16, LW_UINT32, LW_UINT64};
    constexpr int kLog2 = sizeof(U) == 1   ? 0
                          : sizeof(U) == 2 ? 1
                          : sizeof(U) == 4 ? 2
                                           : 3;
    return std::is_signed_v<U> ? kSigned[kLog2] : kUnsigned[kLog2];
  }
}();

/// A view of contiguous elements as a tensor. `dims` must outlive it.
template <typename T>
lw_tensor TensorOf(Span<T> data, Span<const int64_t> dims) noexcept {
  using Mutable = std::remove_cv_t<T>;
  return {const_cast<Mutable*>(data.data()),
          kType<T>,
          static_cast<int32_t>(dims.size()),
          dims.data(),
          nullptr,
          data.size() * sizeof(T)};
}

/// Owns an lw_engine. An empty Engine stands for the default engine.
class Engine {
 public:
  Engine() noexcept = default;

  /// struct_size is filled in here.
  static Status Create(lw_engine_options options, Engine* engine) noexcept {
    options.struct_size = sizeof(options);
    lw_engine* made = nullptr;
    const lw_status status = lw_engine_create(&options, &made);
    if (status == LW_OK) engine->handle_.reset(made);
    return status;
  }

  const lw_engine* get() const noexcept { return handle_.get(); }
  const char* isa() const noexcept { return lw_engine_isa(get()); }
  int32_t threads() const noexcept { return lw_engine_threads(get()); }
  lw_accuracy accuracy() const noexcept {
    return static_cast<lw_accuracy>(lw_engine_accuracy(get()));
  }

 private:
  struct Destroy {
    void operator()(lw_engine* e) const noexcept { lw_engine_destroy(e); }
  };
  std::unique_ptr<lw_engine, Destroy> handle_;
};

/// Owns an lw_op: the tensor API.
class Op {
 public:
  Op() noexcept = default;

  static Status Create(const Engine& engine, const char* name, int32_t opset,
                       Span<const lw_attribute> attributes, Op* op) noexcept {
    lw_op* made = nullptr;
    const lw_status status = lw_op_create(
        engine.get(), name, opset, attributes.data(), attributes.size(), &made);
    if (status == LW_OK) op->handle_.reset(made);
    return status;
  }
  static Status Create(const char* name, int32_t opset, Op* op) noexcept {
    return Create(Engine(), name, opset, {}, op);
  }

  /// `outputs` has a shape for each output of the operator.
  Status Infer(Span<const lw_tensor> inputs, lw_shape* outputs) const noexcept {
    return lw_op_infer(get(), inputs.data(), inputs.size(), outputs);
  }
  Status Run(Span<const lw_tensor> inputs,
             const lw_tensor& output) const noexcept {
    return lw_op_run(get(), inputs.data(), inputs.size(), &output, 1);
  }
  Status Run(const lw_tensor& input, const lw_tensor& output) const noexcept {
    return lw_op_run(get(), &input, 1, &output, 1);
  }

  /// For operators with several outputs.
  Status Run(Span<const lw_tensor> inputs,
             Span<const lw_tensor> outputs) const noexcept {
    return lw_op_run(get(), inputs.data(), inputs.size(), outputs.data(),
                     outputs.size());
  }

  /// Run with options for this call only. struct_size is filled in here.
  Status Run(lw_run_options options, Span<const lw_tensor> inputs,
             Span<const lw_tensor> outputs) const noexcept {
    options.struct_size = sizeof(options);
    return lw_op_run_with(get(), &options, inputs.data(), inputs.size(),
                          outputs.data(), outputs.size());
  }
  Status Run(const lw_run_options& options, Span<const lw_tensor> inputs,
             const lw_tensor& output) const noexcept {
    return Run(options, inputs, Span<const lw_tensor>(&output, 1));
  }

  const lw_op* get() const noexcept { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(lw_op* op) const noexcept { lw_op_destroy(op); }
  };
  std::unique_ptr<lw_op, Destroy> handle_;
};

/// Owns an lw_call: an operator with settled shapes.
class Call {
 public:
  Call() noexcept = default;

  /// Takes over a call that a C function made.
  static Call Adopt(lw_call* made) noexcept {
    Call call;
    call.handle_.reset(made);
    return call;
  }
  static Status Create(const Op& op, Span<const lw_tensor> inputs,
                       Span<const lw_tensor> outputs, Call* call) noexcept {
    lw_call* made = nullptr;
    const lw_status status =
        lw_call_create(op.get(), inputs.data(), inputs.size(), outputs.data(),
                       outputs.size(), &made);
    if (status == LW_OK) call->handle_.reset(made);
    return status;
  }
  static Status Create(const Op& op, Span<const lw_tensor> inputs,
                       const lw_tensor& output, Call* call) noexcept {
    return Create(op, inputs, Span<const lw_tensor>(&output, 1), call);
  }

  Status Run(Span<const void* const> inputs, void* output) const noexcept {
    return lw_call_run(get(), inputs.data(), &output);
  }
  Status Run(Span<const void* const> inputs,
             Span<void* const> outputs) const noexcept {
    return lw_call_run(get(), inputs.data(), outputs.data());
  }

  const lw_call* get() const noexcept { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(lw_call* call) const noexcept { lw_call_destroy(call); }
  };
  std::unique_ptr<lw_call, Destroy> handle_;
};

/// A kernel on spans: the kernel API. Not an owner: the kernel lives as long as
/// its Op. T is the type that the operator's T is bound to, TOut that of the
/// output.
template <typename T, typename TOut = T>
class Kernel {
 public:
  Kernel() noexcept = default;

  static Status Find(const Op& op, lw_pattern pattern,
                     Kernel* kernel) noexcept {
    kernel->pattern_ = pattern;
    return lw_op_kernel(op.get(), kType<T>, pattern, &kernel->handle_);
  }
  static Status Find(const Op& op, Kernel* kernel) noexcept {
    return Find(op, LW_SAME, kernel);
  }

  /// One input. LW_WRONG_COUNT where the sizes differ.
  Status operator()(Span<const T> a, Span<TOut> out) const noexcept {
    if (!Fits(0, a, out)) return SizesDiffer();
    const void* const inputs[] = {a.data()};
    return lw_kernel_run(handle_, inputs, out.data(), out.size());
  }
  /// Two inputs. An input that the pattern calls a scalar has one element.
  Status operator()(Span<const T> a, Span<const T> b,
                    Span<TOut> out) const noexcept {
    if (!Fits(0, a, out) || !Fits(1, b, out)) return SizesDiffer();
    const void* inputs[2];
    inputs[0] = a.data();
#if defined(__GNUC__)
    // Without this line, compilers write both pointers by one store of 16
    // bytes, and the kernel's loads of one pointer wait for such a store: 0.3
    // to 1.2 ns of a call of Add.
    __asm__("" : "+m"(inputs[0]));
#endif
    inputs[1] = b.data();
    return lw_kernel_run(handle_, inputs, out.data(), out.size());
  }

 private:
  bool Fits(int input, Span<const T> in, Span<TOut> out) const noexcept {
    return in.size() == ((pattern_ >> input & 1) != 0 ? 1 : out.size());
  }
  static Status SizesDiffer() noexcept {
    return Status::Failure(LW_WRONG_COUNT, "the spans' sizes do not fit");
  }

  const lw_kernel* handle_ = nullptr;
  int32_t pattern_ = LW_SAME;
};

}  // namespace cxx
}  // namespace lanewise

#endif  // LANEWISE_LANEWISE_HPP_
