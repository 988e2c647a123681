// Which terms of the index are words of the workload. Asked for every token of a refreshed page, right after indexing
// has filled the caches with other things, so it is small: a bit says no, and otherwise the number of bits before it
// says which word it is.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "native/index/document_differ.h"
#include "native/index/ids.h"
#include "native/index/posting_observer.h"
#include "native/index/term_dict.h"
#include "native/quality/epoch.h"

namespace freshdex::quality {

// Terms that were looked up before: by slot, all those below `limit`.
struct FoundTerms {
  std::span<const index::TermId> terms;
  index::TermId limit = 0;
};

class WorkloadTerms {
 public:
  // A term of the workload, numbered in the order of term numbers.
  using Place = uint32_t;

  // Knows the terms below `limit`. The epoch must outlive it. `follower`, if any, counts the terms in documents as they
  // are compared.
  WorkloadTerms(const Epoch& epoch, const index::TermDict& terms, index::TermId limit, index::TermFollower* follower,
                const FoundTerms& found = {});
  ~WorkloadTerms();
  WorkloadTerms(const WorkloadTerms&) = delete;
  WorkloadTerms& operator=(const WorkloadTerms&) = delete;

  bool Has(index::TermId term) const { return term < known_ && (bits_[term / 64].members >> (term % 64) & 1) != 0; }
  // REQUIRES: Has(term).
  Place PlaceOf(index::TermId term) const {
    const Bits& bits = bits_[term / 64];
    const uint64_t below = bits.members & ((uint64_t{1} << (term % 64)) - 1);
    return bits.before + static_cast<uint32_t>(std::popcount(below));
  }
  size_t places() const { return slots_.size(); }
  Epoch::Slot SlotAt(Place place) const { return slots_[place]; }
  // The terms by slot; kNoTerm where there is no place.
  std::vector<index::TermId> TermsBySlot() const;
  // By slot, the documents that have the word in the field.
  std::vector<uint32_t> FrequenciesBySlot(const index::Snapshot& now) const;

  // The same words among terms that have other numbers by now. Strong: what throws std::bad_alloc changes nothing.
  // REQUIRES: every word that is known has a number that is no higher than before.
  void Renumber(const index::TermDict& terms, index::TermId limit);
  // Takes up terms published since. Writer's thread.
  void Extend(const index::TermDict& terms, index::TermId limit);
  // Takes up terms of the batch being prepared, as far as it has got; they have the numbers that publication will give
  // them.
  void Extend(const index::BatchTerms& terms);
  // Lets new terms be followed, each by its slot. The terms of places below followed() are.
  void FollowNew();
  Place followed() const { return followed_; }
  // Forgets terms from `limit` on: their batch was discarded.
  void Truncate(index::TermId limit);
  index::TermId known() const { return known_; }

  size_t MemoryBytes() const { return bits_.capacity() * sizeof(Bits) + (slots_.capacity() + terms_.capacity()) * 4; }

 private:
  struct Bits {
    uint64_t members = 0;
    uint32_t before = 0;  // members of all earlier entries
  };

  void UnfollowAll();
  // Terms come in the order of their numbers. `slot` is kNoSlot for a term that is no word.
  void Append(Epoch::Slot slot);
  Epoch::Slot SlotOf(index::FieldId field, std::string_view text) const;
  static constexpr Epoch::Slot kNoSlot = 0xFFFFFFFF;

  const Epoch* epoch_;
  index::TermFollower* const follower_;
  index::TermId known_ = 0;
  Place followed_ = 0;
  std::vector<Bits> bits_;
  std::vector<Epoch::Slot> slots_;    // by place
  std::vector<index::TermId> terms_;  // by place
};

}  // namespace freshdex::quality
