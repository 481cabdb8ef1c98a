// SPDX-License-Identifier: Apache-2.0

#include "tests/support/operator_suite.h"

#include <algorithm>
#include <memory>

#include "runtime/engine/engine.h"
#include "runtime/node/registry.h"
#include "tests/support/check_strides.h"
#include "tests/support/check_unary.h"
#include "tests/support/element_bits.h"
#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"
#include "tests/support/suite_calls.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

// Holds one run over whole arrays against the oracle.
void CheckRun(const OperatorSpec& spec, const Kernel& kernel, lw_type type,
              const Arrays& in, size_t n) {
  const Array expected = ExpectedOf(spec, type, in, n);
  Array actual(expected.type(), n);
  ASSERT_TRUE(IsDone(spec, kernel.Run(in, actual.data(), n)))
      << lw_last_error();
  const size_t i = FirstOther(spec, actual, expected);
  ASSERT_EQ(i, n) << Complaint(spec, in, i, actual, expected);
}

// Both inputs through all values of an 8-bit type.
Arrays AllPairs8(lw_type type) {
  Arrays in = {Array(type, 1 << 16), Array(type, 1 << 16)};
  for (size_t i = 0; i < 1 << 16; ++i) {
    *in[0].at(i) = static_cast<uint8_t>(i);
    *in[1].at(i) = static_cast<uint8_t>(i >> 8);
  }
  return in;
}

}  // namespace

Isas IsasWithCode(const OperatorSpec& spec) {
  const Operator& op = *FindOperator(spec.name);
  Isas isas;
  int64_t last = 0;
  for (const Isa& isa : AllIsas()) {
    const int64_t target = op.kernels(isa.engine->engine->targets).target;
    if (target != last) isas.push_back(isa);
    last = target;
  }
  return isas;
}

void CheckSuiteValues(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    const Kernel kernel(spec, isa.engine, type, LW_SAME);
    ASSERT_TRUE(kernel.there());
    constexpr size_t kCount = 1 << 15;
    CheckRun(spec, kernel, type, MixedInputs(spec, type, kCount, LW_SAME, 1),
             kCount);
    const bool narrow = ElementSize(type) <= 2 && kN12.count(type) != 0;
    const size_t inputs = spec.input_count();
    if (narrow && inputs == 1) {
      const Arrays all = {AllValues(type)};
      CheckRun(spec, kernel, type, all, all[0].size());
    } else if (inputs == 2 && kI8.count(type) != 0 && ElementSize(type) == 1) {
      CheckRun(spec, kernel, type, AllPairs8(type), 1 << 16);
    }
  });
}

void CheckSuitePatterns(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    for (int pattern = 0; pattern < 16; ++pattern) {
      const Kernel kernel(spec, isa.engine, type, pattern);
      if (!kernel.there()) continue;
      SCOPED_TRACE(pattern);
      for (const size_t n : {1, 2, 3, 7, 16, 31, 64, 100, 257, 1000}) {
        for (uint64_t seed = 0; seed < 5; ++seed) {
          CheckRun(spec, kernel, type,
                   MixedInputs(spec, type, n, pattern, 100 * n + seed), n);
        }
      }
    }
  });
}

namespace {

// Every length, at some distances from pages that nobody may touch.
class LengthRuns {
 public:
  LengthRuns(const OperatorSpec& spec, const Isa& isa, lw_type type,
             int pattern)
      : spec_(spec),
        kernel_(spec, isa.engine, type, pattern),
        inputs_(MixedInputs(spec, type, kMost, pattern, 7)),
        expected_(ExpectedOf(spec, type, inputs_, kMost)) {
    for (size_t k = 0; k <= inputs_.size(); ++k) {
      memory_.push_back(std::make_unique<GuardedMemory>(kMost * 16 + 64));
    }
  }

