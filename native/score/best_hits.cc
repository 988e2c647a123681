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
  sums_.assign(sums, sums + count);
  const auto kth = sums_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
  std::nth_element(sums_.begin(), kth, sums_.end(), std::greater<>());
  // Page weights only add to a score.
  floor_ = std::max(floor_, scoring_.alpha * *kth * kMargin);
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

void BestHits::Offer(const Candidates& candidates, double max_weight) {
  RaiseFloor(candidates.sums.data(), candidates.docs.size());
  for (size_t i = 0; i < candidates.docs.size(); ++i) {
    if (candidates.sums[i] < Limit(max_weight)) continue;
    const DocId doc = candidates.docs[i];
    best_.Offer({doc, Combine(snapshot_, scoring_, TextScore(candidates, i), doc)});
  }
}

}  // namespace freshdex::score
