#include "native/score/all_search.h"

#include <algorithm>

namespace freshdex::score {

using index::DocId;
using index::PostingBlocks;

AllSearch::AllSearch(const LeafList& leaves, uint64_t count_up_to, BestHits* best)
    : count_up_to_(count_up_to), best_(*best), candidates_(leaves.size()) {
  for (size_t i = 0; i < leaves.size(); ++i) seats_.push_back({leaves[i].get(), i});
  std::stable_sort(seats_.begin(), seats_.end(),
                   [](const Seat& a, const Seat& b) { return a.leaf->df() < b.leaf->df(); });
}

void AllSearch::Run() {
  const LeafBlocks& lead = *seats_.front().leaf;
  for (size_t b = 0; b < lead.count() && !is_exhausted_; ++b) {
    const bool is_counting = matches_ <= count_up_to_;
    float rest = 0;
    if (!is_counting) {
      if (!has_bounds_) MakeBounds();
      if (lead.bound(b) + others_bound_ < best_.Limit()) continue;
      rest = BoundOfOthers(lead.first_doc(b), lead.last_doc(b));
      if (lead.bound(b) + rest < best_.Limit()) continue;
    }
    Propose(b, is_counting, rest);
    for (size_t s = 1; s < seats_.size() && !candidates_.docs.empty(); ++s) Keep(s);
    if (candidates_.docs.empty()) continue;
    matches_ += candidates_.docs.size();
    OfferCandidates();
  }
}

void AllSearch::MakeBounds() {
  for (Seat& seat : seats_) {
    seat.leaf->MakeBounds();
    if (&seat != &seats_.front()) others_bound_ += seat.leaf->max_bound();
  }
  has_bounds_ = true;
}

float AllSearch::BoundOfOthers(DocId first, DocId last) const {
  float sum = 0;
  for (size_t s = 1; s < seats_.size(); ++s) {
    const LeafBlocks& leaf = *seats_[s].leaf;
    sum += leaf.BoundIn(last + 1, leaf.Find(first, seats_[s].block));
  }
  return sum;
}

void AllSearch::Propose(size_t b, bool is_counting, float rest) {
  const Seat& seat = seats_.front();
  const PostingBlocks::Block& block = seat.leaf->Load(b);
  std::vector<uint32_t>& tfs = candidates_.tfs[seat.number];
  if (is_counting) {
    candidates_.docs.assign(block.docs, block.docs + block.count);
    tfs.assign(block.tfs, block.tfs + block.count);
    return;
  }
  seat.leaf->Score(block.docs, block.tfs, block.count, &scores_);
  if (places_.size() < block.count) places_.resize(block.count);
  const size_t kept = AtLeast(scores_.data(), block.count, best_.Limit() - rest, places_.data());
  candidates_.docs.resize(kept);
  tfs.resize(kept);
  for (size_t i = 0; i < kept; ++i) {
    candidates_.docs[i] = block.docs[places_[i]];
    tfs[i] = block.tfs[places_[i]];
  }
}

void AllSearch::Keep(size_t s) {
  Seat& seat = seats_[s];
  std::vector<DocId>& docs = candidates_.docs;
  std::vector<uint32_t>& tfs = candidates_.tfs[seat.number];
  seat.leaf->Lookup(docs, &seat.block, &tfs, nullptr, 0);
  is_exhausted_ = is_exhausted_ || seat.block == seat.leaf->count();
  const size_t count = docs.size();
  if (places_.size() < count + 1) places_.resize(count + 1);
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    places_[kept] = static_cast<uint16_t>(i);
    kept += tfs[i] > 0;
  }
  const auto keep = [&](std::vector<uint32_t>* column) {
    for (size_t i = 0; i < kept; ++i) (*column)[i] = (*column)[places_[i]];
    column->resize(kept);
  };
  keep(&docs);
  for (size_t other = 0; other <= s; ++other) keep(&candidates_.tfs[seats_[other].number]);
}

void AllSearch::OfferCandidates() {
  const size_t count = candidates_.docs.size();
  candidates_.sums.assign(count, 0);
  for (const Seat& seat : seats_) {
    seat.leaf->Score(candidates_.docs.data(), candidates_.tfs[seat.number].data(), count, &scores_);
    for (size_t i = 0; i < count; ++i) candidates_.sums[i] += scores_[i];
  }
  best_.Offer(candidates_);
}

}  // namespace freshdex::score
