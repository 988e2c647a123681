// Which terms of the index are words of the workload. Asked for every token of a refreshed page: one bit says no.
#pragma once

#include <cstdint>
#include <vector>

#include "native/index/document_differ.h"
#include "native/index/ids.h"
#include "native/index/term_dict.h"
#include "native/quality/epoch.h"

namespace freshdex::quality {

class WorkloadTerms {
 public:
  // Knows the terms below `limit`. The epoch must outlive it.
  WorkloadTerms(const Epoch& epoch, const index::TermDict& terms, index::TermId limit);

  bool Has(index::TermId term) const { return term < known_ && (bits_[term / 64] >> (term % 64) & 1) != 0; }
  // REQUIRES: Has(term).
  Epoch::Slot SlotOf(index::TermId term) const { return slots_[term]; }

  // Terms published since. Writer's thread.
  void Extend(const index::TermDict& terms, index::TermId limit);
  // Terms of the batch being prepared, as far as it has got; they have the numbers that publication will give them.
  void Extend(const index::BatchTerms& terms);
  // Forgets terms from `limit` on: their batch was discarded.
  void Truncate(index::TermId limit);
  index::TermId known() const { return known_; }

  size_t MemoryBytes() const { return bits_.capacity() * 8 + slots_.capacity() * 4; }

 private:
  void Reserve(size_t limit);
  void Add(index::TermId term, index::FieldId field, std::string_view text);

  const Epoch* epoch_;
  index::TermId known_ = 0;
  std::vector<uint64_t> bits_;
  std::vector<Epoch::Slot> slots_;  // by term; anything where the bit is not set
};

}  // namespace freshdex::quality
