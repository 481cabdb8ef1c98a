// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "lanewise/lanewise.h"

TEST(Reshape, IsThere) { EXPECT_EQ(lw_operator_version("Reshape", 0), 1); }
