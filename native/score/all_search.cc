#include "native/score/all_search.h"

#include <algorithm>

namespace freshdex::score {

using index::DocId;
using index::PostingBlocks;

AllSearch::AllSearch(const LeafList& leaves, uint64_t count_up_to, const DocumentSet* passing, BestHits* best,
                     SearchBudget* budget)
    : count_up_to_(count_up_to), passing_(passing), best_(*best), budget_(*budget), candidates_(leaves.size()) {
  for (size_t i = 0; i < leaves.size(); ++i) seats_.push_back({leaves[i].get(), &candidates_.tfs[i]});
  std::stable_sort(seats_.begin(), seats_.end(),
                   [](const Seat& a, const Seat& b) { return a.leaf->df() < b.leaf->df(); });
}

void AllSearch::Run() {
  const LeafBlocks& lead = *seats_.front().leaf;
  const uint64_t cost = index::kBlockPostings * seats_.size();
  for (size_t b = 0; b < lead.count() && !is_exhausted_; ++b) {
    if (!budget_.Spend(cost)) return;
    const bool is_counting = matches_ <= count_up_to_;
    if (!has_bounds_ && (!is_counting || best_.has_limit())) MakeBounds();
    if (is_counting) {
      Count(b);
      continue;
    }
    const float limit = best_.Limit();
    if (lead.bound(b) + seats_.front().behind < limit) continue;
    const float rest = BoundOfOthers(lead.first_doc(b), lead.last_doc(b));
    if (lead.bound(b) + rest >= limit) Search(b, rest);
  }
}

void AllSearch::MakeBounds() {
  has_bounds_ = true;
  float behind = 0;
  for (size_t s = seats_.size(); s-- > 0;) {
    seats_[s].behind = behind;
    seats_[s].leaf->MakeBounds();
    behind += seats_[s].leaf->max_bound();
  }
}

float AllSearch::BoundOfOthers(DocId first, DocId last) {
  float sum = 0;
  for (size_t s = 1; s < seats_.size(); ++s) {
    const LeafBlocks& leaf = *seats_[s].leaf;
    seats_[s].block = leaf.Find(first, seats_[s].block);
    sum += leaf.BoundIn(last + 1, seats_[s].block);
  }
  return sum;
}

void AllSearch::Reserve(size_t count) {
  const size_t room = count + std::max(kPlaceSlack, kKeepSlack);
  if (wanted_.size() >= room) return;
  candidates_.docs.resize(room);
  candidates_.sums.resize(room);
  for (auto& column : candidates_.tfs) column.resize(room);
  norms_.resize(room);
  wanted_.resize(room);
  wanted_places_.resize(room);
  found_.resize(room);
  found_places_.resize(room);
}

void AllSearch::Count(size_t b) {
  LeafBlocks& lead = *seats_.front().leaf;
  const PostingBlocks::Block& block = lead.LoadDocs(b);
  Reserve(block.count);
  count_ = block.count;
  std::copy_n(block.docs, count_, candidates_.docs.begin());
  // Places in the block stand for the frequencies there until these are wanted.
  std::vector<uint32_t>& lead_tfs = *seats_.front().tfs;
  for (size_t i = 0; i < count_; ++i) lead_tfs[i] = static_cast<uint32_t>(i);
  if (passing_) count_ = passing_->Keep(candidates_.docs.data(), count_, lead_tfs.data());
  has_hopeless_ = false;
  float before = has_bounds_ ? lead.bound(b) : 0;
  for (size_t s = 1; s < seats_.size() && count_ > 0; ++s) {
    Join(s, before);
    if (has_bounds_) before += seats_[s].leaf->max_bound();
  }
  matches_ += count_;
  if (has_hopeless_) {
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i) {
      bool has_all = true;
      for (size_t s = 1; s < seats_.size(); ++s) has_all = has_all && (*seats_[s].tfs)[i] > 0;
      candidates_.docs[kept] = candidates_.docs[i];
      for (auto& column : candidates_.tfs) column[kept] = column[i];
      kept += has_all;
    }
    count_ = kept;
  }
  if (count_ == 0) return;
  const std::span<const uint32_t> tfs = lead.Tfs(b);
  for (size_t i = 0; i < count_; ++i) lead_tfs[i] = tfs[lead_tfs[i]];
  ScoreCandidates();
  best_.Offer(candidates_, count_);
}

size_t AllSearch::EndOfBlock(Seat* seat, size_t begin) {
  const LeafBlocks& leaf = *seat->leaf;
  const DocId* docs = candidates_.docs.data();
  seat->block = leaf.Find(docs[begin], seat->block);
  if (seat->block == leaf.count()) {
    is_exhausted_ = true;
    return 0;
  }
  const DocId last = leaf.last_doc(seat->block);
  return docs[count_ - 1] <= last ? count_ : SkipTo(docs, begin, count_, last + 1);
}

