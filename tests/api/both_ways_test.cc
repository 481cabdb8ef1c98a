// SPDX-License-Identifier: Apache-2.0
//
// The library has a short way for small contiguous calls, which decides the
// rules of a call once more than the general way does, and prepared calls have
// a way of their own. Random calls go every way, and the ways must agree on
// everything that a host can see: status, message, zero divisors, and each byte
// of the memory. The calls are made from the support table, so that operators
// that are added later are taken along.

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/random_calls.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

// ---- Operators --------------------------------------------------------------

/// The attributes of a node with the memory of their values.
class Attributes {
 public:
  Attributes& Ints(const char* name, int32_t kind,
                   std::vector<int64_t> values) {
    text_ += std::string(" ") + name;
    for (const int64_t value : values) (text_ += " ") += std::to_string(value);
    ints_.push_back(std::move(values));
    list_.push_back({name, kind, ints_.back().size(), ints_.back().data()});
    return *this;
  }
  Attributes& Float(const char* name, float value) {
    text_ += std::string(" ") + name + " " + std::to_string(value);
    floats_.push_back(value);
    list_.push_back({name, LW_ATTRIBUTE_FLOAT, 1, &floats_.back()});
    return *this;
  }
  const std::vector<lw_attribute>& list() const { return list_; }
  const std::string& text() const { return text_; }

 private:
  std::deque<std::vector<int64_t>> ints_;
  std::deque<float> floats_;
  std::vector<lw_attribute> list_;
  std::string text_;
};

/// One operator at one version with some attributes, on both engines.
struct Pair {
  OpPtr quick;
  OpPtr general;
  RandomOperator random;
};

class Operators {
 public:
  Operators() {
    lw_engine_options options = Options();
    options.threading = LW_THREADING_SERIAL;
    quick_ = MakeEngine(options);
    // The short way is closed where calls are traced.
    options.verbose = "exec";
    options.trace = [](void*, const char*) {};
    general_ = MakeEngine(options);
    const lw_signature* row = nullptr;
    for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
      const size_t before = pairs_.size();
      AddRow(*row);
      EXPECT_GT(pairs_.size(), before)
          << row->name << "-" << row->since_version
          << " has no node: give its required attributes a value here";
    }
  }

  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  void AddRow(const lw_signature& row) {
    Add(row, {});
    for (size_t i = 0; i < row.attribute_count; ++i) {
      const lw_attribute_info& info = row.attributes[i];
      if (std::string(info.name) == "broadcast") {
        AddBroadcasts(row, info.name);
      } else if (info.kind == LW_ATTRIBUTE_INT) {
        for (const int64_t value : {0, 1}) {
          Add(row, Attributes().Ints(info.name, info.kind, {value}));
        }
      } else if (info.kind == LW_ATTRIBUTE_FLOAT) {
        for (const float value : {-1.5f, 1e30f}) {
          Add(row, Attributes().Float(info.name, value));
        }
      } else if (info.kind == LW_ATTRIBUTE_INTS && info.required != 0) {
        AddTargets(row, info);
      }
    }
  }

  void AddBroadcasts(const lw_signature& row, const char* name) {
    for (const int64_t axis : {-1, 0, 1, 2}) {
      Attributes given;
      given.Ints(name, LW_ATTRIBUTE_INT, {1});
      if (axis >= 0) given.Ints("axis", LW_ATTRIBUTE_INT, {axis});
      Add(row, given, true, axis);
    }
  }

  void AddTargets(const lw_signature& row, const lw_attribute_info& info) {
    const std::vector<int64_t> targets[] = {
        {}, {-1}, {1, -1}, {0, -1}, {-1, 3}, {2, -1, 2}, {4, 6}, {0, 0}, {-2}};
    for (const std::vector<int64_t>& target : targets) {
      Add(row, Attributes().Ints(info.name, info.kind, target));
    }
  }

  // Leaves out what the library refuses: the tests of lw_op_create see to that.
  void Add(const lw_signature& row, const Attributes& attributes,
           bool is_legacy = false, int64_t axis = -1) {
    Pair pair;
    for (OpPtr* made : {&pair.quick, &pair.general}) {
      const EnginePtr& engine = made == &pair.quick ? quick_ : general_;
      lw_op* op = nullptr;
      const auto& list = attributes.list();
      if (lw_op_create(engine.get(), row.name, row.since_version, list.data(),
                       list.size(), &op) != LW_OK) {
        return;
      }
      made->reset(op);
    }
    pair.random = {&row, attributes.text(), pair.quick.get(), is_legacy, axis};
    pairs_.push_back(std::move(pair));
  }

  EnginePtr quick_;
  EnginePtr general_;
  std::vector<Pair> pairs_;
};

// ---- Ways -------------------------------------------------------------------

/// What a host sees of a call, besides its memory.
struct Outcome {
  lw_status status;
  std::string message;
  lw_zero_divisors zeros;

  friend bool operator==(const Outcome& x, const Outcome& y) {
    return x.status == y.status && x.message == y.message &&
           x.zeros.first == y.zeros.first && x.zeros.count == y.zeros.count;
  }
  friend std::ostream& operator<<(std::ostream& out, const Outcome& x) {
    return out << lw_status_name(x.status) << " \"" << x.message << "\", "
               << x.zeros.count << " zero divisors from " << x.zeros.first;
  }
};

lw_status RunOp(const lw_op* op, const RandomCall& call) {
  return lw_op_run(op, call.inputs(), call.input_count(), call.outputs(),
                   call.output_count());
}

