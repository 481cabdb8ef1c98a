// SPDX-License-Identifier: Apache-2.0

#include "runtime/stages/sites.h"

#include <algorithm>
#include <numeric>

#include "runtime/engine/engine.h"
#include "runtime/engine/types.h"
#include "runtime/plan/shape.h"
#include "runtime/plan/tensor.h"

namespace lanewise {
namespace {

// What the stages hand on is some tensors of this size, which stay in L2.
constexpr int64_t kSliceBytes = int64_t{64} << 10;

void SetShape(const lw_tensor& tensor, Site* site) {
  site->type = tensor.type;
  site->bytes = FindType(tensor.type)->bits / 8;
  site->dims.assign(tensor.dims, tensor.dims + tensor.rank);
  site->strides.resize(site->dims.size());
  FindStrides(tensor, site->strides.data());
}

class Finder {
 public:
  Finder(const Stages& stages, const ChainCall& call, Sites* sites)
      : stages_(stages), chain_(*stages.chain), call_(call), sites_(*sites) {}

  void Run(size_t threads) {
    sites_.values.resize(chain_.first_step() + chain_.steps.size());
    for (const Stage& stage : stages_.stages) {
      for (const int32_t value : stage.reads) Place(value);
      for (const int32_t value : stage.writes) Place(value);
    }
    if (AlignAll() && FindFree()) Split(threads);
  }

 private:
  Site& At(int32_t value) { return sites_.values[static_cast<size_t>(value)]; }

  void Place(int32_t value) {
    Site& site = At(value);
    if (site.kind != Site::kNone) return;
    SetShape(call_.TensorOf(value), &site);
    const int32_t root = chain_.RootOf(value);
    if (root >= 0) {
      const bool is_input = chain_.IsInput(root);
      site.kind = is_input ? Site::kInput : Site::kConstant;
      site.index = static_cast<size_t>(root) - (is_input ? 0 : chain_.inputs());
      return;
    }
    if (chain_.steps[chain_.StepOf(value)].is_view()) {
      site.kind = Site::kCounted;
      return;
    }
    site.kind = Site::kScratch;
    for (size_t k = 0; k < chain_.outputs.size(); ++k) {
      if (chain_.SourceOf(k) != chain_.StepOf(value)) continue;
      SetShape(call_.OutputView(k), &site);
      site.kind = Site::kOutput;
      site.index = k;
    }
  }

  // Aligns each value where the steps that read it do, or at the right. Returns
  // false if two steps differ: then, there is one slice, and all are at the
  // right.
  bool AlignAll() {
    size_t rank = 0;
    for (const Site& site : sites_.values)
      rank = std::max(rank, site.dims.size());
    sites_.frame.dims.assign(rank, 1);
    units_.assign(rank, 1);
    // The dim of the frame that a value begins at; -1: nobody told.
    std::vector<int32_t> begins(sites_.values.size(), -1);
    const auto begin = [&](size_t value) {
      const Dims dims = DimsOf(call_.TensorOf(static_cast<int32_t>(value)));
      if (begins[value] < 0) {
        begins[value] = static_cast<int32_t>(rank) - dims.rank;
      }
      return begins[value];
    };
    bool aligns = true;
    for (size_t s = chain_.steps.size(); s-- > 0 && aligns;) {
      if (chain_.steps[s].is_view()) continue;
      const int32_t own = begin(chain_.first_step() + s);
      aligns = AlignOperands(s, own, &begins);
    }
    if (!aligns) begins.assign(begins.size(), -1);
    for (size_t v = 0; v < sites_.values.size(); ++v) {
      Site& site = sites_.values[v];
      site.frame_dims.resize(site.dims.size());
      if (site.kind == Site::kNone) continue;
      std::iota(site.frame_dims.begin(), site.frame_dims.end(), begin(v));
    }
    return aligns;
  }

  bool AlignOperands(size_t s, int32_t begin,
                     std::vector<int32_t>* begins) const {
    constexpr int32_t kNone[LW_MAX_STEPS] = {};
    const ChainStep& step = chain_.steps[s];
    for (size_t k = 0; k < step.reads(); ++k) {
      const int32_t value = step.operands[k];
      if (value < 0 || call_.ElementsOf(value) == 1) continue;
      // What has lost dims aligns as AlignReduced tells.
      if (step.node->is_reduction &&
          call_.ShapeOf(s).rank != call_.TensorOf(value).rank) {
        continue;
      }
      int32_t& known = (*begins)[static_cast<size_t>(value)];
      const int32_t told = begin + call_.OffsetOf(s, k, kNone);
      if (known >= 0 && known != told) return false;
      known = told;
    }
    return true;
  }

  // The dims of a reduction's result, which has lost some if keepdims is 0. No
  // step may read such a result: the step's other values would be shifted.
  bool AlignReduced(size_t s) {
    const int32_t value = static_cast<int32_t>(chain_.first_step() + s);
    Site& result = At(value);
    const Site& operand = At(chain_.steps[s].operands[0]);
    if (result.dims.size() == operand.dims.size() ||
        call_.ElementsOf(value) == 1) {
      return true;
    }
    for (const Stage& stage : stages_.stages) {
      for (const int32_t read : stage.reads) {
        if (read == value) return false;
      }
    }
    size_t at = 0;
    for (size_t i = 0; i < operand.dims.size(); ++i) {
      if ((call_.ReducedOf(s) >> i & 1) != 0) continue;
      result.frame_dims[at++] = operand.frame_dims[i];
    }
    return true;
  }

