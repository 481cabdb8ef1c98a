// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_OWN_JOB_H_
#define LANEWISE_RUNTIME_OWN_JOB_H_

#include "kernels/kernel.h"

namespace lanewise {

/// A job with memory for its inputs, and for a setup of its own.
struct OwnJob : Job {
  const void* inputs[kMaxInputs];
  Setup own;  ///< nothing is in it unless `setup` points to it

  explicit OwnJob(const Setup* shared) : Job(inputs, nullptr, 0, shared) {}
  OwnJob(const OwnJob&) = delete;
  OwnJob& operator=(const OwnJob&) = delete;

  /// Makes a copy of the setup, which may then be changed.
  Setup& OwnSetup() {
    own = *setup;
    setup = &own;
    return own;
  }
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_OWN_JOB_H_
