#include "native/quality/workload_terms.h"

#include <algorithm>
#include <utility>

namespace freshdex::quality {

using index::FieldId;
using index::TermId;

WorkloadTerms::WorkloadTerms(const Epoch& epoch, const index::TermDict& terms, TermId limit,
                             index::TermFollower* follower, const FoundTerms& known)
    : epoch_(&epoch), follower_(follower) {
  // Word by word, not term by term: an index has many more terms than a workload has words.
  const Workload& workload = epoch.workload();
  std::vector<std::pair<TermId, Epoch::Slot>> found;
  for (WordNumber word = 0; word < workload.words(); ++word) {
    for (size_t field = 0; field < epoch.fields(); ++field) {
      const Epoch::Slot slot = epoch.SlotOf(word, field);
      TermId term = known.terms.empty() ? index::kNoTerm : known.terms[slot];
      if (term == index::kNoTerm && known.limit < limit)
        term = terms.Find(static_cast<FieldId>(field), workload.text(word));
      if (term < limit) found.emplace_back(term, slot);
    }
  }
  std::sort(found.begin(), found.end());
  for (const auto& [term, slot] : found) {
    while (known_ < term) Append(kNoSlot);
    Append(slot);
  }
  while (known_ < limit) Append(kNoSlot);
  FollowNew();
}

WorkloadTerms::~WorkloadTerms() { UnfollowAll(); }

void WorkloadTerms::UnfollowAll() {
  for (; followed_ > 0; --followed_) follower_->Unfollow(terms_[followed_ - 1]);
}

void WorkloadTerms::Renumber(const index::TermDict& terms, TermId limit) {
  WorkloadTerms renumbered(*epoch_, terms, limit, nullptr);
  // From here on nothing takes memory: a follower has room for the numbers of before.
  UnfollowAll();
  known_ = renumbered.known_;
  bits_.swap(renumbered.bits_);
  slots_.swap(renumbered.slots_);
  terms_.swap(renumbered.terms_);
  FollowNew();
}

void WorkloadTerms::FollowNew() {
  if (follower_ == nullptr) return;
  for (; followed_ < slots_.size(); ++followed_) follower_->Follow(terms_[followed_], slots_[followed_]);
}

std::vector<TermId> WorkloadTerms::TermsBySlot() const {
  std::vector<TermId> terms(epoch_->slots(), index::kNoTerm);
  for (Place place = 0; place < terms_.size(); ++place) terms[slots_[place]] = terms_[place];
  return terms;
}

std::vector<uint32_t> WorkloadTerms::FrequenciesBySlot(const index::Snapshot& now) const {
  std::vector<uint32_t> frequencies(epoch_->slots(), 0);
  const auto end = std::lower_bound(terms_.begin(), terms_.end(), now.term_count);
  const auto dfs = now.DocumentFrequencies({terms_.begin(), end});
  for (Place place = 0; place < dfs.size(); ++place) frequencies[slots_[place]] = dfs[place];
  return frequencies;
}

void WorkloadTerms::Append(Epoch::Slot slot) {
  // Where memory ends half-way, the next call finds what there is.
  if (bits_.size() == known_ / 64) bits_.push_back({0, static_cast<uint32_t>(slots_.size())});
  if (slot != kNoSlot) {
    if (terms_.size() == terms_.capacity()) terms_.reserve(2 * terms_.size() + 8);
    slots_.push_back(slot);
    terms_.push_back(known_);
    bits_.back().members |= uint64_t{1} << (known_ % 64);
  }
  ++known_;
}

Epoch::Slot WorkloadTerms::SlotOf(FieldId field, std::string_view text) const {
  const WordNumber word = epoch_->workload().Find(text);
  return word == Workload::kNoWord ? kNoSlot : epoch_->SlotOf(word, field);
}

void WorkloadTerms::Extend(const index::TermDict& terms, TermId limit) {
  while (known_ < limit) Append(SlotOf(terms.FieldOf(known_), terms.Text(known_)));
}

void WorkloadTerms::Extend(const index::BatchTerms& terms) {
  while (known_ < terms.size()) {
    const TermId added = static_cast<TermId>(known_ - terms.published_size());
    Append(SlotOf(terms.added().FieldOf(added), terms.added().Text(added)));
  }
}

void WorkloadTerms::Truncate(TermId limit) {
  while (known_ > limit) {
    --known_;
    Bits& bits = bits_.back();
    const uint64_t bit = uint64_t{1} << (known_ % 64);
    if ((bits.members & bit) != 0) {
      bits.members &= ~bit;
      slots_.pop_back();
      terms_.pop_back();
      if (followed_ > slots_.size()) {
        --followed_;
        follower_->Unfollow(known_);
      }
    }
    if (known_ % 64 == 0) bits_.pop_back();
  }
}

}  // namespace freshdex::quality
