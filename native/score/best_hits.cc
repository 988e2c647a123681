#include "native/score/best_hits.h"

namespace freshdex::score {

using index::DocId;

double BestHits::MaxWeight(DocId first, DocId last) const {
  if (scoring_.beta == 0) return 0;
  double weight = 0;
  const size_t end = std::min<size_t>(last / index::Snapshot::kDocsPerMaxWeight + 1, snapshot_.max_weights.size());
  for (size_t at = first / index::Snapshot::kDocsPerMaxWeight; at < end; ++at)
    weight = std::max(weight, snapshot_.max_weights[at]);
  return weight;
}

void BestHits::RaiseFloor(const float* sums, size_t count) {
  if (best_.is_full() || count < k_) return;
  // Of many sums, the largest of each of a few groups: the k-th of these is nearly as large and found sooner.
  const size_t groups = 4 * k_;
  if (count >= 2 * groups) {
    sums_.assign(sums, sums + groups);
    for (size_t begin = groups; begin < count; begin += groups) {
      const size_t end = std::min(groups, count - begin);
      for (size_t i = 0; i < end; ++i) sums_[i] = sums[begin + i] > sums_[i] ? sums[begin + i] : sums_[i];
    }
  } else {
    sums_.assign(sums, sums + count);
  }
  const auto kth = sums_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
  std::nth_element(sums_.begin(), kth, sums_.end(), std::greater<>());
  // Page weights only add to a score.
  floor_ = std::max(floor_, scoring_.alpha * *kth * kMargin);
  limit_ = LimitFor(max_weight_);
}

// The order of summing is that of docs/search-model.md: fields of a token, tokens of a word, words.
double BestHits::TextScore(const Candidates& candidates, size_t at) const {
  double sum = 0, of_word = 0, of_token = 0;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const uint32_t tf = candidates.tfs[i][at];
    if (tf > 0) of_token += leaves_[i]->Exact(tf, candidates.docs[at]);
    const bool is_last = i + 1 == leaves_.size();
    if (!is_last && leaves_[i + 1]->token() == leaves_[i]->token()) continue;
    of_word += of_token;
    of_token = 0;
    if (!is_last && leaves_[i + 1]->word() == leaves_[i]->word()) continue;
    sum += of_word;
    of_word = 0;
  }
  return sum;
}

void BestHits::Offer(const Candidates& candidates, size_t count, double max_weight) {
  RaiseFloor(candidates.sums.data(), count);
  for (size_t i = 0; i < count; ++i) {
    if (candidates.sums[i] < Limit(max_weight)) continue;
    const DocId doc = candidates.docs[i];
    OfferScore(doc, TextScore(candidates, i));
  }
}

}  // namespace freshdex::score