  // Whether slices of this dim of the frame are slices of the value, too.
  // Otherwise, each slice would write all of an output, perhaps over an input
  // that the next slice reads.
  static bool HasDim(const Site& site, size_t dim) {
    for (size_t i = 0; i < site.dims.size(); ++i) {
      if (static_cast<size_t>(site.frame_dims[i]) == dim) {
        return site.dims[i] != 1;
      }
    }
    return false;
  }

  // Whether an output may lie over an input that aligns elsewhere, so that
  // another slice reads what is written.
  bool MayLieAcross(const Site& output) const {
    return std::any_of(
        sites_.values.begin(), sites_.values.end(), [&](const Site& site) {
          return site.kind == Site::kInput && site.dims == output.dims &&
                 site.frame_dims != output.frame_dims;
        });
  }

  bool FindFree() {
    Frame& frame = sites_.frame;
    std::vector<bool> is_free(frame.dims.size(), true);
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      const ChainStep& step = chain_.steps[s];
      if (step.is_view()) continue;
      if (step.reports_zeros) return false;
      if (step.node->rule.kind == StepRule::kGroup) {
        const Site& operand = At(step.operands[0]);
        is_free[static_cast<size_t>(operand.frame_dims[1])] = false;
      }
      if (!step.node->is_reduction) continue;
      if (!AlignReduced(s)) return false;
      const Site& operand = At(step.operands[0]);
      // In each slice of a dim that the operand has not, the reduction would be
      // computed again.
      for (size_t i = 0; i < frame.dims.size(); ++i) {
        if (!HasDim(operand, i)) is_free[i] = false;
      }
      for (size_t i = 0; i < operand.dims.size(); ++i) {
        if ((call_.ReducedOf(s) >> i & 1) == 0) continue;
        const auto at = static_cast<size_t>(operand.frame_dims[i]);
        const StepRule& rule = step.node->rule;
        if (i == 1 && rule.kind == StepRule::kReduceGroups) {
          const int64_t unit = operand.dims[i] / rule.number;
          is_free[at] = is_free[at] && HasUnits(at, unit);
        } else {
          is_free[at] = false;
        }
      }
    }
    for (const Site& site : sites_.values) {
      for (size_t i = 0; i < site.dims.size(); ++i) {
        int64_t& dim = frame.dims[static_cast<size_t>(site.frame_dims[i])];
        if (site.dims[i] != 1) dim = site.dims[i];
      }
    }
    for (const Site& site : sites_.values) {
      for (size_t i = 0; i < site.dims.size(); ++i) {
        const auto at = static_cast<size_t>(site.frame_dims[i]);
        if (site.dims[i] != 1 && site.dims[i] != frame.dims[at]) {
          is_free[at] = false;
        }
      }
    }
    for (const Site& output : sites_.values) {
      if (output.kind != Site::kOutput) continue;
      for (size_t i = 0; i < frame.dims.size(); ++i) {
        if (!HasDim(output, i)) is_free[i] = false;
      }
      if (MayLieAcross(output)) return false;
    }
    // Values of different dims may be small, and have more elements together
    // than can be counted.
    const auto rank = static_cast<int32_t>(frame.dims.size());
    if (!CountElements({frame.dims.data(), rank}, &frame.elements)) {
      return false;
    }
    for (size_t i = 0; i < frame.dims.size(); ++i) {
      if (is_free[i] && frame.dims[i] != 1) {
        frame.free.push_back(static_cast<int32_t>(i));
      }
    }
    return true;
  }

  // Slices of a dim have whole groups of one size.
  bool HasUnits(size_t at, int64_t unit) {
    if (units_[at] == 1) units_[at] = unit;
    return units_[at] == unit;
  }

  void Split(size_t threads) {
    Frame& frame = sites_.frame;
    int64_t rest = frame.elements;
    size_t widest = 1;
    for (const Site& site : sites_.values)
      widest = std::max(widest, site.bytes);
    const auto bytes = static_cast<int64_t>(widest);
    int64_t most = kSliceBytes / bytes;  // elements
    // All threads have slices where their work repays them.
    const Tuning::PerCostClass tuning =
        chain_.engine->tuning.For(CostClass::kTranscendental, 1);
    if (rest * bytes >= static_cast<int64_t>(tuning.serial_bytes)) {
      most = std::clamp<int64_t>(rest / static_cast<int64_t>(threads), 1, most);
    }
    for (const int32_t at : frame.free) {
      if (rest <= most || rest == 0) return;
      const int64_t dim = frame.dims[static_cast<size_t>(at)];
      const int64_t unit = units_[static_cast<size_t>(at)];
      rest /= dim;
      if (unit == 1 && rest >= most) {
        ++frame.split;
        frame.slices *= dim;
        continue;
      }
      // Slices of one size need one plan.
      const int64_t longest = std::max(most / rest / unit, int64_t{1}) * unit;
      int64_t extent = longest;
      while (dim % extent != 0) extent -= unit;
      frame.extent = 2 * extent >= longest ? extent : longest;
      frame.whole = dim;
      frame.slices *= (dim + frame.extent - 1) / frame.extent;
      return;
    }
  }

  const Stages& stages_;
  const Chain& chain_;
  const ChainCall& call_;
  Sites& sites_;
  std::vector<int64_t> units_;  // by dim of the frame: a slice has whole ones
};

}  // namespace

void FindSites(const Stages& stages, const ChainCall& call, size_t threads,
               Sites* sites) {
  *sites = {};
  Finder(stages, call, sites).Run(threads);
}

}  // namespace lanewise
