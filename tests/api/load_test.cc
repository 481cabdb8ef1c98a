// SPDX-License-Identifier: Apache-2.0
//
// The shared library is loaded, used on threads and unloaded, again and again.
// It stays loaded in fact (-z nodelete), and has no page that is both writable
// and executable.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/not_run.h"
#include "tests/support/system.h"

namespace {

/// The functions that the test uses, from one loading.
class Library {
 public:
  Library() : handle_(lanewise::test::OpenLibrary(LANEWISE_SHARED)) {
    EXPECT_NE(handle_, nullptr);
  }
  ~Library() { EXPECT_TRUE(lanewise::test::CloseLibrary(handle_)); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <class Fn>
  Fn* Find(const char* name) const {
    return reinterpret_cast<Fn*>(lanewise::test::FindSymbol(handle_, name));
  }

 private:
  void* handle_;
};

// Large enough for several threads.
void Compute(const Library& library) {
  const auto create = library.Find<decltype(lw_op_create)>("lw_op_create");
  const auto run = library.Find<decltype(lw_op_run)>("lw_op_run");
  const auto destroy = library.Find<decltype(lw_op_destroy)>("lw_op_destroy");
  ASSERT_TRUE(create != nullptr && run != nullptr && destroy != nullptr);
  lw_op* op = nullptr;
  ASSERT_EQ(create(nullptr, "Exp", 13, nullptr, 0, &op), LW_OK);
  std::vector<float> x(1 << 20);
  const int64_t dims[] = {1 << 20};
  const lw_tensor view = {x.data(), LW_FLOAT32, 1, dims, nullptr, 4u << 20};
  EXPECT_EQ(run(op, &view, 1, &view, 1), LW_OK);
  EXPECT_EQ(x, std::vector<float>(1 << 20, 1.0f));
  destroy(op);
}

TEST(Load, AgainAndAgain) {
  for (int round = 0; round < 30; ++round) {
    ASSERT_NO_FATAL_FAILURE(Compute(Library()));
  }
}

// Windows has neither the option of the linker nor the file.
#if !defined(_WIN32)
TEST(Load, PagesAreWritableOrExecutable) {
  Compute(Library());
  std::ifstream maps("/proc/self/maps");
  if (!maps) LANEWISE_NOT_RUN("no /proc/self/maps");
  bool is_there = false;
  for (std::string line; std::getline(maps, line);) {
    const std::string access = line.substr(line.find(' ') + 1, 4);
    const bool is_ours = line.find("liblanewise") != std::string::npos;
    is_there = is_there || is_ours;
    EXPECT_FALSE(is_ours && access[1] == 'w' && access[2] == 'x') << line;
  }
  EXPECT_TRUE(is_there) << "unloaded, although threads may run its code";
}
#endif

}  // namespace