  void Run() {
    if (!kernel_.there()) return;
    for (const Side side : {Side::kLower, Side::kUpper}) {
      for (const size_t offset : {0, 1, 3}) {
        for (size_t n = 0; n <= kMost; ++n) {
          ASSERT_NO_FATAL_FAILURE(RunOne(side, offset, n, -1));
          for (size_t k = 0; k < inputs_.size(); ++k) {
            if (inputs_[k].size() == 1 ||
                inputs_[k].element_size() != expected_.element_size()) {
              continue;
            }
            ASSERT_NO_FATAL_FAILURE(
                RunOne(side, offset, n, static_cast<int>(k)));
          }
        }
      }
    }
  }

 private:
  static constexpr size_t kMost = 200;

  // `over`: the input that the output is written over, or -1.
  void RunOne(Side side, size_t offset, size_t n, int over) {
    const void* in[4] = {};
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const size_t size = inputs_[k].element_size();
      const size_t count = inputs_[k].size() == 1 ? 1 : n;
      in[k] = memory_[k]->Copy(side, offset * size, inputs_[k].data(),
                               count * size);
    }
    const size_t size = expected_.element_size();
    const GuardedMemory& own = *memory_.back();
    Untouch(own.low(), static_cast<size_t>(own.high() - own.low()));
    uint8_t* out = own.Place(side, (offset * 3 + 1) * size, n * size);
    const uint8_t* const margin = out + n * size;
    const auto behind = static_cast<size_t>(own.high() - margin);
    const auto before = static_cast<size_t>(out - own.low());
    uint8_t* to =
        over < 0 ? out
                 : const_cast<uint8_t*>(static_cast<const uint8_t*>(in[over]));
    ASSERT_TRUE(IsDone(spec_, lw_kernel_run(kernel_.handle, in, to, n)))
        << lw_last_error();
    for (size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(
          IsAnswer(spec_, expected_.type(), expected_.at(i), to + i * size))
          << "element " << i << " of " << n << ", offset " << offset
          << (over < 0 ? "" : ", in place") << ": "
          << BitsText(to + i * size, size) << ", not "
          << BitsText(expected_.at(i), size);
    }
    ASSERT_TRUE(IsUntouched(margin, behind) && IsUntouched(own.low(), before))
        << "written outside of the output; n " << n;
  }

  const OperatorSpec& spec_;
  Kernel kernel_;
  Arrays inputs_;
  Array expected_;
  std::vector<std::unique_ptr<GuardedMemory>> memory_;
};

}  // namespace

void CheckSuiteLengths(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    for (int pattern = 0; pattern < 8; ++pattern) {
      SCOPED_TRACE(pattern);
      LengthRuns(spec, isa, type, pattern).Run();
    }
  });
}

namespace {

// One random call of the tensor API: shapes that broadcast, strides, in place.
class TensorCall {
 public:
  TensorCall(const OperatorSpec& spec, lw_type type, uint64_t seed)
      : spec_(spec), type_(type), random_(seed) {
    dims_.resize(random_() % 5);
    for (int64_t& dim : dims_) dim = 1 + static_cast<int64_t>(random_() % 6);
    if (!dims_.empty() && random_() % 2 == 0) {
      // Rows of any length, or of whole vectors.
      dims_.back() = random_() % 2 == 0
                         ? 1 + static_cast<int64_t>(random_() % 90)
                         : int64_t{16} << random_() % 4;
    }
    count_ = spec.is_variadic() ? 1 + random_() % 5 : spec.input_count();
    broadcasts_ = count_ > 1 && spec.scalar == nullptr && !spec.one_shape;
    for (size_t k = 0; k < count_; ++k) AddInput(k);
    const lw_type out = OutputTypeOf(spec, type);
    out_ = std::make_unique<StridedMemory>(
        out, dims_, random_() % 3 == 0 ? AnyStrides(dims_) : Dims64());
  }

