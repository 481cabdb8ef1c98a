// SPDX-License-Identifier: Apache-2.0
//
// The example in kernels/README.md is the whole of a kernel file, which the
// operator's own test covers.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string Read(const char* path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ReadmeKernel, IsTheFile) {
  const std::string readme = Read(LANEWISE_KERNELS_README);
  const std::string fence = "```cpp\n";
  const size_t begin = readme.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::string example = readme.substr(begin + fence.size());
  EXPECT_EQ(example.substr(0, example.find("```")),
            Read(LANEWISE_README_KERNEL));
}

}  // namespace
