// Clocks for what writing and measuring take. The core below reads no clock.
#pragma once

#include <chrono>
#include <ctime>

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

// The CPU time that the calling thread has had, in microseconds. Reading it is a call of the system, about a third of a
// microsecond.
inline double ThreadCpuUs() {
  timespec spent{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) * 1e6 + static_cast<double>(spent.tv_nsec) / 1e3;
}

// The CPU time of a job. The clock of the thread is too slow to be read for every document, so that a part of the job
// is timed by the wall and has the same share of the CPU time as of the time.
class JobClock {
 public:
  double Us() const { return ThreadCpuUs() - start_us_; }
  // The same, and begins anew.
  double Lap() {
    const double now_us = ThreadCpuUs();
    const double spent_us = now_us - start_us_;
    start_us_ = now_us;
    wall_ = Stopwatch();
    return spent_us;
  }
  // The CPU time until now, and how much of it took `part_ms` of the time. At most all of it. Begins anew.
  struct Split {
    double rest_us;
    double part_us;
  };
  Split SplitOff(double part_ms) {
    const double all_ms = wall_.Ms(), all_us = Lap();
    const double share = all_ms > part_ms ? part_ms / all_ms : (part_ms > 0 ? 1.0 : 0.0);
    return {all_us * (1 - share), all_us * share};
  }

 private:
  double start_us_ = ThreadCpuUs();
  Stopwatch wall_;
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
  void OnRenumber(const index::Snapshot& now) override {
    Timed([&] { observer_->OnRenumber(now); });
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
