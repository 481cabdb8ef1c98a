// SPDX-License-Identifier: Apache-2.0
//
// Prints a digest of the results of every operator and type on an exact engine,
// one line each. The lines are the same on every CPU, instruction set, compiler
// and number of threads.
//
//   lanewise_digest [--quick] [--isa=NAME] [--threads=N] [--every]
//                   [--check=FILE] [OPERATOR...]
//
// The inputs are all values where there are at most 2^32 (all pairs of values,
// if the operator has two inputs), otherwise 2^24 chosen ones; with --quick, at
// most 2^16. QuantizeLinear and DequantizeLinear get chosen values, with scales
// of every type that lie beside x in several ways; reductions, tensors of
// several shapes. --isa names an instruction set that the machine must have.
// --every computes on each instruction set of this machine, on one thread and
// on three. --check compares with lines of an earlier run: exit code 1 if a
// line differs.
//
// A digest takes values, not bytes, so that the byte order does not count. All
// NaNs are one value. Strings are left out.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/node/registry.h"
#include "tests/digest/elements.h"
#include "tests/digest/reductions.h"
#include "tests/digest/tensor.h"

namespace lanewise::digest {
namespace {

struct Settings {
  bool quick = false;
  bool every = false;
  std::string isa;
  int threads = 0;
  std::string check;
  std::set<std::string> operators;  // empty: all
};

// ---- Inputs -----------------------------------------------------------------

// Which inputs an operator gets.
enum class Space { kAllValues, kAllPairs, kSample };

struct Inputs {
  Space space;
  uint64_t count;
  uint64_t stride = 1;  ///< kAllValues
};

Inputs ChooseInputs(const lw_signature& row, const Format& format, int inputs,
                    bool quick) {
  const uint64_t most = quick ? uint64_t{1} << 16 : uint64_t{1} << 32;
  const int space = format.bits * format.parts * inputs;
  if (row.moves_only == 0 && inputs <= 2 && space <= 32) {
    const uint64_t count = std::min(uint64_t{1} << space, most);
    // An odd stride visits all exponents.
    const uint64_t stride =
        count == uint64_t{1} << space ? 1 : ((most - 1) | 1) + 2;
    if (inputs == 1) return {Space::kAllValues, count, stride};
    if (stride == 1) return {Space::kAllPairs, count};
  }
  return {Space::kSample, quick ? uint64_t{1} << 16 : uint64_t{1} << 24};
}

void Fill(const Inputs& inputs, const Format& format, int operand,
          uint64_t first, size_t n, std::vector<uint8_t>& to) {
  const size_t part = static_cast<size_t>(format.bits) / 8;
  const auto parts = static_cast<size_t>(format.parts);
  for (size_t i = 0; i < n * parts; ++i) {
    const uint64_t index = first * parts + i;
    uint64_t value = 0;
    if (inputs.space == Space::kAllValues) {
      value = index * inputs.stride;
    } else if (inputs.space == Space::kAllPairs) {
      value = operand == 0 ? index >> format.bits : index;
    } else {
      value = Sample(format, 4 * index + static_cast<uint64_t>(operand));
    }
    Store(value, format.bits, &to[i * part]);
  }
}

// ---- Digests ----------------------------------------------------------------

// A scalar input: 3 for the first, 24 for the second (Clip's bounds).
uint64_t Scalar(const Format& format, size_t which) {
  if (format.mantissa == 0) return which == 1 ? 3 : 24;
  // 1.5 * 2 and 1.5 * 2^4.
  return format.one + ((which == 1 ? uint64_t{1} : 4) << format.mantissa) +
         (uint64_t{1} << (format.mantissa - 1));
}

// `to`: the output's type, where an attribute tells it.
uint64_t DigestOf(const lw_op* op, const lw_signature& row, int32_t type,
                  int32_t to, bool quick) {
  const bool has_scalars = row.input_count == 3 && row.inputs[2].optional != 0;
  const bool has_shape = row.moves_only != 0;
  const bool is_variadic = row.inputs[0].variadic != 0;
  const size_t inputs = is_variadic ? 2 : row.input_count;
  const auto input = [&](size_t k) -> const lw_operand& {
    return row.inputs[is_variadic ? 0 : k];
  };
  const size_t operands = has_scalars || has_shape ? 1 : inputs;
  const int64_t packed = Packed(type);
  const auto type_of = [&](const lw_operand& operand) {
    return operand.type_count == 1 ? operand.types[0] : type;
  };
  const Inputs space =
      ChooseInputs(row, FormatOf(type), static_cast<int>(operands), quick);
  const auto block =
      static_cast<size_t>(std::min(space.count, uint64_t{1} << 20));

  std::vector<std::vector<uint8_t>> memory(inputs);
  int64_t dim = static_cast<int64_t>(block) * packed;
  const int64_t one = 1;
  std::vector<lw_tensor> in;
  for (size_t k = 0; k < inputs; ++k) {
    const Format format = FormatOf(type_of(input(k)));
    memory[k].resize(block * BytesOf(format));
    const bool single = k >= operands;
    if (single && has_scalars)
      Store(Scalar(format, k), format.bits, memory[k].data());
    if (single && has_shape) std::memcpy(memory[k].data(), &dim, sizeof(dim));
    in.push_back({memory[k].data(), type_of(input(k)),
                  single && has_scalars ? 0 : 1, single ? &one : &dim, nullptr,
                  0});
  }
  const int32_t out_type = to != LW_ABSENT ? to : type_of(row.outputs[0]);
  const Format out_format = FormatOf(out_type);
  const auto packed_out = static_cast<size_t>(Packed(out_type));
  const size_t results =
      (block * static_cast<size_t>(packed) + packed_out - 1) / packed_out;
  std::vector<uint8_t> result(results * BytesOf(out_format));
  const lw_tensor out = {result.data(), out_type, 1, &dim, nullptr, 0};

  uint64_t digest = kEmpty;
  for (uint64_t first = 0; first < space.count; first += block) {
    for (size_t k = 0; k < operands; ++k) {
      const Format format = FormatOf(in[k].type);
      Fill(space, format, static_cast<int>(k), first, block, memory[k]);
      if (in[k].type == LW_BOOL) {
        for (uint8_t& byte : memory[k]) byte &= 1;
      }
    }
    Must(lw_op_run(op, in.data(), in.size(), &out, 1));
    digest = Mix(digest, result.data(), results, out_format);
  }
  return digest;
}

// The attributes that an operator needs, with a name for each choice.
struct Variation {
  std::string name;  ///< of the operator, or "Cast->float16"
  std::vector<lw_attribute> attributes = {};
  int32_t to = LW_ABSENT;
};
std::vector<Variation> VariationsOf(const lw_signature& row) {
  static const lw_string kTexts[] = {{"LEFT", 4}, {"RIGHT", 5}};
  static const auto& codes = *[] {
    auto* made = new std::vector<int64_t>;
    for (int64_t code = 0; code <= LW_INT2; ++code) made->push_back(code);
    return made;
  }();
  std::vector<Variation> variations;
  for (size_t k = 0; k < row.attribute_count; ++k) {
    const lw_attribute_info& info = row.attributes[k];
    if (info.required == 0) continue;
    if (info.kind == LW_ATTRIBUTE_STRING) {
      for (const lw_string& text : kTexts) {
        variations.push_back({std::string(row.name) + "-" + text.data,
                              {{info.name, info.kind, 1, &text}}});
      }
    } else if (info.tells_type != 0) {
      for (size_t t = 0; t < row.outputs[0].type_count; ++t) {
        const int32_t to = row.outputs[0].types[t];
        variations.push_back(
            {std::string(row.name) + "->" + lw_type_name(to),
             {{info.name, info.kind, 1, &codes[static_cast<size_t>(to)]}},
             to});
      }
    }
  }
  if (variations.empty()) variations.push_back({row.name});
  return variations;
}

using Lines = std::map<std::string, std::string>;  // "Exp float32" -> digest

void AddLine(const std::string& variation, int32_t type, uint64_t digest,
             Lines* lines) {
  char text[20];
  std::snprintf(text, sizeof(text), "%016llx",
                static_cast<unsigned long long>(digest));
  (*lines)[variation + " " + lw_type_name(type)] = text;
}

// ---- Inputs that align at an axis -------------------------------------------

bool IsAligned(const lw_signature& row) {
  return std::any_of(row.attributes, row.attributes + row.attribute_count,
                     [](const lw_attribute_info& info) {
                       return std::strcmp(info.name, "block_size") == 0;
                     });
}

// How scales and zero points lie beside x.
const std::vector<int64_t> kDims = {2, 33, 20};
struct Layout {
  int64_t axis;
  int64_t block_size;
  std::vector<int64_t> dims;
};
const Layout kLayouts[] = {{1, 0, {}},
                           {1, 0, {33}},
                           {2, 0, {20}},
                           {1, 7, {2, 5, 20}},
                           {2, 8, {2, 33, 3}}};

// One digest of all types of scales and all layouts, with a zero point and
// without.
uint64_t DigestOfAligned(const lw_engine* engine, const lw_signature& row,
                         int32_t type, int32_t to, uint64_t rounds) {
  const bool is_zero_like_x = std::strcmp(row.inputs[2].type_parameter,
                                          row.inputs[0].type_parameter) == 0;
  Tensor x(type, kDims), out(to, kDims);
  const int64_t told = to;
  uint64_t digest = kEmpty;
  for (const Layout& layout : kLayouts) {
    const lw_attribute attributes[] = {
        {"axis", LW_ATTRIBUTE_INT, 1, &layout.axis},
        {"block_size", LW_ATTRIBUTE_INT, 1, &layout.block_size},
        {"output_dtype", LW_ATTRIBUTE_INT, 1, &told}};
    lw_op* op = nullptr;
    Must(lw_op_create(engine, row.name, row.since_version, attributes, 3, &op));
    Tensor zero(is_zero_like_x ? type : to, layout.dims);
    for (size_t t = 0; t < row.inputs[1].type_count; ++t) {
      Tensor scale(row.inputs[1].types[t], layout.dims);
      for (uint64_t round = 0; round < rounds; ++round) {
        x.Fill(3 * round);
        scale.Fill(3 * round + 1);
        zero.Fill(3 * round + 2);
        const lw_tensor in[] = {x.View(), scale.View(), zero.View()};
        const lw_tensor result = out.View();
        for (const size_t inputs : {2, 3}) {
          Must(lw_op_run(op, in, inputs, &result, 1));
          digest = Mix(digest, out.bytes.data(), out.Stored(), FormatOf(to));
        }
      }
    }
    lw_op_destroy(op);
  }
  return digest;
}

void AddAligned(const lw_engine* engine, const lw_signature& row, bool quick,
                Lines* lines) {
  for (size_t i = 0; i < row.inputs[0].type_count; ++i) {
    for (size_t k = 0; k < row.outputs[0].type_count; ++k) {
      const int32_t type = row.inputs[0].types[i], to = row.outputs[0].types[k];
      AddLine(std::string(row.name) + "->" + lw_type_name(to), type,
              DigestOfAligned(engine, row, type, to, quick ? 3 : 256), lines);
    }
  }
}

// Composed operators have the bits of their steps, which have digests.
bool IsComposed(const std::string& name) {
  return lanewise::FindOperator(name.c_str())->recipe != nullptr;
}

void AddReduction(const lw_engine* engine, const lw_signature& row,
                  Lines* lines) {
  for (size_t i = 0; i < row.inputs[0].type_count; ++i) {
    const int32_t type = row.inputs[0].types[i];
    uint64_t digest = 0;
    if (DigestOfReduction(engine, row, type, &digest)) {
      AddLine(row.name, type, digest, lines);
    }
  }
}

// ---- All operators ----------------------------------------------------------

Lines Compute(const Settings& settings, const std::string& isa, int threads) {
  lw_engine_options options = {};
  options.struct_size = sizeof(options);
  options.accuracy = LW_ACCURACY_EXACT;
  options.allow_zero_divisor = 1;
  options.max_isa = isa.empty() ? nullptr : isa.c_str();
  options.max_threads = threads;
  lw_engine* engine = nullptr;
  Must(lw_engine_create(&options, &engine));

  // The newest version of each operator.
  std::map<std::string, const lw_signature*> rows;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    const lw_signature*& newest = rows[row->name];
    if (newest == nullptr || newest->since_version < row->since_version) {
      newest = row;
    }
  }
  Lines lines;
  for (const auto& [name, signature] : rows) {
    if (!settings.operators.empty() && settings.operators.count(name) == 0) {
      continue;
    }
    if (IsComposed(name)) continue;
    if (IsAligned(*signature)) {
      AddAligned(engine, *signature, settings.quick, &lines);
      continue;
    }
    if (IsReduction(*signature)) {
      AddReduction(engine, *signature, &lines);
      continue;
    }
    // The operand of several types is that of the type parameter.
    const lw_operand* bound = &signature->inputs[0];
    for (size_t k = 0; k < signature->input_count; ++k) {
      if (bound->type_count == 1) bound = &signature->inputs[k];
    }
    for (const Variation& variation : VariationsOf(*signature)) {
      lw_op* op = nullptr;
      const lw_status status = lw_op_create(
          engine, name.c_str(), signature->since_version,
          variation.attributes.data(), variation.attributes.size(), &op);
      if (status == LW_NOT_EXACT) continue;
      Must(status);
      for (size_t t = 0; t < bound->type_count; ++t) {
        const int32_t type = bound->types[t];
        const lw_kernel* kernel = nullptr;
        if (type == LW_STRING ||
            lw_op_kernel(op, type, LW_SAME, &kernel) == LW_NOT_EXACT) {
          continue;
        }
        AddLine(variation.name, type,
                DigestOf(op, *signature, type, variation.to, settings.quick),
                &lines);
      }
      lw_op_destroy(op);
    }
  }
  lw_engine_destroy(engine);
  return lines;
}

// How many lines are not as the file has them.
int Differences(const Lines& lines, const Settings& settings,
                const std::string& label) {
  std::ifstream file(settings.check);
  if (!file) Fail("cannot read " + settings.check);
  Lines expected;
  std::string op;
  std::string type;
  std::string digest;
  while (file >> op >> type >> digest) expected[op + " " + type] = digest;
  int differences = 0;
  for (const auto& [name, value] : lines) {
    if (expected[name] == value) continue;
    std::printf("%s%s %s, not %s\n", label.c_str(), name.c_str(), value.c_str(),
                expected[name].c_str());
    ++differences;
  }
  return differences;
}

bool HasIsa(const std::string& name) {
  for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
    if (name == lw_isa_name(i)) return true;
  }
  return false;
}

