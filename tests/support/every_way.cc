// SPDX-License-Identifier: Apache-2.0

#include "tests/support/every_way.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "tests/support/engines.h"
#include "tests/support/naive_call.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

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
  Attributes& Text(const char* name, std::string value) {
    text_ += std::string(" ") + name + " " + value;
    texts_.push_back(std::move(value));
    strings_.push_back({texts_.back().data(), texts_.back().size()});
    list_.push_back({name, LW_ATTRIBUTE_STRING, 1, &strings_.back()});
    return *this;
  }
  const std::vector<lw_attribute>& list() const { return list_; }
  const std::string& text() const { return text_; }

 private:
  std::deque<std::vector<int64_t>> ints_;
  std::deque<float> floats_;
  std::deque<std::string> texts_;
  std::deque<lw_string> strings_;
  std::vector<lw_attribute> list_;
  std::string text_;
};

namespace {

int32_t LastTaskFirst(void*, lw_task task, size_t count, void* data) {
  while (count-- > 0) task(data, count);
  return 0;
}

}  // namespace

Operators::Operators() {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  quick_ = MakeEngine(options);
  // The short way is closed where calls are traced.
  options.verbose = "exec";
  options.trace = [](void*, const char*) {};
  general_ = MakeEngine(options);
  options = Options();
  options.threading = LW_THREADING_HOST;
  options.max_threads = 3;
  options.parallel_for = LastTaskFirst;
  tasks_ = MakeTunedEngine(options, lw_isa_name(0),
                           EagerThreads() + EagerStreaming());
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    const size_t before = all_.size();
    const OperatorSpec& spec = *AllSpecs().at(row->name);
    // These have a suite that calls them in every way.
    if (spec.is_composed()) continue;
    if (spec.is_aligned()) {
      AddAlignedNodes(*row);
    } else if (spec.is_reduction()) {
      AddReductions(*row);
    } else {
      AddRow(*row);
    }
    EXPECT_GT(all_.size(), before)
        << row->name << "-" << row->since_version
        << " has no node: give its required attributes a value here";
  }
}

