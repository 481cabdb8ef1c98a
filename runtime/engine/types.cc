// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/types.h"

#include <cstring>

namespace lanewise {

int32_t TypeByShortName(const char* short_name) {
  for (int32_t type = 1; type < kTypeCount; ++type) {
    if (std::strcmp(kTypes[type].short_name, short_name) == 0) return type;
  }
  return 0;
}

}  // namespace lanewise
