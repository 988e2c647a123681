// Clocks for what writing and measuring take. The core below reads no clock.
#pragma once

#include <chrono>

#include "native/index/posting_observer.h"

namespace freshdex::node {

// Measures time with a monotonic clock, in milliseconds.
class Stopwatch {
 public:
  double Ms() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Passes every call on and adds up how long the calls took. It reads the clock twice for each document, which takes
// about 50 ns.
class TimedObserver final : public index::PostingObserver {
 public:
  // `observer` may be null.
  void Start(index::PostingObserver* observer) {
    observer_ = observer;
    spent_ms_ = 0;
  }
  // What the writer is given: null when there is nobody to tell.
  index::PostingObserver* listener() { return observer_ == nullptr ? nullptr : this; }
  double spent_ms() const { return spent_ms_; }

  void OnDocument(const index::DocumentChange& change) override {
    Timed([&] { observer_->OnDocument(change); });
  }
  void OnPublish() override {
    Timed([&] { observer_->OnPublish(); });
  }
  void OnDiscard() override {
    Timed([&] { observer_->OnDiscard(); });
  }
  template <typename Work>
  void Timed(Work work) {
    const Stopwatch watch;
    work();
    spent_ms_ += watch.Ms();
  }

 private:
  index::PostingObserver* observer_ = nullptr;
  double spent_ms_ = 0;
};

}  // namespace freshdex::node