void Operators::AddRow(const lw_signature& row) {
  Add(row, {});
  for (size_t i = 0; i < row.attribute_count; ++i) {
    const lw_attribute_info& info = row.attributes[i];
    if (std::string(info.name) == "broadcast") {
      AddBroadcasts(row, info.name);
    } else if (info.tells_type != 0) {
      AddOutputTypes(row, info);
    } else if (info.kind == LW_ATTRIBUTE_STRING) {
      for (const char* text : {"LEFT", "RIGHT"}) {
        Add(row, Attributes().Text(info.name, text));
      }
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

// Each way in which scales lie beside x, with some of the other attributes.
void Operators::AddAlignedNodes(const lw_signature& row) {
  static constexpr AlignedNode kNodes[] = {{1, 0}, {0, 0}, {-1, 0}, {-2, 0},
                                           {1, 2}, {2, 1}, {-1, 5}, {0, 99}};
  static constexpr int32_t kPrecisions[] = {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16,
                                            LW_FLOAT64};
  const lw_operand& output = row.outputs[0];
  size_t next = 0;
  for (AlignedNode node : kNodes) {
    AddAligned(row, node, LW_ABSENT);
    for (const bool saturates : {true, false}) {
      node.saturates = saturates;
      AddAligned(row, node, output.types[next++ % output.type_count]);
    }
    node.saturates = true;
    node.precision = kPrecisions[next / 2 % 4];
    AddAligned(row, node, LW_ABSENT);
  }
}

void Operators::AddAligned(const lw_signature& row, const AlignedNode& node,
                           int32_t to) {
  Attributes given;
  const auto add = [&](const char* name, int64_t value, int64_t usual) {
    if (value != usual) given.Ints(name, LW_ATTRIBUTE_INT, {value});
  };
  add("axis", node.axis, 1);
  add("block_size", node.block_size, 0);
  add("output_dtype", to, LW_ABSENT);
  add("precision", node.precision, LW_ABSENT);
  add("saturate", node.saturates ? 1 : 0, 1);
  const size_t before = all_.size();
  Add(row, given, false, -1, to);
  if (all_.size() != before) all_.back().random.aligned = node;
}

// Axes as an attribute, in versions that have it, each with some of the other
// attributes: with all of them, most calls would be reductions.
void Operators::AddReductions(const lw_signature& row) {
  const auto has = [&](const char* name) {
    return std::any_of(row.attributes, row.attributes + row.attribute_count,
                       [&](const lw_attribute_info& info) {
                         return std::strcmp(info.name, name) == 0;
                       });
  };
  std::vector<std::optional<Dims64>> axes(6);
  if (has("axis")) axes = {std::nullopt, Dims64{-1}, Dims64{0}, Dims64{1}};
  if (has("axes")) {
    axes = {std::nullopt, Dims64{},     Dims64{0},     Dims64{-1},
            Dims64{1},    Dims64{0, 2}, Dims64{-1, 0}, Dims64{2, 1, 0}};
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    ReductionCase node = {.dims = {}, .axes = axes[i]};
    node.version = row.since_version;
    node.noop = i % 2 == 1 && has("noop_with_empty_axes");
    node.takes_last = i % 2 == 1 && has("select_last_index");
    if (i % 3 != 0) node.keepdims = static_cast<int64_t>(i % 3) - 1;
    AddReduction(row, node);
  }
}

void Operators::AddReduction(const lw_signature& row,
                             const ReductionCase& node) {
  Attributes given;
  if (node.axes) {
    const bool is_one = std::strcmp(row.attributes[0].name, "axis") == 0;
    given.Ints(is_one ? "axis" : "axes",
               is_one ? LW_ATTRIBUTE_INT : LW_ATTRIBUTE_INTS, *node.axes);
  }
  const auto add = [&](const char* name, int64_t value) {
    given.Ints(name, LW_ATTRIBUTE_INT, {value});
  };
  if (node.keepdims) add("keepdims", *node.keepdims);
  if (node.noop) add("noop_with_empty_axes", 1);
  if (node.takes_last) add("select_last_index", 1);
  const size_t before = all_.size();
  Add(row, given);
  if (all_.size() != before) all_.back().random.reduction = node;
}

void Operators::AddBroadcasts(const lw_signature& row, const char* name) {
  for (const int64_t axis : {-1, 0, 1, 2}) {
    Attributes given;
    given.Ints(name, LW_ATTRIBUTE_INT, {1});
    if (axis >= 0) given.Ints("axis", LW_ATTRIBUTE_INT, {axis});
    Add(row, given, true, axis);
  }
}

void Operators::AddOutputTypes(const lw_signature& row,
                               const lw_attribute_info& info) {
  static constexpr const char* kNames[] = {
      "",      "FLOAT",  "UINT8", "INT8",    "UINT16", "INT16",  "INT32",
      "INT64", "STRING", "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
  for (size_t i = 0; i < row.outputs[0].type_count; ++i) {
    const int32_t to = row.outputs[0].types[i];
    Attributes given;
    if (info.kind == LW_ATTRIBUTE_STRING) {
      given.Text(info.name, kNames[to]);
    } else {
      given.Ints(info.name, info.kind, {to});
    }
    Add(row, given, false, -1, to);
  }
}

void Operators::AddTargets(const lw_signature& row,
                           const lw_attribute_info& info) {
  const std::vector<int64_t> targets[] = {
      {}, {-1}, {1, -1}, {0, -1}, {-1, 3}, {2, -1, 2}, {4, 6}, {0, 0}, {-2}};
  for (const std::vector<int64_t>& target : targets) {
    Add(row, Attributes().Ints(info.name, info.kind, target));
  }
}

// Leaves out what the library refuses: the tests of lw_op_create see to that.
void Operators::Add(const lw_signature& row, const Attributes& attributes,
                    bool is_legacy, int64_t axis, int32_t to) {
  Ways ways;
  const std::pair<OpPtr*, const lw_engine*> made[] = {
      {&ways.quick, quick_.get()},
      {&ways.general, general_.get()},
      {&ways.tasks, tasks_.get()}};
  for (const auto& [handle, engine] : made) {
    lw_op* op = nullptr;
    const auto& list = attributes.list();
    if (lw_op_create(engine, row.name, row.since_version, list.data(),
                     list.size(), &op) != LW_OK) {
      return;
    }
    handle->reset(op);
  }
  ways.random = {&row, attributes.text(), ways.quick.get(), is_legacy, axis};
  ways.random.to = to;
  ways.random.one_way = AllSpecs().at(row.name)->one_way;
  ways.random.by_channel = ways.random.one_way && row.since_version < 7;
  all_.push_back(std::move(ways));
}

namespace {

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
  call.Unguard();
  EXPECT_EQ(std::memcmp(call.memory(), call.start(), call.bytes()), 0)
      << "lw_call_create wrote";
  call.Guard();
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
  call->Guard();
  lw_op_run(nullptr, nullptr, 0, nullptr, 0);  // leaves a message to be kept
  Outcome outcome = {run(), lw_last_error(), {}};
  if (outcome.status == LW_DIVIDE_BY_ZERO) {
    outcome.zeros = lw_last_zero_divisors();
  }
  call->Unguard();
  return outcome;
}

bool IsArithmetic(const RandomOperator& op) {
  if (op.reduction) return true;
  const std::string name = op.row->name;
  return name == "Add" || name == "Sub" || name == "Mul" || name == "Sum" ||
         name == "Mean" || name == "DequantizeLinear";
}

}  // namespace

lw_status RunEveryWay(const Ways& ways, RandomCall* call) {
  const Outcome general =
      Observe(call, [&] { return RunOp(ways.general.get(), *call); });
  static thread_local std::vector<uint8_t> expected;
  expected.assign(call->memory(), call->memory() + call->bytes());
  if (general.status == LW_OK || general.status == LW_DIVIDE_BY_ZERO) {
    EXPECT_EQ(
        ComplaintAboutCall(ways.random, *call, expected.data(), general.zeros),
        "");
  } else {
    EXPECT_EQ(std::memcmp(expected.data(), call->start(), call->bytes()), 0)
        << "memory changed, but the status is "
        << lw_status_name(general.status);
  }
  const auto check = [&](const char* way, const auto& run) {
    const Outcome outcome = Observe(call, run);
    EXPECT_EQ(outcome, general) << way;
    const size_t at =
        FirstDifference(call->memory(), expected.data(), call->bytes(), 1);
    if (at == call->bytes()) return;
    // Which of several NaNs a sum or product of them is may depend on the loop.
    EXPECT_TRUE(std::strcmp(way, "tasks") == 0 && IsArithmetic(ways.random))
        << way << ": byte " << at << " differs";
    EXPECT_EQ(
        ComplaintAboutCall(ways.random, *call, call->memory(), outcome.zeros),
        "");
  };
  const lw_op* op = ways.quick.get();
  check("lw_op_run", [&] { return RunOp(op, *call); });
  check("lw_call_run", [&] { return RunPrepared(op, *call); });
  check("lw_op_run_with", [&] { return RunWithOptions(op, *call); });
  check("tasks", [&] { return RunOp(ways.tasks.get(), *call); });
  check("tasks", [&] { return RunPrepared(ways.tasks.get(), *call); });
  check("lw_call_run, traced",
        [&] { return RunPrepared(ways.general.get(), *call); });
  return general.status;
}

}  // namespace lanewise::test
