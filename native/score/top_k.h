// The best k hits seen so far: highest score first, equal scores by document number. A heap with the worst kept hit on
// top.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "native/index/ids.h"

namespace freshdex::score {

struct Hit {
  index::DocId doc;
  double score;
};

// An object and no function, so that it is compiled into the heap's loops.
inline constexpr auto IsBetter = [](const Hit& a, const Hit& b) {
  return a.score != b.score ? a.score > b.score : a.doc < b.doc;
};

class TopK {
 public:
  explicit TopK(size_t k) : k_(k) {}

  // Whether it was one of the best.
  bool Offer(Hit hit) {
    if (heap_.size() < k_) {
      heap_.push_back(hit);
      std::push_heap(heap_.begin(), heap_.end(), IsBetter);
      return true;
    }
    if (k_ == 0 || !IsBetter(hit, heap_.front())) return false;
    std::pop_heap(heap_.begin(), heap_.end(), IsBetter);
    heap_.back() = hit;
    std::push_heap(heap_.begin(), heap_.end(), IsBetter);
    return true;
  }

  // Whether a hit must be better than worst() to be kept. REQUIRES, for worst(): is_full() and k > 0.
  bool is_full() const { return heap_.size() >= k_; }
  const Hit& worst() const { return heap_.front(); }

  // Best first; leaves the collector empty.
  std::vector<Hit> Take() {
    std::sort_heap(heap_.begin(), heap_.end(), IsBetter);
    return std::move(heap_);
  }

 private:
  const size_t k_;
  std::vector<Hit> heap_;
};

}  // namespace freshdex::score
