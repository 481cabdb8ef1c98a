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
// most 2^16. --isa names an instruction set that the machine must have. --every
// computes on each instruction set of this machine, on one thread and on three.
// --check compares with lines of an earlier run: exit code
// 1 if a line differs.
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
#include <vector>

#include "lanewise/lanewise.h"

namespace {

struct Settings {
  bool quick = false;
  bool every = false;
  std::string isa;
  int threads = 0;
  std::string check;
  std::set<std::string> operators;  // empty: all
};

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "lanewise_digest: %s\n", what.c_str());
  std::exit(2);
}
void Must(lw_status status) {
  if (status != LW_OK) Fail(lw_last_error());
}

// ---- Types ------------------------------------------------------------------

// The number of bits of an integer, or of a float with its exponent.
struct Format {
  int bits;  ///< of an element; packed types: 8, of which elements are parts
  int parts = 1;     ///< complex numbers: 2
  int mantissa = 0;  ///< floats: explicit bits
  uint64_t one = 1;  ///< the number 1
};

Format FormatOf(int32_t type) {
  switch (type) {
    case LW_FLOAT32:
      return {32, 1, 23, 0x3F800000};
    case LW_FLOAT64:
      return {64, 1, 52, 0x3FF0000000000000};
    case LW_FLOAT16:
      return {16, 1, 10, 0x3C00};
    case LW_BFLOAT16:
      return {16, 1, 7, 0x3F80};
    case LW_COMPLEX64:
      return {32, 2};
    case LW_COMPLEX128:
      return {64, 2};
    case LW_INT16:
    case LW_UINT16:
      return {16};
    case LW_INT32:
    case LW_UINT32:
      return {32};
    case LW_INT64:
    case LW_UINT64:
      return {64};
    default:
      return {8};
  }
}
size_t BytesOf(const Format& format) {
  return static_cast<size_t>(format.bits * format.parts / 8);
}
// How many elements share a byte.
int64_t Packed(int32_t type) {
  switch (type) {
    case LW_UINT4:
    case LW_INT4:
    case LW_FLOAT4E2M1:
      return 2;
    case LW_UINT2:
    case LW_INT2:
      return 4;
    default:
      return 1;
  }
}

void Store(uint64_t value, int bits, void* to) {
  const auto store = [&](auto narrow) {
    std::memcpy(to, &narrow, sizeof(narrow));
  };
  if (bits == 8) return store(static_cast<uint8_t>(value));
  if (bits == 16) return store(static_cast<uint16_t>(value));
  if (bits == 32) return store(static_cast<uint32_t>(value));
  store(value);
}

template <typename T>
uint64_t Load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// ---- Inputs -----------------------------------------------------------------

uint64_t Random(uint64_t index) {  // splitmix64
  uint64_t x = (index + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// One of: an edge of the type, any bits, a float between 2^-8 and 2^10 or a
// small integer.
uint64_t Sample(const Format& format, uint64_t index) {
  const uint64_t random = Random(index);
  const uint64_t bits = Random(~index);
  const uint64_t sign = (bits >> 63) << (format.bits - 1);
  switch (random % 4) {
    case 0: {
      const uint64_t edge = format.mantissa == 0
                                ? uint64_t{1} << (bits % 64)
                                : (bits % 2048) << format.mantissa;
      return sign ^ (edge + (bits >> 32) % 3 - 1);
    }
    case 1:
    case 2:
      if (format.mantissa == 0) return (bits % 256 - 128);
      return sign | (format.one + (((bits >> 32) % 18) << format.mantissa) -
                     (uint64_t{8} << format.mantissa) +
                     (bits & ((uint64_t{1} << format.mantissa) - 1)));
    default:
      return bits;
  }
}

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

// Adds the elements to a digest: FNV-1a with elements in place of bytes.
template <typename T>
uint64_t Mix(uint64_t digest, const uint8_t* data, size_t n, int mantissa) {
  const uint64_t sign = uint64_t{1} << (8 * sizeof(T) - 1);
  const uint64_t infinity = sign - (uint64_t{1} << mantissa);
  for (size_t i = 0; i < n; ++i) {
    uint64_t value = Load<T>(data + i * sizeof(T));
    if (mantissa != 0 && (value & ~sign) > infinity) value = infinity + 1;
    digest = (digest ^ value) * 0x100000001B3;
    digest ^= digest >> 32;
  }
  return digest;
}
uint64_t Mix(uint64_t digest, const uint8_t* data, size_t n,
             const Format& format) {
  n *= static_cast<size_t>(format.parts);
  switch (format.bits) {
    case 8:
      return Mix<uint8_t>(digest, data, n, format.mantissa);
    case 16:
      return Mix<uint16_t>(digest, data, n, format.mantissa);
    case 32:
      return Mix<uint32_t>(digest, data, n, format.mantissa);
    default:
      return Mix<uint64_t>(digest, data, n, format.mantissa);
  }
}

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

  uint64_t digest = 0xCBF29CE484222325;
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

Lines Compute(const Settings& settings, const std::string& isa, int threads) {
  lw_engine_options options = {};
  options.struct_size = sizeof(options);
  options.exact = 1;
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
    // Calls have more than one type: these operators' own tests run them.
    if (name == "QuantizeLinear" || name == "DequantizeLinear") continue;
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
        char digest[20];
        std::snprintf(digest, sizeof(digest), "%016llx",
                      static_cast<unsigned long long>(DigestOf(
                          op, *signature, type, variation.to, settings.quick)));
        lines[variation.name + " " + lw_type_name(type)] = digest;
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

int main(int argc, char** argv) {
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
