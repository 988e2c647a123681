// A fit on its way from the writer thread to the fitting thread and back. A fit that is given up while it runs leaves
// no result.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "native/quality/curve_set.h"

namespace freshdex::node {

class FitSlot {
 public:
  struct Finished {
    quality::FitResult result;
    double fit_us;  // CPU time, that of making the request included
  };

  bool is_free() const {
    std::lock_guard lock(mutex_);
    return request_ == nullptr;
  }
  // `spent_us`: the CPU time that making the request took. REQUIRES: is_free().
  void Start(quality::FitRequest request, double spent_us) {
    std::lock_guard lock(mutex_);
    request_ = std::make_shared<const quality::FitRequest>(std::move(request));
    started_us_ = spent_us;
  }
  // The request that waits to be fitted; null when there is none, or it is fitted already.
  std::shared_ptr<const quality::FitRequest> Take() const {
    std::lock_guard lock(mutex_);
    return finished_ ? nullptr : request_;
  }
  void Finish(const std::shared_ptr<const quality::FitRequest>& request, Finished finished) {
    std::lock_guard lock(mutex_);
    if (request_ != request) return;
    finished_ = std::move(finished);
    finished_->fit_us += started_us_;
  }
  // Gives the result of a finished fit, once; the slot is free afterwards.
  std::optional<Finished> Collect() {
    std::lock_guard lock(mutex_);
    if (!finished_) return std::nullopt;
    request_.reset();
    return std::exchange(finished_, std::nullopt);
  }
  void Clear() {
    std::lock_guard lock(mutex_);
    request_.reset();
    finished_.reset();
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const quality::FitRequest> request_;
  std::optional<Finished> finished_;
  double started_us_ = 0;
};

}  // namespace freshdex::node
