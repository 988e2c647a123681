#include "native/score/any_search.h"

#include <algorithm>

namespace freshdex::score {

using index::DocId;
using index::PostingBlocks;

AnySearch::AnySearch(const LeafList& leaves, DocId doc_limit, uint64_t count_up_to, const DocumentSet* passing,
                     BestHits* best, SearchBudget* budget)
    : doc_limit_(doc_limit),
      count_up_to_(count_up_to),
      passing_(passing),
      best_(*best),
      budget_(*budget),
      candidates_(leaves.size()) {
  uint64_t at_least = 0;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (budget_.Spend(leaves[i]->count())) leaves[i]->MakeBounds();
    seats_.push_back({leaves[i].get(), i});
    at_least = std::max<uint64_t>(at_least, leaves[i]->df());
  }
  // What one leaf alone has already is not worth counting.
  is_counting_ = passing || at_least <= count_up_to;
  matches_ = is_counting_ ? 0 : count_up_to + 1;
}

void AnySearch::Run() {
  const uint64_t cost = kWindow / 4 * seats_.size();
  for (uint64_t begin = 0; begin < doc_limit_ && budget_.Spend(cost); begin += kWindow) {
    begin_ = static_cast<DocId>(begin);
    end_ = static_cast<DocId>(std::min<uint64_t>(begin + kWindow, doc_limit_));
    SearchWindow();
    is_counting_ = is_counting_ && matches_ <= count_up_to_;
  }
}

void AnySearch::SearchWindow() {
  if (passing_ && passing_->NextFrom(begin_) >= end_) return;
  for (Seat& seat : seats_) {
    seat.first = seat.block = seat.leaf->Find(begin_, seat.first);
    seat.bound = seat.leaf->BoundIn(end_, seat.first);
  }
  max_weight_ = best_.MaxWeight(begin_, end_ - 1);
  std::sort(seats_.begin(), seats_.end(), [](const Seat& a, const Seat& b) { return a.bound < b.bound; });
  float sum = 0;
  for (Seat& seat : seats_) seat.up_to = sum += seat.bound;
  const float limit = Limit();
  if (!is_counting_ && sum < limit) return;
  needed_ = 0;
  while (!is_counting_ && seats_[needed_].up_to < limit) ++needed_;
  if (needed_ + 1 == seats_.size() && !is_counting_) {
    ProposeByOne();
  } else {
    ProposeBySums();
  }
}

namespace {

// The postings of a block that are in [begin, end).
struct Range {
  size_t from;
  size_t to;
};

Range RangeOf(const LeafBlocks& leaf, size_t b, const PostingBlocks::Block& block, DocId begin, DocId end) {
  const size_t from = leaf.first_doc(b) >= begin ? 0 : SkipTo(block.docs, 0, block.count, begin);
  return {from, leaf.last_doc(b) < end ? block.count : SkipTo(block.docs, from, block.count, end)};
}

}  // namespace

void AnySearch::ProposeByOne() {
  const Seat& seat = seats_.back();
  const float limit = Limit() - BelowNeeded();
  std::vector<uint32_t>& tfs = candidates_.tfs[seat.number];
  candidates_.docs.clear();
  candidates_.sums.clear();
  tfs.clear();
  for (size_t b = seat.first; b < seat.leaf->count() && seat.leaf->first_doc(b) < end_; ++b) {
    if (seat.leaf->bound(b) < limit) continue;
    const PostingBlocks::Block& block = seat.leaf->Load(b);
    const auto [from, to] = RangeOf(*seat.leaf, b, block, begin_, end_);
    seat.leaf->Score(block.docs + from, block.tfs + from, to - from, &scores_);
    if (places_.size() < to - from) places_.resize(to - from);
    const size_t kept = AtLeast(scores_.data(), to - from, limit, places_.data());
    const size_t before = candidates_.docs.size();
    candidates_.docs.resize(before + kept);
    candidates_.sums.resize(before + kept);
    tfs.resize(before + kept);
    for (size_t i = 0; i < kept; ++i) {
      candidates_.docs[before + i] = block.docs[from + places_[i]];
      candidates_.sums[before + i] = scores_[places_[i]];
      tfs[before + i] = block.tfs[from + places_[i]];
    }
  }
  if (passing_) {
    const size_t kept =
        passing_->Keep(candidates_.docs.data(), candidates_.docs.size(), candidates_.sums.data(), tfs.data());
    candidates_.docs.resize(kept);
    candidates_.sums.resize(kept);
    tfs.resize(kept);
  }
  Complete(needed_);
}