void AllSearch::Join(size_t s, float before) {
  Seat& seat = seats_[s];
  LeafBlocks& leaf = *seat.leaf;
  DocId* const docs = candidates_.docs.data();
  uint32_t* const tfs = seat.tfs->data();
  size_t kept = 0;
  for (size_t begin = 0, end; begin < count_; begin = end) {
    end = EndOfBlock(&seat, begin);
    if (end == 0) break;
    const size_t found = leaf.Match(seat.block, docs + begin, end - begin, &map_, found_.data(), found_places_.data());
    if (found == 0) continue;
    if (has_bounds_ && before + leaf.bound(seat.block) + seat.behind < best_.Limit()) {
      has_hopeless_ = true;
      std::fill_n(tfs + kept, found, 0);
    } else {
      const uint32_t* const block_tfs = leaf.Tfs(seat.block).data();
      for (size_t i = 0; i < found; ++i) tfs[kept + i] = block_tfs[found_places_[i]];
    }
    for (size_t i = 0; i < found; ++i) docs[kept + i] = docs[begin + found_[i]];
    for (size_t other = 0; other < s; ++other) {
      uint32_t* const column = seats_[other].tfs->data();
      for (size_t i = 0; i < found; ++i) column[kept + i] = column[begin + found_[i]];
    }
    kept += found;
  }
  count_ = kept;
}

// The norms of the candidates in the field of a leaf: mostly that of the leaf before.
void AllSearch::GatherNormsFor(const LeafBlocks& leaf) {
  if (gathered_ == &leaf.norms()) return;
  gathered_ = &leaf.norms();
  GatherNorms(*gathered_, candidates_.docs.data(), count_, norms_.data());
}

void AllSearch::ScoreCandidates() {
  gathered_ = nullptr;
  std::fill_n(candidates_.sums.begin(), count_, 0.0f);
  for (const Seat& seat : seats_) {
    GatherNormsFor(*seat.leaf);
    seat.leaf->Score(norms_.data(), seat.tfs->data(), count_, &scores_);
    for (size_t i = 0; i < count_; ++i) candidates_.sums[i] += scores_[i];
  }
}

void AllSearch::Search(size_t b, float rest) {
  LeafBlocks& lead = *seats_.front().leaf;
  const PostingBlocks::Block& block = lead.Load(b);
  Reserve(block.count);
  count_ = lead.KeepAtLeast(block, b, best_.Limit() - rest, candidates_.docs.data(), seats_.front().tfs->data(),
                            norms_.data(), candidates_.sums.data());
  gathered_ = &lead.norms();
  if (passing_) {
    count_ = passing_->Keep(candidates_.docs.data(), count_, seats_.front().tfs->data(), norms_.data(),
                            candidates_.sums.data());
  }
  for (size_t s = 1; s < seats_.size() && count_ > 0; ++s) Complete(s);
  if (count_ > 0) best_.Offer(candidates_, count_);
}

void AllSearch::Complete(size_t s) {
  Seat& seat = seats_[s];
  LeafBlocks& leaf = *seat.leaf;
  const float limit = best_.Limit() - seat.behind;
  DocId* const docs = candidates_.docs.data();
  float* const sums = candidates_.sums.data();
  GatherNormsFor(leaf);
  size_t kept = 0;
  for (size_t begin = 0, end; begin < count_; begin = end) {
    end = EndOfBlock(&seat, begin);
    if (end == 0) break;
    const size_t wanted =
        leaf.Liftable(seat.block, norms_.data() + begin, sums + begin, end - begin, limit, wanted_places_.data());
    if (wanted == 0) continue;
    for (size_t i = 0; i < wanted; ++i) wanted_[i] = docs[begin + wanted_places_[i]];
    const size_t found = leaf.Match(seat.block, wanted_.data(), wanted, &map_, found_.data(), found_places_.data());
    if (found == 0) continue;
    const uint32_t* const block_tfs = leaf.Tfs(seat.block).data();
    for (size_t i = 0; i < found; ++i, ++kept) {
      const size_t from = begin + wanted_places_[found_[i]];
      docs[kept] = docs[from];
      sums[kept] = sums[from];
      norms_[kept] = norms_[from];
      for (size_t other = 0; other < s; ++other) (*seats_[other].tfs)[kept] = (*seats_[other].tfs)[from];
      (*seat.tfs)[kept] = block_tfs[found_places_[i]];
    }
  }
  count_ = kept;
  leaf.Score(norms_.data(), seat.tfs->data(), count_, &scores_);
  for (size_t i = 0; i < count_; ++i) sums[i] += scores_[i];
}

}  // namespace freshdex::score
