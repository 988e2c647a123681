#include "native/quality/page_words.h"

#include <algorithm>

namespace freshdex::quality {

using index::ForwardView;
using index::TermId;

PageWords::PageWords(const Epoch& epoch, const WorkloadTerms& terms)
    : epoch_(epoch), terms_(terms), states_(epoch.workload().words(), 0), scores_(epoch.workload().words()) {}

// Empties the page, and makes room for terms that are new.
void PageWords::Clear() {
  for (Place place : touched_) counts_[place] = Counts();
  for (WordNumber word : present_) states_[word] = 0;
  touched_.clear();
  present_.clear();
  changed_.clear();
  counts_.resize(terms_.places());
}

// Marks a place that gets its first count.
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

void PageWords::CountToken(Place place) {
  uint16_t& count = counts_[place].after;
  if (count == 0) Touch(place);
  if (count < index::kMaxTf) ++count;
}

void PageWords::CountTokens(const ForwardView& record) {
  index::VisitUnits(record.units(), record.totals().units, 0, [&](TermId term, uint64_t) {
    if (terms_.Has(term)) CountToken(terms_.PlaceOf(term));
  });
}

void PageWords::CollectDeltas(const index::DocumentChange& change, Place first, Collected* collected) const {
  for (const index::PostingDelta& delta : change.deltas) {
    if (!terms_.Has(delta.term)) continue;
    const Place place = terms_.PlaceOf(delta.term);
    if (place >= first) collected->counts.push_back({place, delta.old_tf, delta.new_tf});
  }
}

void PageWords::Collect(const index::DocumentChange& change, Collected* collected) {
  if (change.followed && terms_.followed() > 0) {
    const auto& [touched, kept] = *change.followed;
    for (const Count& count : touched) {
      if (count.before != 0 || count.after != 0) collected->counts.push_back(count);
    }
    collected->kept.insert(collected->kept.end(), kept.begin(), kept.end());
    // Words that the batch brought to the index are not followed yet.
    if (terms_.followed() < terms_.places()) CollectDeltas(change, terms_.followed(), collected);
    return;
  }
  std::vector<Count>& counts = collected->counts;
  const size_t first = counts.size();
  CollectDeltas(change, 0, collected);
  // A page that comes or goes has a delta for every word.
  if (!change.before || !change.after) return;
  Clear();
  CountTokens(*change.after);
  for (size_t i = first; i < counts.size(); ++i) counts_[counts[i].place].after = 0;
  for (Place place : touched_) {
    if (const uint16_t count = counts_[place].after; count > 0) counts.push_back({place, count, count});
  }
}

void PageWords::Load(std::span<const Count> counts, std::span<const Place> kept, const Context& context) {
  Clear();
  context_ = context;
  for (Place place : kept) CountToken(place);
  for (Place place : touched_) counts_[place].before = counts_[place].after;
  for (const Count& count : counts) {
    counts_[count.place] = {count.before, count.after};
    uint8_t& state = Touch(count.place);
    if (count.before == count.after || (state & kChanged) != 0) continue;
    state |= kChanged;
    changed_.push_back(terms_.WordAt(count.place));
  }
}

void PageWords::Load(const ForwardView& record, std::span<const uint8_t> norms, double weight) {
  Clear();
  context_ = {{}, norms, 0, weight};
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
      part = epoch_.Score(slot, field, counts.before, context_.norms_before[field]);
      sums.before += part;
    }
    if (counts.after > 0) {
      state |= kAfter;
      // Most words of most pages are as they were.
      const bool is_same = counts.after == counts.before && context_.norms_after[field] == context_.norms_before[field];
      sums.after += is_same ? part : epoch_.Score(slot, field, counts.after, context_.norms_after[field]);
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
  return {(common & kBefore) != 0 ? epoch_.Combine(before, context_.weight_before) : 0,
          (common & kAfter) != 0 ? epoch_.Combine(after, context_.weight_after) : 0};
}

}  // namespace freshdex::quality
