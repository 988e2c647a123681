// How often a page has the words of the workload, before and after a change. Reused from page to page: clearing costs what was there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/posting_observer.h"
#include "native/quality/workload_terms.h"

namespace freshdex::quality {

class PageWords {
 public:
  explicit PageWords(const Epoch& epoch) : epoch_(&epoch), counts_(epoch.slots()), words_(epoch.workload().words()) {}

  // Both versions, from the new one (or the old one, when the page is removed) and the deltas between them.
  void Load(const index::DocumentChange& change, const WorkloadTerms& terms);
  // The words of the deltas alone, for a page none of whose other words matter.
  void LoadDeltas(const index::DocumentChange& change, const WorkloadTerms& terms);
  // One version, as `after`.
  void Load(const index::ForwardView& record, std::span<const uint8_t> norms, double weight, const WorkloadTerms& terms);

  // Words that are in either version, each once.
  std::span<const WordNumber> present() const { return present_; }
  // Of these, the ones whose frequency in some field differs. Empty for one version.
  std::span<const WordNumber> changed() const { return changed_; }
  bool IsChanged(WordNumber word) const { return words_[word].is_changed; }

  struct Scores {
    float before;  // 0: does not match
    float after;
  };
  // The page's scores for a query: all its words must occur.
  Scores ScoresOf(std::span<const WordNumber> query);

  size_t MemoryBytes() const { return counts_.capacity() * sizeof(counts_[0]) + words_.capacity() * sizeof(words_[0]); }

 private:
  struct Counts {
    uint32_t before = 0;
    uint32_t after = 0;
  };
  struct WordState {
    bool is_present = false;
    bool is_changed = false;
    bool is_scored = false;
    bool is_before = false;  // it occurs
    bool is_after = false;
    double before = 0;  // what it gives to the score; set when is_scored
    double after = 0;
  };

  void Clear();
  void SetContext(std::span<const uint8_t> norms_before, std::span<const uint8_t> norms_after, double weight_before, double weight_after);
  void CountTokens(const index::ForwardView& record, const WorkloadTerms& terms, uint32_t Counts::*version);
  void ApplyDeltas(const index::DocumentChange& change, const WorkloadTerms& terms);
  WordState& Present(Epoch::Slot slot);
  void ScoreWord(WordNumber word, WordState* state) const;

  const Epoch* epoch_;
  std::vector<Counts> counts_;      // by slot
  std::vector<WordState> words_;    // by word
  std::vector<WordNumber> present_;
  std::vector<WordNumber> changed_;
  std::span<const uint8_t> norms_before_;
  std::span<const uint8_t> norms_after_;
  double weight_before_ = 0;
  double weight_after_ = 0;
};

}  // namespace freshdex::quality
