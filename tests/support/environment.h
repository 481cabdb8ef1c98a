// SPDX-License-Identifier: Apache-2.0
//
// Sets environment variables temporarily.

#ifndef LANEWISE_TESTS_SUPPORT_ENVIRONMENT_H_
#define LANEWISE_TESTS_SUPPORT_ENVIRONMENT_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <optional>
#include <string>

#include "tests/support/system.h"

namespace lanewise::test {

/// Sets a variable, or removes it (nullptr), until the end of the scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) saved_ = old;
    SetVariable(name, value);
  }
  ~ScopedVariable() { SetVariable(name_, saved_ ? saved_->c_str() : nullptr); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> saved_;
};

inline constexpr const char* kVariables[] = {
    "LANEWISE_MAX_ISA", "LANEWISE_NUM_THREADS", "LANEWISE_TUNING",
    "LANEWISE_VERBOSE", "LANEWISE_ACCURACY"};

/// Base of tests that start with none of the library's variables set, whatever
/// the developer's environment contains.
class CleanEnvironment : public testing::Test {
 protected:
  CleanEnvironment() {
    for (const char* name : kVariables) cleared_.emplace_back(name, nullptr);
  }

 private:
  std::deque<ScopedVariable> cleared_;
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ENVIRONMENT_H_
