// SPDX-License-Identifier: Apache-2.0
//
// Which of several kernels an engine takes, and what exact engines refuse.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "kernels/tiles.h"
#include "runtime/engine/engine.h"
#include "runtime/node/node.h"
#include "runtime/node/registry.h"
#include "tests/support/engines.h"
#include "tests/support/operator_spec.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

// ---- Kernels of several ways -----------------------------------------------

// Five functions that do nothing.
template <int kNumber>
lw_status Nothing(const Setup* /*setup*/, const void* const* /*in*/,
                  void* /*out*/, size_t /*n*/, Zeros* /*zeros*/) noexcept {
  return LW_OK;
}
constexpr KernelFn Usual = Nothing<0>;
constexpr KernelFn Divider = Nothing<1>;
constexpr KernelFn Exact = Nothing<2>;
constexpr KernelFn Young = Nothing<3>;
constexpr KernelFn Fast = Nothing<4>;

constexpr int kFakeVersions[] = {1, 5};
constexpr Form kFakeForms[] = {{1, kInputX, ShapeRule::kSame}};
constexpr PatternKernel kOnlyScalar[] = {{LW_SCALAR_A, Young}};
constexpr KernelEntry kFakeKernels[] = {
    {1, LW_FLOAT32, kOnlySame<Divider>, Way::kDivider},
    {1, LW_FLOAT32, kOnlySame<Usual>},
    {1, LW_FLOAT32, kOnlySame<Exact>, Way::kExact},
    {1, LW_FLOAT32, kOnlySame<Fast>, Way::kFast},
    {5, LW_FLOAT64, kOnlySame<Young>},
    {5, LW_INT8, kOnlyScalar},
};
const Operator kFake = {
    .name = "Fake",
    .versions = kFakeVersions,
    .forms = kFakeForms,
    .output = {"Y"},
    .verified_opset = 5,
    .cost = CostClass::kMemory,
    .kernels =
        [](int64_t target) {
          return TargetKernels{target, kFakeKernels};
        },
};

TEST(KernelTable, TakesThePreferredWayWhereThereIsOne) {
  const auto kernel = [](const PreferredWays& ways, int32_t type) -> KernelFn {
    const KernelTable table(kFake, 5, HWY_STATIC_TARGET, ways);
    const KernelFn* kernels = table.Find(type);
    return kernels == nullptr ? nullptr : kernels[LW_SAME];
  };
  constexpr PreferredWays kNone = {};
  constexpr PreferredWays kDivider = {Way::kDivider, Way::kUsual};
  constexpr PreferredWays kFast = {Way::kUsual, Way::kFast};
  constexpr PreferredWays kExact = {Way::kDivider, Way::kExact};
  EXPECT_EQ(kernel(kNone, LW_FLOAT32), Usual);
  EXPECT_EQ(kernel(kDivider, LW_FLOAT32), Divider);
  EXPECT_EQ(kernel(kFast, LW_FLOAT32), Fast);
  EXPECT_EQ(kernel({Way::kUsual, Way::kExact}, LW_FLOAT32), Exact);
  for (const PreferredWays& ways : {kNone, kDivider, kFast, kExact}) {
    const bool exact = ways.accuracy == Way::kExact;
    EXPECT_EQ(kernel(ways, LW_FLOAT64), exact ? nullptr : Young);
    EXPECT_EQ(kernel(ways, LW_INT8), nullptr) << "LW_SAME must be there";
  }
}

// ---- Exact engines ----------------------------------------------------------

Operator Fake(bool exact) {
  Operator op = kFake;
  op.exact = exact;
  return op;
}

TEST(KernelTable, HasOnlyExactKernelsForExactEngines) {
  const auto kernel = [](bool exact, int32_t type) -> KernelFn {
    const Operator op = Fake(exact);
    const KernelTable table(op, 5, HWY_STATIC_TARGET,
                            {Way::kUsual, Way::kExact});
    const KernelFn* kernels = table.Find(type);
    return kernels == nullptr ? nullptr : kernels[LW_SAME];
  };
  EXPECT_EQ(kernel(false, LW_FLOAT32), Exact);
  EXPECT_EQ(kernel(false, LW_FLOAT64), nullptr);
  EXPECT_EQ(kernel(true, LW_FLOAT32), Exact);
  EXPECT_EQ(kernel(true, LW_FLOAT64), Young);
}

