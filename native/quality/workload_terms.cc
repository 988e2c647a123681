#include "native/quality/workload_terms.h"

#include <algorithm>

namespace freshdex::quality {

using index::FieldId;
using index::TermId;

WorkloadTerms::WorkloadTerms(const Epoch& epoch, const index::TermDict& terms, TermId limit) : epoch_(&epoch) {
  Reserve(limit);
  // Word by word, not term by term: an index has many more terms than a workload has words.
  const Workload& workload = epoch.workload();
  for (WordNumber word = 0; word < workload.words(); ++word) {
    for (size_t field = 0; field < epoch.fields(); ++field) {
      const TermId term = terms.Find(static_cast<FieldId>(field), workload.text(word));
      if (term < limit) Add(term, static_cast<FieldId>(field), workload.text(word));
    }
  }
  known_ = limit;
}

void WorkloadTerms::Reserve(size_t limit) {
  const size_t words = limit / 64 + 1;
  if (bits_.size() < words) bits_.resize(std::max(words, bits_.size() * 3 / 2), 0);
  if (slots_.size() < limit) slots_.resize(std::max(limit, slots_.size() * 3 / 2), 0);
}

void WorkloadTerms::Add(TermId term, FieldId field, std::string_view text) {
  const WordNumber word = epoch_->workload().Find(text);
  if (word == Workload::kNoWord) return;
  bits_[term / 64] |= uint64_t{1} << (term % 64);
  slots_[term] = epoch_->SlotOf(word, field);
}

void WorkloadTerms::Extend(const index::TermDict& terms, TermId limit) {
  Reserve(limit);
  for (; known_ < limit; ++known_) Add(known_, terms.FieldOf(known_), terms.Text(known_));
}

void WorkloadTerms::Extend(const index::BatchTerms& terms) {
  Reserve(terms.size());
  for (; known_ < terms.size(); ++known_) {
    const TermId added = static_cast<TermId>(known_ - terms.published_size());
    Add(known_, terms.added().FieldOf(added), terms.added().Text(added));
  }
}

void WorkloadTerms::Truncate(TermId limit) {
  for (; known_ > limit; --known_) bits_[(known_ - 1) / 64] &= ~(uint64_t{1} << ((known_ - 1) % 64));
}

}  // namespace freshdex::quality