// The zero divisors that a call receives are those that the thread is told of.
lw_status RunWithOptions(const lw_op* op, const RandomCall& call) {
  lw_zero_divisors zeros = {7, 7};
  lw_run_options options = {};
  options.struct_size = sizeof(options);
  options.zero_divisors = &zeros;
  const lw_status status =
      lw_op_run_with(op, &options, call.inputs(), call.input_count(),
                     call.outputs(), call.output_count());
  if (status == LW_DIVIDE_BY_ZERO) {
    const lw_zero_divisors last = lw_last_zero_divisors();
    EXPECT_EQ(zeros.first, last.first);
    EXPECT_EQ(zeros.count, last.count);
  } else if (status == LW_OK) {
    EXPECT_EQ(zeros.first, 0u);
    EXPECT_EQ(zeros.count, 0u);
  }
  return status;
}

lw_status RunPrepared(const lw_op* op, const RandomCall& call) {
  lw_call* made = nullptr;
  lw_status status = lw_call_create(op, call.inputs(), call.input_count(),
                                    call.outputs(), call.output_count(), &made);
  EXPECT_EQ(made != nullptr, status == LW_OK);
  EXPECT_EQ(std::memcmp(call.memory(), call.start(), call.bytes()), 0)
      << "lw_call_create wrote";
  if (status != LW_OK) return status;
  // Nobody looks at these pointers where there is no data to look at.
  static char unused[1];
  const void* inputs[RandomCall::kMaxTensors];
  for (const void*& input : inputs) input = unused + 1;
  for (size_t k = 0; k < call.input_count(); ++k) {
    if (!call.IsAbsent(k) && !call.IsShape(k))
      inputs[k] = call.inputs()[k].data;
  }
  void* const outputs[] = {call.outputs()[0].data};
  status = lw_call_run(made, inputs, outputs);
  lw_call_destroy(made);
  return status;
}

template <class Run>
Outcome Observe(RandomCall* call, const Run& run) {
  call->Restore();
  lw_op_run(nullptr, nullptr, 0, nullptr, 0);  // leaves a message to be kept
  Outcome outcome = {run(), lw_last_error(), {}};
  if (outcome.status == LW_DIVIDE_BY_ZERO) {
    outcome.zeros = lw_last_zero_divisors();
  }
  return outcome;
}

/// How often each status came about.
using Statuses = std::map<lw_status, size_t>;

void RunEveryWay(const Pair& pair, RandomCall* call,
                 std::vector<uint8_t>* expected, Statuses* statuses) {
  const Outcome general =
      Observe(call, [&] { return RunOp(pair.general.get(), *call); });
  ++(*statuses)[general.status];
  expected->assign(call->memory(), call->memory() + call->bytes());
  if (general.status != LW_OK && general.status != LW_DIVIDE_BY_ZERO) {
    ASSERT_EQ(std::memcmp(expected->data(), call->start(), call->bytes()), 0)
        << "memory changed, but the status is "
        << lw_status_name(general.status);
  }
  const auto check = [&](const char* way, const auto& run) {
    const Outcome outcome = Observe(call, run);
    ASSERT_EQ(outcome, general) << way;
    const size_t at =
        FirstDifference(call->memory(), expected->data(), call->bytes(), 1);
    ASSERT_EQ(at, call->bytes()) << way << ": byte " << at << " differs";
  };
  const lw_op* op = pair.quick.get();
  check("lw_op_run", [&] { return RunOp(op, *call); });
  check("lw_call_run", [&] { return RunPrepared(op, *call); });
  check("lw_op_run_with", [&] { return RunWithOptions(op, *call); });
  check("lw_call_run, traced",
        [&] { return RunPrepared(pair.general.get(), *call); });
}

void RunMany(size_t count, uint64_t seed) {
  const Operators operators;
  Random random(seed);
  RandomCall call;
  std::vector<uint8_t> expected;
  std::map<const lw_signature*, Statuses> by_row;
  Statuses all;
  for (size_t i = 0; i < count; ++i) {
    const Pair& pair =
        operators.pairs()[random.Below(operators.pairs().size())];
    call.Make(pair.random, random);
    Statuses statuses;
    RunEveryWay(pair, &call, &expected, &statuses);
    if (testing::Test::HasFailure()) {
      FAIL() << "call " << i << ": " << call.Describe();
    }
    for (const auto& [status, times] : statuses) {
      all[status] += times;
      by_row[pair.random.row][status] += times;
    }
  }
  // The calls must be of every kind, or they say nothing.
  EXPECT_GT(all[LW_OK], count / 3);
  for (const lw_status status :
       {LW_INVALID_ARGUMENT, LW_UNSUPPORTED_TYPE, LW_WRONG_COUNT,
        LW_INVALID_SHAPE, LW_SIZE_OVERFLOW, LW_NULL_DATA, LW_MISALIGNED,
        LW_BUFFER_TOO_SMALL, LW_OVERLAP, LW_DIVIDE_BY_ZERO}) {
    EXPECT_GT(all[status], count / 2000) << lw_status_name(status);
  }
  for (const auto& [row, statuses] : by_row) {
    EXPECT_TRUE(statuses.contains(LW_OK)) << row->name << row->since_version;
  }
}

TEST(BothWays, Agree) { RunMany(300'000, 1); }

TEST(BothWays, ExhaustiveAgree) { RunMany(5'000'000, 2); }

}  // namespace
}  // namespace lanewise::test
