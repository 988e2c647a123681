#include "native/quality/page_words.h"

#include <algorithm>

namespace freshdex::quality {

using index::ForwardView;
using index::TermId;

void PageWords::Clear() {
  for (WordNumber word : present_) {
    words_[word] = WordState();
    for (size_t field = 0; field < epoch_->fields(); ++field) counts_[epoch_->SlotOf(word, field)] = Counts();
  }
  present_.clear();
  changed_.clear();
}

void PageWords::SetContext(std::span<const uint8_t> norms_before, std::span<const uint8_t> norms_after, double weight_before,
                           double weight_after) {
  norms_before_ = norms_before;
  norms_after_ = norms_after;
  weight_before_ = weight_before;
  weight_after_ = weight_after;
}

PageWords::WordState& PageWords::Present(Epoch::Slot slot) {
  const WordNumber word = static_cast<WordNumber>(slot / epoch_->fields());
  WordState& state = words_[word];
  if (!state.is_present) {
    state.is_present = true;
    present_.push_back(word);
  }
  return state;
}

void PageWords::CountTokens(const ForwardView& record, const WorkloadTerms& terms, uint32_t Counts::*version) {
  index::VisitUnits(record.units(), record.totals().units, 0, [&](TermId term, uint64_t) {
    if (!terms.Has(term)) return;
    const Epoch::Slot slot = terms.SlotOf(term);
    if ((counts_[slot].*version)++ == 0) Present(slot);
  });
  for (WordNumber word : present_) {
    for (size_t field = 0; field < epoch_->fields(); ++field) {
      uint32_t& count = counts_[epoch_->SlotOf(word, field)].*version;
      count = std::min(count, index::kMaxTf);
    }
  }
}

void PageWords::ApplyDeltas(const index::DocumentChange& change, const WorkloadTerms& terms) {
  for (const index::PostingDelta& delta : change.deltas) {
    if (!terms.Has(delta.term)) continue;
    const Epoch::Slot slot = terms.SlotOf(delta.term);
    WordState& state = Present(slot);
    if (!state.is_changed) {
      state.is_changed = true;
      changed_.push_back(static_cast<WordNumber>(slot / epoch_->fields()));
    }
    counts_[slot] = {delta.old_tf, delta.new_tf};
  }
}

void PageWords::Load(const index::DocumentChange& change, const WorkloadTerms& terms) {
  Clear();
  SetContext(change.norms_before, change.norms_after, change.weight_before, change.weight_after);
  // A page that comes or goes has a delta for every word.
  if (change.before && change.after) {
    CountTokens(*change.after, terms, &Counts::after);
    for (WordNumber word : present_) {
      for (size_t field = 0; field < epoch_->fields(); ++field) {
        Counts& counts = counts_[epoch_->SlotOf(word, field)];
        counts.before = counts.after;
      }
    }
  }
  ApplyDeltas(change, terms);
}

void PageWords::LoadDeltas(const index::DocumentChange& change, const WorkloadTerms& terms) {
  Clear();
  SetContext(change.norms_before, change.norms_after, change.weight_before, change.weight_after);
  ApplyDeltas(change, terms);
}

void PageWords::Load(const ForwardView& record, std::span<const uint8_t> norms, double weight, const WorkloadTerms& terms) {
  Clear();
  SetContext({}, norms, 0, weight);
  CountTokens(record, terms, &Counts::after);
}

void PageWords::ScoreWord(WordNumber word, WordState* state) const {
  state->is_scored = true;
  for (size_t field = 0; field < epoch_->fields(); ++field) {
    const Epoch::Slot slot = epoch_->SlotOf(word, field);
    const Counts& counts = counts_[slot];
    if (counts.before > 0) {
      state->is_before = true;
      state->before += epoch_->Score(slot, field, counts.before, norms_before_[field]);
    }
    if (counts.after > 0) {
      state->is_after = true;
      state->after += epoch_->Score(slot, field, counts.after, norms_after_[field]);
    }
  }
}

PageWords::Scores PageWords::ScoresOf(std::span<const WordNumber> query) {
  for (WordNumber word : query) {
    if (!words_[word].is_present) return {0, 0};
  }
  bool is_before = true, is_after = true;
  double before = 0, after = 0;
  for (WordNumber word : query) {
    WordState& state = words_[word];
    if (!state.is_scored) ScoreWord(word, &state);
    is_before = is_before && state.is_before;
    is_after = is_after && state.is_after;
    before += state.before;
    after += state.after;
  }
  return {is_before ? epoch_->Combine(before, weight_before_) : 0, is_after ? epoch_->Combine(after, weight_after_) : 0};
}

}  // namespace freshdex::quality
