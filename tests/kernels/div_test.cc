// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "lanewise/lanewise.h"

TEST(Div, IsThere) { EXPECT_EQ(lw_operator_version("Div", 0), 1); }
