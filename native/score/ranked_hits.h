// The first k hits of an order, and hits in groups. Keys and scores of a match are made only as far as they are needed:
// most matches are behind the last hit by their first key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "native/score/hit_order.h"

namespace freshdex::score {

// A match whose keys are made when they are compared. `score_of` is called at most once.
template <typename ScoreOf>
class Candidate {
 public:
  Candidate(const HitOrder& order, index::DocId doc, ScoreOf score_of) : order_(order), score_of_(score_of) {
    hit_.doc = doc;
  }

  index::DocId doc() const { return hit_.doc; }
  bool Precedes(const RankedHit& other) {
    const std::optional<bool> is_smaller = HasSmallerKeys(other);
    return is_smaller ? *is_smaller : hit_.doc < other.doc;
  }
  bool Follows(const RankedHit& other) {
    const std::optional<bool> is_smaller = HasSmallerKeys(other);
    return is_smaller ? !*is_smaller : hit_.doc > other.doc;
  }
  const RankedHit& Whole() {
    for (size_t i = made_; i < order_.size(); ++i) Key(i);
    Score();
    return hit_;
  }

 private:
  // None where all keys are equal.
  std::optional<bool> HasSmallerKeys(const RankedHit& other) {
    for (size_t i = 0; i < order_.size(); ++i) {
      const double key = Key(i);
      if (key != other.keys[i]) return key < other.keys[i];
    }
    return std::nullopt;
  }
  double Key(size_t i) {
    for (; made_ <= i; ++made_) hit_.keys[made_] = order_.Key(made_, hit_.doc, order_.IsByScore(made_) ? Score() : 0);
    return hit_.keys[i];
  }
  double Score() {
    if (!has_score_) hit_.score = score_of_();
    has_score_ = true;
    return hit_.score;
  }

  const HitOrder& order_;
  ScoreOf score_of_;
  RankedHit hit_{};
  size_t made_ = 0;  // keys
  bool has_score_ = false;
};

class RankedHits {
 public:
  // The order must outlive the object.
  RankedHits(const HitOrder& order, size_t k) : order_(&order), k_(k) {}

  template <typename ScoreOf>
  void Offer(Candidate<ScoreOf>* candidate) {
    if (k_ == 0) return;
    const auto precedes = [this](const RankedHit& a, const RankedHit& b) { return order_->Precedes(a, b); };
    if (hits_.size() == k_) {
      if (!candidate->Precedes(hits_.front())) return;
      std::pop_heap(hits_.begin(), hits_.end(), precedes);
      hits_.back() = candidate->Whole();
    } else {
      hits_.push_back(candidate->Whole());
    }
    std::push_heap(hits_.begin(), hits_.end(), precedes);
  }

  // In order; leaves the collector empty.
  std::vector<RankedHit> Take() {
    std::sort_heap(hits_.begin(), hits_.end(),
                   [this](const RankedHit& a, const RankedHit& b) { return order_->Precedes(a, b); });
    return std::move(hits_);
  }

 private:
  const HitOrder* order_;
  size_t k_;
  std::vector<RankedHit> hits_;  // a heap with the last hit on top
};

}  // namespace freshdex::score
