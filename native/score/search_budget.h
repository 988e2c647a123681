// How long a search may go on. The core knows no clock: the caller gives a question to be asked now and then.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace freshdex::score {

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

 private:
  // Some ten microseconds of scoring: far below any useful deadline, far above the price of reading a clock.
  static constexpr uint64_t kDocumentsBetweenLooks = 1024;

  const std::function<bool()> is_out_of_time_;
  uint64_t spent_ = 0;
  uint64_t next_look_ = 0;
  bool is_spent_ = false;
};

}  // namespace freshdex::score