  void Run(const lw_op* op) {
    const auto count = static_cast<size_t>(Count(dims_));
    Array expected(OutputTypeOf(spec_, type_), count);
    std::vector<Array> values;
    for (const auto& in : in_) values.push_back(in->Read());
    for (size_t i = 0; i < count; ++i) {
      const void* elements[5] = {};
      for (size_t k = 0; k < in_.size(); ++k) {
        elements[k] = values[k].at(IndexUnder(in_dims_[k], i));
      }
      if (spec_.is_variadic()) {
        AskOracleOfAny(spec_, type_, elements, count_, expected.at(i));
      } else {
        AskOracle(spec_, type_, elements, expected.at(i));
      }
    }
    std::vector<lw_tensor> inputs;
    for (const auto& in : in_) inputs.push_back(in->view());
    // In place now and then, where an input has the output's shape and type.
    const StridedMemory* to = out_.get();
    for (size_t k = 0; k < in_.size() && random_() % 3 == 0; ++k) {
      if (in_dims_[k] == dims_ && unique_[k] &&
          inputs[k].type == OutputTypeOf(spec_, type_)) {
        to = in_[k].get();
        break;
      }
    }
    const lw_tensor output = to->view();
    lw_shape shape;
    ASSERT_EQ(lw_op_infer(op, inputs.data(), inputs.size(), &shape), LW_OK)
        << lw_last_error();
    ASSERT_EQ(Dims64(shape.dims, shape.dims + shape.rank), dims_);
    ASSERT_TRUE(
        IsDone(spec_, lw_op_run(op, inputs.data(), inputs.size(), &output, 1)))
        << lw_last_error();
    const Array actual = to->Read();
    const size_t i = FirstOther(spec_, actual, expected);
    ASSERT_EQ(i, count) << "element " << i << " is "
                        << BitsText(actual.at(i), actual.element_size())
                        << ", not "
                        << BitsText(expected.at(i), expected.element_size());
  }

 private:
  void AddInput(size_t k) {
    Dims64 dims = dims_;
    if (IsScalarInput(spec_, k)) {
      dims = random_() % 2 == 0 ? Dims64() : Dims64{1};
    } else if (broadcasts_ && k != whole()) {
      // A suffix of the output's dims, some of them 1.
      dims.erase(
          dims.begin(),
          dims.begin() + static_cast<ptrdiff_t>(random_() % (dims.size() + 1)));
      for (int64_t& dim : dims) dim = random_() % 4 == 0 ? 1 : dim;
      if (random_() % 3 == 0) dims = dims_;
    }
    const bool strided = random_() % 3 == 0;
    const bool repeats = strided && random_() % 4 == 0;
    Dims64 strides = strided ? AnyStrides(dims) : Dims64();
    if (repeats && !strides.empty()) strides[0] = 0;
    const lw_type type = InputTypeOf(spec_, k, type_);
    in_.push_back(std::make_unique<StridedMemory>(type, dims, strides));
    in_.back()->Fill(
        MixedElements(type, static_cast<size_t>(Count(dims)), random_));
    in_dims_.push_back(dims);
    unique_.push_back(!repeats);
  }
  // The input that has the output's whole shape, so that the others may
  // stretch.
  size_t whole() const { return spec_.one_way ? 0 : dims_.size() % count_; }

  Dims64 AnyStrides(const Dims64& dims) {
    Dims64 strides(dims.size());
    int64_t stride = 1 + static_cast<int64_t>(random_() % 2);
    for (size_t i = dims.size(); i-- > 0;) {
      strides[i] = random_() % 3 == 0 ? -stride : stride;
      stride *= dims[i];
      stride += static_cast<int64_t>(random_() % 3);
    }
    return strides;
  }

  // The row-major index into an input's dims under element `i` of the output.
  size_t IndexUnder(const Dims64& dims, size_t i) const {
    int64_t index = 0;
    int64_t step = 1;
    auto rest = static_cast<int64_t>(i);
    for (size_t back = 1; back <= dims_.size(); ++back) {
      const int64_t dim = dims_[dims_.size() - back];
      if (back <= dims.size()) {
        const int64_t own = dims[dims.size() - back];
        if (own != 1) index += rest % dim * step;
        step *= own;
      }
      rest /= dim;
    }
    return static_cast<size_t>(index);
  }

