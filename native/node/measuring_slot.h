// What measures at present, handed from the writer thread, or the JavaScript thread of a reader, to whoever explains.
#pragma once

#include <mutex>
#include <utility>

#include "native/quality/stake_parts.h"

namespace freshdex::node {

class MeasuringSlot {
 public:
  // Without an epoch: nothing is measured.
  quality::MeasuringState Get() const {
    std::lock_guard lock(mutex_);
    return state_;
  }
  void Set(quality::MeasuringState state) {
    std::lock_guard lock(mutex_);
    std::swap(state_, state);
  }

 private:
  mutable std::mutex mutex_;
  quality::MeasuringState state_;
};

}  // namespace freshdex::node
