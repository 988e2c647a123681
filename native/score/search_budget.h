// How long a call may go on: the one thing that every part of a search asks, from the plan over expansions and matches
// to explanations and marks. The core knows no clock: the caller gives a question to be asked now and then.
//
// Once it is spent, matchers have no documents any more, and what is half done is left out: an answer then covers only
// what was finished before, and is partial.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace freshdex::score {

// Looking up in how many documents a term is costs about as much as scoring this many documents.
inline constexpr uint64_t kFrequencyCost = 8;

class SearchBudget {
 public:
  // An empty function stands for no limit.
  explicit SearchBudget(std::function<bool()> is_out_of_time) : is_out_of_time_(std::move(is_out_of_time)) {}

  // Notes work worth about `documents` scored documents; false when the search must stop.
  bool Spend(uint64_t documents) {
    if (!is_out_of_time_) return true;
    spent_ += documents;
    if (spent_ >= next_look_) {
      next_look_ = spent_ + kDocumentsBetweenLooks;
      is_spent_ = is_spent_ || is_out_of_time_();
    }
    return !is_spent_;
  }
  bool is_spent() const { return is_spent_; }
  // The work noted so far; 0 without a limit.
  uint64_t spent() const { return spent_; }

 private:
  // Some ten microseconds of scoring: far below any useful deadline, far above the price of reading a clock.
  static constexpr uint64_t kDocumentsBetweenLooks = 1024;

  const std::function<bool()> is_out_of_time_;
  uint64_t spent_ = 0;
  uint64_t next_look_ = 0;
  bool is_spent_ = false;
};

}  // namespace freshdex::score
