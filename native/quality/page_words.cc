#include "native/quality/page_words.h"

#include <algorithm>

namespace freshdex::quality {

using index::ForwardView;
using index::TermId;

PageWords::PageWords(const Epoch& epoch, const WorkloadTerms& terms)
    : epoch_(epoch), terms_(terms), states_(epoch.workload().words(), 0), scores_(epoch.workload().words()) {}

// Also makes room for terms that are new.
void PageWords::Clear() {
  for (Place place : touched_) counts_[place] = Counts();
  for (WordNumber word : present_) states_[word] = 0;
  touched_.clear();
  present_.clear();
  changed_.clear();
  counts_.resize(terms_.places());
}

void PageWords::SetContext(std::span<const uint8_t> norms_before, std::span<const uint8_t> norms_after, double weight_before,
                           double weight_after) {
  norms_before_ = norms_before;
  norms_after_ = norms_after;
  weight_before_ = weight_before;
  weight_after_ = weight_after;
}

// For the first count of a place.
uint8_t& PageWords::Touch(Place place) {
  touched_.push_back(place);
  const WordNumber word = terms_.WordAt(place);
  uint8_t& state = states_[word];
  if ((state & kPresent) == 0) {
    state |= kPresent;
    present_.push_back(word);
  }
  return state;
}

void PageWords::CountTokens(const ForwardView& record) {
  index::VisitUnits(record.units(), record.totals().units, 0, [&](TermId term, uint64_t) {
    if (!terms_.Has(term)) return;
    const Place place = terms_.PlaceOf(term);
    uint16_t& count = counts_[place].after;
    if (count == 0) Touch(place);
    if (count < index::kMaxTf) ++count;
  });
}

void PageWords::MarkChanged(WordNumber word, uint8_t* state) {
  if ((*state & kChanged) != 0) return;
  *state |= kChanged;
  changed_.push_back(word);
}

void PageWords::SetFollowed(std::span<const index::FollowedTerm> followed) {
  for (const index::FollowedTerm& term : followed) {
    if (term.before == 0 && term.after == 0) continue;
    counts_[term.place] = {term.before, term.after};
    uint8_t& state = Touch(term.place);
    if (term.before != term.after) MarkChanged(terms_.WordAt(term.place), &state);
  }
}

void PageWords::ApplyDeltas(const index::DocumentChange& change, Place first) {
  for (const index::PostingDelta& delta : change.deltas) {
    if (!terms_.Has(delta.term)) continue;
    const Place place = terms_.PlaceOf(delta.term);
    if (place < first) continue;
    // A term that the new version has was touched when it was counted.
    uint8_t& state = counts_[place].after == 0 ? Touch(place) : states_[terms_.WordAt(place)];
    MarkChanged(terms_.WordAt(place), &state);
    counts_[place] = {delta.old_tf, delta.new_tf};
  }
}

void PageWords::Load(const index::DocumentChange& change) {
  Clear();
  SetContext(change.norms_before, change.norms_after, change.weight_before, change.weight_after);
  if (change.followed && terms_.followed() > 0) {
    SetFollowed(*change.followed);
    // Words that the batch brought to the index are not followed yet.
    if (terms_.followed() < terms_.places()) ApplyDeltas(change, terms_.followed());
    return;
  }
  // A page that comes or goes has a delta for every word.
  if (change.before && change.after) {
    CountTokens(*change.after);
    for (Place place : touched_) counts_[place].before = counts_[place].after;
  }
  ApplyDeltas(change, 0);
}

void PageWords::LoadDeltas(const index::DocumentChange& change) {
  Clear();
  SetContext(change.norms_before, change.norms_after, change.weight_before, change.weight_after);
  ApplyDeltas(change, 0);
}

void PageWords::Load(const ForwardView& record, std::span<const uint8_t> norms, double weight) {
  Clear();
  SetContext({}, norms, 0, weight);
  CountTokens(record);
}

uint8_t PageWords::ScoreWord(WordNumber word) {
  uint8_t& state = states_[word];
  state |= kScored;
  WordScores sums{0, 0};
  for (size_t field = 0; field < epoch_.fields(); ++field) {
    const Epoch::Slot slot = epoch_.SlotOf(word, field);
    const Place place = terms_.PlaceOfSlot(slot);
    if (place == WorkloadTerms::kNoPlace) continue;
    const Counts& counts = counts_[place];
    double part = 0;
    if (counts.before > 0) {
      state |= kBefore;
      part = epoch_.Score(slot, field, counts.before, norms_before_[field]);
      sums.before += part;
    }
    if (counts.after > 0) {
      state |= kAfter;
      // Most words of most pages are as they were.
      const bool is_same = counts.after == counts.before && norms_after_[field] == norms_before_[field];
      sums.after += is_same ? part : epoch_.Score(slot, field, counts.after, norms_after_[field]);
    }
  }
  scores_[word] = sums;
  return state;
}

PageWords::Scores PageWords::ScoresOf(std::span<const WordNumber> query) {
  for (WordNumber word : query) {
    if ((states_[word] & kPresent) == 0) return {0, 0};
  }
  uint8_t common = kBefore | kAfter;
  double before = 0, after = 0;
  for (WordNumber word : query) {
    const uint8_t state = (states_[word] & kScored) != 0 ? states_[word] : ScoreWord(word);
    common &= state;
    before += scores_[word].before;
    after += scores_[word].after;
  }
  return {(common & kBefore) != 0 ? epoch_.Combine(before, weight_before_) : 0,
          (common & kAfter) != 0 ? epoch_.Combine(after, weight_after_) : 0};
}

}  // namespace freshdex::quality
