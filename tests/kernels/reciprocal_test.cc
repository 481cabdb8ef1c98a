// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "lanewise/lanewise.h"

TEST(Reciprocal, IsThere) { EXPECT_EQ(lw_operator_version("Reciprocal", 0), 1); }
