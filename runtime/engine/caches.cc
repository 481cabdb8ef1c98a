// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/caches.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace lanewise {
namespace {

// A virtual machine may tell the cache of a whole server, of which it has a
// part.
constexpr size_t kMostBytes = size_t{64} << 20;
constexpr size_t kLeastBytes = size_t{4} << 20;

std::string Line(const std::string& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

// Takes a number off the start of the text. False if there is none.
bool TakeNumber(std::string_view* text, size_t* value) {
  const char* begin = text->data();
  const auto [end, error] =
      std::from_chars(begin, begin + text->size(), *value);
  if (error != std::errc()) return false;
  text->remove_prefix(static_cast<size_t>(end - begin));
  return true;
}

// "32768K"; 0 if that is no size.
size_t ParseSize(std::string_view text) {
  size_t value = 0;
  if (!TakeNumber(&text, &value)) return 0;
  if (text == "K") return value << 10;
  return text == "M" ? value << 20 : value;
}

// How many CPUs are in a list such as "0-7,64-71"; 0 if that is no list.
size_t CountCpus(std::string_view text) {
  size_t count = 0;
  while (true) {
    size_t first = 0;
    if (!TakeNumber(&text, &first)) return 0;
    size_t last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      if (!TakeNumber(&text, &last) || last < first) return 0;
    }
    count += last - first + 1;
    if (text.empty()) return count;
    if (!text.starts_with(',')) return 0;
    text.remove_prefix(1);
  }
}

}  // namespace

Caches ReadCaches(const char* folder) {
  Caches found;
  size_t highest = 2;  // L2 is no last level that threads share
  for (int index = 0; index < 8; ++index) {
    const std::string cache =
        std::string(folder) + "/index" + std::to_string(index) + "/";
    const size_t level = ParseSize(Line(cache + "level"));
    const size_t bytes = ParseSize(Line(cache + "size"));
    const size_t cpus = CountCpus(Line(cache + "shared_cpu_list"));
    if (level <= highest || bytes == 0 || cpus == 0) continue;
    highest = level;
    found = {std::clamp(bytes, kLeastBytes, kMostBytes), cpus};
  }
  return found;
}

const Caches& OwnCaches() {
  static const Caches caches = ReadCaches("/sys/devices/system/cpu/cpu0/cache");
  return caches;
}

size_t StreamBytes(const Caches& caches, size_t threads) {
  if (threads <= 1) return caches.bytes / 4 * 3;
  return ((threads - 1) / caches.cpus + 1) * caches.bytes;
}

}  // namespace lanewise
