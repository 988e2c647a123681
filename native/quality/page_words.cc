#include "native/quality/page_words.h"

#include <bit>

namespace freshdex::quality {

using index::ForwardView;
using index::TermId;

PageWords::PageWords(const Epoch& epoch, const WorkloadTerms& terms)
    : epoch_(epoch),
      terms_(terms),
      fields_(static_cast<uint32_t>(epoch.fields())),
      field_bits_(std::countr_zero(fields_)),
      is_shifted_(std::has_single_bit(fields_)),
      counts_(epoch.slots()),
      states_(epoch.workload().words() + 1, 0),
      scores_(epoch.workload().words() + 1, WordScores{0, 0}) {
  states_.back() = kPresent | kScored | kBefore | kAfter;
}

void PageWords::Clear() {
  for (size_t i = 0; i < touched_count_; ++i) counts_[touched_[i]] = Counts();
  for (WordNumber word : present()) states_[word] = 0;
  touched_count_ = 0;
  present_count_ = 0;
  changed_.clear();
}

void PageWords::Reserve(size_t slots) {
  if (touched_.size() < touched_count_ + slots) touched_.resize(touched_count_ + slots);
}

// Whether a token is the first of its slot cannot be foreseen, so the slot is always written and only kept if it is.
// Returns where the next touched slot goes.
inline PageWords::Slot* PageWords::CountToken(Slot slot, Counts* counts, Slot* touched) {
  const uint32_t count = counts[slot].after;
  *touched = slot;
  counts[slot].after = static_cast<uint16_t>(count + (count < index::kMaxTf));
  return touched + (count == 0);
}

void PageWords::CountTokens(const ForwardView& record) {
  Reserve(record.totals().code_bytes);
  Slot* touched = touched_.data() + touched_count_;
  index::VisitTokens(record.codes(), 0, [&](TermId term, uint64_t) {
    if (terms_.Has(term)) touched = CountToken(terms_.SlotAt(terms_.PlaceOf(term)), counts_.data(), touched);
  });
  touched_count_ = static_cast<size_t>(touched - touched_.data());
}

// Lists the words of the touched slots.
void PageWords::ListWords() {
  if (present_.size() < touched_count_) present_.resize(touched_count_);
  WordNumber* next = present_.data();
  uint8_t* states = states_.data();
  for (const Slot* slot = touched_.data(); slot != touched_.data() + touched_count_; ++slot) {
    const WordNumber word = WordOf(*slot);
    *next = word;
    next += states[word] == 0;
    states[word] = kPresent;
  }
  present_count_ = static_cast<size_t>(next - present_.data());
}

void PageWords::CollectDeltas(const index::DocumentChange& change, WorkloadTerms::Place first,
                              Collected* collected) const {
  for (const index::PostingDelta& delta : change.deltas) {
    if (!terms_.Has(delta.term)) continue;
    const WorkloadTerms::Place place = terms_.PlaceOf(delta.term);
    if (place >= first) collected->counts.push_back({terms_.SlotAt(place), delta.old_tf, delta.new_tf});
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
  for (size_t i = 0; i < touched_count_; ++i) {
    const Slot slot = touched_[i];
    if (const uint16_t count = counts_[slot].after; count > 0) counts.push_back({slot, count, count});
  }
}

void PageWords::Load(std::span<const Count> counts, std::span<const Slot> kept, const Context& context) {
  Clear();
  context_ = context;
  Reserve(kept.size() + counts.size());
  Counts* const page = counts_.data();
  Slot* touched = touched_.data();
  for (Slot slot : kept) touched = CountToken(slot, page, touched);
  for (const Slot* slot = touched_.data(); slot != touched; ++slot) page[*slot].before = page[*slot].after;
  for (const Count& count : counts) {
    page[count.place] = {count.before, count.after};
    *touched++ = count.place;
  }
  touched_count_ = static_cast<size_t>(touched - touched_.data());
  ListWords();
  for (const Count& count : counts) {
    uint8_t& state = states_[WordOf(count.place)];
    if (count.before == count.after || (state & kChanged) != 0) continue;
    state |= kChanged;
    changed_.push_back(WordOf(count.place));
  }
}

void PageWords::Load(const ForwardView& record, std::span<const uint8_t> norms, double weight) {
  Clear();
  context_ = {{}, norms, 0, weight};
  CountTokens(record);
  ListWords();
}

uint8_t PageWords::ScoreWord(WordNumber word) {
  uint8_t state = states_[word] | kScored;
  WordScores sums{0, 0};
  const Slot first = epoch_.SlotOf(word, 0);
  for (uint32_t field = 0; field < fields_; ++field) {
    const Counts counts = counts_[first + field];
    double part = 0;
    if (counts.before > 0) {
      state |= kBefore;
      part = epoch_.Score(first + field, field, counts.before, context_.norms_before[field]);
      sums.before += part;
    }
    if (counts.after > 0) {
      state |= kAfter;
      // Most words of most pages are as they were.
      const bool is_same = counts.after == counts.before && context_.norms_after[field] == context_.norms_before[field];
      sums.after += is_same ? part : epoch_.Score(first + field, field, counts.after, context_.norms_after[field]);
    }
  }
  scores_[word] = sums;
  states_[word] = state;
  return state;
}

}  // namespace freshdex::quality
