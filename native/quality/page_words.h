// How often a page has the words of the workload, before and after a change. Reused from page to page: clearing costs
// what was there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/posting_observer.h"
#include "native/quality/workload_terms.h"

namespace freshdex::quality {

class PageWords {
 public:
  using Place = WorkloadTerms::Place;

  // `terms` may grow, and must outlive this object.
  PageWords(const Epoch& epoch, const WorkloadTerms& terms);

  // A word in a field of a page; `place` is its term's.
  using Count = index::FollowedTerm;
  // Words of pages, one page after another, in no particular order. No place is in both.
  struct Collected {
    std::vector<Count> counts;  // each place of a page once
    std::vector<Place> kept;    // one for every token of a term that is as it was
    void Clear() {
      counts.clear();
      kept.clear();
    }
    size_t MemoryBytes() const { return counts.capacity() * sizeof(Count) + kept.capacity() * sizeof(Place); }
  };
  // Appends what a changed page has: it outlives the call of an observer.
  void Collect(const index::DocumentChange& change, Collected* collected);
  // The same of the deltas alone, for a page none of whose other words matter.
  void CollectDeltas(const index::DocumentChange& change, Collected* collected) const {
    CollectDeltas(change, 0, collected);
  }

  // What bears on the scores of a page besides its words. The spans must live until the next Load().
  struct Context {
    std::span<const uint8_t> norms_before;
    std::span<const uint8_t> norms_after;
    double weight_before = 0;
    double weight_after = 0;
  };
  // Loads both versions of a page.
  void Load(std::span<const Count> counts, std::span<const Place> kept, const Context& context);
  // Loads one version of a page, as `after`.
  void Load(const index::ForwardView& record, std::span<const uint8_t> norms, double weight);

  // Words that are in either version, each once.
  std::span<const WordNumber> present() const { return present_; }
  // The words of present() whose frequency in some field differs. Empty for one version.
  std::span<const WordNumber> changed() const { return changed_; }
  bool IsChanged(WordNumber word) const { return (states_[word] & kChanged) != 0; }

  struct Scores {
    float before;  // 0: does not match
    float after;
  };
  // The page's scores for a query: all its words must occur.
  Scores ScoresOf(std::span<const WordNumber> query);

  size_t MemoryBytes() const {
    return counts_.capacity() * sizeof(counts_[0]) + states_.capacity() + scores_.capacity() * sizeof(scores_[0]);
  }

 private:
  struct Counts {
    uint16_t before = 0;
    uint16_t after = 0;
  };
  struct WordScores {
    double before;
    double after;
  };
  // What is known of a word on the page (a set).
  static constexpr uint8_t kPresent = 1, kChanged = 2, kScored = 4, kBefore = 8, kAfter = 16;

  void Clear();
  void CountTokens(const index::ForwardView& record);
  void CountToken(Place place);
  // Appends the deltas of the terms at places from `first` on.
  void CollectDeltas(const index::DocumentChange& change, Place first, Collected* collected) const;
  uint8_t& Touch(Place place);
  uint8_t ScoreWord(WordNumber word);

  const Epoch& epoch_;
  const WorkloadTerms& terms_;
  std::vector<Counts> counts_;  // by place; those of `touched_` are the ones that are not 0
  std::vector<Place> touched_;
  std::vector<uint8_t> states_;     // by word
  std::vector<WordScores> scores_;  // by word; set where kScored
  std::vector<WordNumber> present_;
  std::vector<WordNumber> changed_;
  Context context_;
};

}  // namespace freshdex::quality
