// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "lanewise/lanewise.h"

TEST(Exp, IsThere) { EXPECT_EQ(lw_operator_version("Exp", 0), 1); }