void AnySearch::DropOthersFromSums() {
  static_assert(kWindow % DocumentSet::kBits == 0, "windows begin with a word of the set");
  const std::span<const uint64_t> words = passing_->words();
  for (size_t i = 0; i < kWindow / DocumentSet::kBits; ++i) {
    const size_t at = begin_ / DocumentSet::kBits + i;
    const uint64_t word = at < words.size() ? words[at] : 0;
    float* const sums = sums_.data() + i * DocumentSet::kBits;
    for (size_t j = 0; j < DocumentSet::kBits; ++j) sums[j] = (word >> j & 1) != 0 ? sums[j] : 0;
  }
}

void AnySearch::AddToSums(const Seat& seat, float limit) {
  // A difference of sums errs by more than a sum does.
  const float others = (seats_.back().up_to - seat.bound) * 1.0001f;
  for (size_t b = seat.first; b < seat.leaf->count() && seat.leaf->first_doc(b) < end_; ++b) {
    if (!is_counting_ && seat.leaf->bound(b) + others < limit) continue;
    const PostingBlocks::Block& block = seat.leaf->Load(b);
    const auto [from, to] = RangeOf(*seat.leaf, b, block, begin_, end_);
    seat.leaf->Score(block.docs + from, block.tfs + from, to - from, &scores_);
    for (size_t i = from; i < to; ++i) sums_[block.docs[i] - begin_] += scores_[i - from];
  }
}

void AnySearch::ProposeBySums() {
  sums_.assign(kWindow, 0);
  if (places_.size() < kWindow) places_.resize(kWindow);
  const float limit = Limit();
  for (size_t s = needed_; s < seats_.size(); ++s) AddToSums(seats_[s], limit);
  if (passing_) DropOthersFromSums();
  if (is_counting_) matches_ += CountPositive(sums_.data(), sums_.size());
  for (size_t begin = 0, chunk; begin < kWindow; begin += chunk) {
    const float least = std::max(Limit() - BelowNeeded(), kAnyScore);
    // While there is no limit yet, the first documents make one for the others.
    chunk = least > kAnyScore ? kWindow - begin : kChunk;
    const size_t kept = AtLeast(sums_.data() + begin, chunk, least, places_.data());
    if (kept == 0) continue;
    candidates_.docs.resize(kept);
    candidates_.sums.resize(kept);
    for (size_t i = 0; i < kept; ++i) {
      candidates_.docs[i] = begin_ + static_cast<DocId>(begin + places_[i]);
      candidates_.sums[i] = sums_[begin + places_[i]];
    }
    if (needed_ == 0) {
      best_.RaiseFloor(candidates_.sums.data(), kept);
      DropBelow(Limit());
    }
    // The sums are known, the frequencies of which they consist are not.
    for (size_t s = needed_; s < seats_.size(); ++s) {
      Seat& seat = seats_[s];
      seat.leaf->Lookup(candidates_.docs, &seat.block, &candidates_.tfs[seat.number], nullptr, 0);
    }
    Complete(needed_);
  }
}

void AnySearch::Complete(size_t end) {
  for (size_t s = end; s-- > 0 && !candidates_.docs.empty();) {
    Seat& seat = seats_[s];
    const float limit = Limit() - (s == 0 ? 0 : seats_[s - 1].up_to);
    std::vector<uint32_t>& tfs = candidates_.tfs[seat.number];
    seat.leaf->Lookup(candidates_.docs, &seat.block, &tfs, candidates_.sums.data(), limit);
    seat.leaf->Score(candidates_.docs.data(), tfs.data(), tfs.size(), &scores_);
    for (size_t i = 0; i < tfs.size(); ++i) candidates_.sums[i] += scores_[i];
    DropBelow(limit);
  }
  best_.Offer(candidates_, candidates_.docs.size(), max_weight_);
}

void AnySearch::DropBelow(float limit) {
  const size_t count = candidates_.docs.size();
  if (places_.size() < count) places_.resize(count);
  const size_t kept = AtLeast(candidates_.sums.data(), count, limit, places_.data());
  if (kept == count) return;
  const auto keep = [&](auto* column) {
    if (column->size() != count) return;  // not looked up yet
    for (size_t i = 0; i < kept; ++i) (*column)[i] = (*column)[places_[i]];
    column->resize(kept);
  };
  keep(&candidates_.docs);
  keep(&candidates_.sums);
  for (auto& column : candidates_.tfs) keep(&column);
}

}  // namespace freshdex::score