Settings Parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string value =
        equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (argument == "--quick") {
      settings.quick = true;
    } else if (argument == "--every") {
      settings.every = true;
    } else if (key == "--isa") {
      settings.isa = value;
    } else if (key == "--threads") {
      settings.threads = std::atoi(value.c_str());
    } else if (key == "--check") {
      settings.check = value;
    } else if (argument[0] != '-') {
      settings.operators.insert(argument);
    } else {
      Fail("unknown argument " + argument);
    }
  }
  return settings;
}

}  // namespace
}  // namespace lanewise::digest

int main(int argc, char** argv) {
  using namespace lanewise::digest;
  const Settings settings = Parse(argc, argv);
  if (!settings.isa.empty() && !HasIsa(settings.isa)) {
    Fail("this machine does not have " + settings.isa);
  }
  struct Run {
    std::string isa;
    int threads;
  };
  std::vector<Run> runs;
  if (!settings.every) runs.push_back({settings.isa, settings.threads});
  for (size_t i = 0; settings.every && lw_isa_name(i) != nullptr; ++i) {
    runs.push_back({lw_isa_name(i), 1});
    runs.push_back({lw_isa_name(i), 3});
  }
  int differences = 0;
  for (const Run& run : runs) {
    const std::string label =
        settings.every
            ? run.isa + ", threads " + std::to_string(run.threads) + ": "
            : "";
    const Lines lines = Compute(settings, run.isa, run.threads);
    if (!settings.check.empty()) {
      differences += Differences(lines, settings, label);
      if (settings.every)
        std::printf("%s%zu lines\n", label.c_str(), lines.size());
      continue;
    }
    for (const auto& [name, digest] : lines) {
      std::printf("%s%s %s\n", label.c_str(), name.c_str(), digest.c_str());
    }
  }
  return differences == 0 ? 0 : 1;
}