  const OperatorSpec& spec_;
  lw_type type_;
  std::mt19937_64 random_;
  Dims64 dims_;
  size_t count_;  // of inputs
  bool broadcasts_;
  std::vector<Dims64> in_dims_;
  std::vector<bool> unique_;
  std::vector<std::unique_ptr<StridedMemory>> in_;
  std::unique_ptr<StridedMemory> out_;
};

}  // namespace

void CheckSuiteTensors(const OperatorSpec& spec, const Isa& isa) {
  const OpPtr op = MakeNewest(spec, isa.engine);
  ForEachType(spec, [&](lw_type type) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE(seed);
      ASSERT_NO_FATAL_FAILURE(TensorCall(spec, type, seed).Run(op.get()));
    }
  });
}

void CheckSuiteThreads(const OperatorSpec& spec, const Isa& isa) {
  constexpr size_t kCount = 20'011;
  std::vector<EnginePtr> engines;
  for (const ThreadingCase& threading :
       {ThreadingCase{"host", LW_THREADING_HOST, 3},
        ThreadingCase{"auto", LW_THREADING_AUTO, 0},
        // One task: a row that ends where no cache line does is streamed.
        ThreadingCase{"serial", LW_THREADING_SERIAL, 0}}) {
    for (const std::string& tuning :
         {EagerThreads(), EagerThreads() + EagerStreaming()}) {
      engines.push_back(
          MakeTunedEngine(OptionsFor(threading), isa.name, tuning));
    }
  }
  ForEachType(spec, [&](lw_type type) {
    for (const int pattern : {0, 2}) {
      const bool one_shape = spec.input_count() == 1 || spec.one_shape;
      if (pattern != 0 && one_shape) continue;
      const Arrays in = MixedInputs(spec, type, kCount, pattern, 3);
      const Array expected = ExpectedOf(spec, type, in, kCount);
      for (const EnginePtr& engine : engines) {
        const OpPtr op = MakeNewest(spec, engine.get());
        Array actual(expected.type(), kCount);
        ASSERT_TRUE(IsDone(spec, RunArrays(op.get(), in, actual)))
            << lw_last_error();
        const size_t i = FirstOther(spec, actual, expected);
        ASSERT_EQ(i, kCount) << Complaint(spec, in, i, actual, expected);
      }
    }
  });
}

namespace {

bool HasAttributes(const VersionSpec& version,
                   const std::vector<lw_attribute>& attributes) {
  return std::all_of(
      attributes.begin(), attributes.end(), [&](const lw_attribute& wanted) {
        return std::any_of(version.attributes.begin(), version.attributes.end(),
                           [&](const AttributeSpec& it) {
                             return it.name == wanted.name &&
                                    it.kind == wanted.kind;
                           });
      });
}

}  // namespace

void CheckSuiteVersions(const OperatorSpec& spec, const Isa& isa) {
  const size_t inputs = spec.versions.back().inputs.size();
  for (const VersionSpec& version : spec.versions) {
    if (version.inputs.size() != inputs) continue;  // another kind of operator
    if (!HasAttributes(version, spec.attributes)) continue;
    SCOPED_TRACE(version.version);
    const OpPtr op =
        MakeOp(isa.engine, {spec.name, version.version}, spec.attributes);
    for (const int32_t code : version.types) {
      const auto type = static_cast<lw_type>(code);
      if (!version.TakesOnly(type) || kPackedTypes.count(type) != 0) continue;
      const Arrays in = MixedInputs(spec, type, 1000, LW_SAME, 5);
      const Array expected = ExpectedOf(spec, type, in, 1000);
      Array actual(expected.type(), 1000);
      ASSERT_TRUE(IsDone(spec, RunArrays(op.get(), in, actual)))
          << lw_last_error();
      const size_t i = FirstOther(spec, actual, expected);
      ASSERT_EQ(i, 1000u) << Complaint(spec, in, i, actual, expected);
    }
  }
}

}  // namespace lanewise::test