TEST(ExactEngines, RefuseWhatIsNotProven) {
  static constexpr KernelEntry kInexact[] = {{1, LW_FLOAT32, kOnlySame<Usual>}};
  Operator none = Fake(false);
  none.kernels = [](int64_t target) { return TargetKernels{target, kInexact}; };
  auto exact = std::make_shared<Engine>();
  exact->target = HWY_STATIC_TARGET;
  exact->targets = HWY_STATIC_TARGET;
  exact->tile_moves = TileMovesOn(exact->targets);
  ASSERT_EQ(
      MakeExecutor(LW_THREADING_SERIAL, 1, nullptr, nullptr, &exact->executor),
      LW_OK);
  exact->accuracy = LW_ACCURACY_EXACT;
  exact->ways.accuracy = Way::kExact;
  const auto make = [&](const Operator& op, std::shared_ptr<const Node>* node) {
    return MakeNode(exact, op, 5, nullptr, 0, node);
  };
  const auto says = [](const char* what) {
    return std::string(lw_last_error()).find(what) != std::string::npos;
  };
  std::shared_ptr<const Node> node;
  EXPECT_EQ(make(none, &node), LW_NOT_EXACT);
  EXPECT_TRUE(says("Fake-5") && says("exact")) << lw_last_error();
  EXPECT_EQ(node, nullptr);
  none.exact = true;
  EXPECT_EQ(make(none, &node), LW_OK);

  // Exact in one type only.
  const Operator one = Fake(false);
  ASSERT_EQ(make(one, &node), LW_OK);
  EXPECT_EQ(node->CheckType(LW_FLOAT32), LW_OK);
  EXPECT_EQ(node->CheckType(LW_FLOAT64), LW_NOT_EXACT);
  EXPECT_TRUE(says("exact") && says("float64")) << lw_last_error();
  EXPECT_EQ(node->CheckType(LW_BOOL), LW_UNSUPPORTED_TYPE);
}

// All but double results that are a hair off, Pow, SwiGLU, sums of logarithms,
// Erf of integers, and other attributes than the usual ones.
bool IsExactSomewhere(const std::string& name, int version, int32_t type) {
  const std::set<std::string> not_in_doubles = {
      "Acos",    "Acosh", "Asin",     "Asinh",     "Atan",     "Atanh",
      "Celu",    "Cos",   "Cosh",     "Elu",       "Erf",      "Gelu",
      "Log",     "Mish",  "Selu",     "HardSwish", "Softsign", "Sin",
      "Sigmoid", "Sinh",  "Softplus", "Swish",     "Tan",      "Tanh"};
  const std::set<std::string> nowhere = {"Pow", "ReduceLogSum",
                                         "ReduceLogSumExp", "SwiGLU"};
  if (nowhere.count(name) != 0) return false;
  if (name == "Selu" && version < 6) return false;  // defaults of its own
  const bool is_short =
      type == LW_FLOAT16 || type == LW_BFLOAT16 || type == LW_FLOAT32;
  return not_in_doubles.count(name) == 0 || is_short;
}

TEST(ExactEngines, TakeEveryOperatorInEveryType) {
  lw_engine_options options = Options();
  options.accuracy = LW_ACCURACY_EXACT;
  const EnginePtr exact = MakeEngine(options);
  for (const auto& [name, spec] : AllSpecs()) {
    if (spec->is_composed()) continue;  // its steps are asked
    for (const VersionSpec& version : spec->versions) {
      for (const int32_t type : version.types) {
        const bool is_exact = IsExactSomewhere(name, version.version, type);
        EXPECT_EQ(KernelStatus(exact.get(), spec->name, version.version, type),
                  is_exact
                      ? KernelStatus(nullptr, spec->name, version.version, type)
                      : LW_NOT_EXACT)
            << name << "-" << version.version << " " << lw_type_name(type);
      }
    }
  }
}

TEST(ExactEngines, TakeOnlyAttributesThatAreProven) {
  lw_engine_options options = Options();
  options.accuracy = LW_ACCURACY_EXACT;
  const EnginePtr exact = MakeEngine(options);
  const auto create = [&](const char* name, const char* attribute,
                          float value) {
    const lw_attribute given = {attribute, LW_ATTRIBUTE_FLOAT, 1, &value};
    lw_op* op = nullptr;
    const lw_status status =
        lw_op_create(exact.get(), name, 28, &given, 1, &op);
    lw_op_destroy(op);
    return status;
  };
  for (const char* name : {"Elu", "Celu", "Swish"}) {
    EXPECT_EQ(create(name, "alpha", 1), LW_OK) << name;
    EXPECT_EQ(create(name, "alpha", 1.5f), LW_NOT_EXACT) << name;
    EXPECT_NE(std::string(lw_last_error()).find("default"), std::string::npos);
  }
  for (const char* attribute : {"alpha", "gamma"}) {
    EXPECT_EQ(create("Selu", attribute, 1), LW_NOT_EXACT) << attribute;
  }
}

TEST(KernelTable, HasNoTypeThatTheVersionDoesNotList) {
  const KernelTable table(kFake, 1, HWY_STATIC_TARGET, PreferredWays());
  EXPECT_NE(table.Find(LW_FLOAT32), nullptr);
  for (const int32_t type : {int32_t{LW_FLOAT64}, int32_t{LW_INT8}, 0, -1, 27,
                             INT32_MAX, INT32_MIN}) {
    EXPECT_EQ(table.Find(type), nullptr);
  }
}

}  // namespace
}  // namespace lanewise::test
