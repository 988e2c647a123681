// How often a page has the words of the workload, before and after a change. Reused from page to page: clearing costs
// what was there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/posting_observer.h"
#include "native/quality/query_lines.h"
#include "native/quality/workload_terms.h"

namespace freshdex::quality {

class PageWords {
 public:
  using Slot = Epoch::Slot;

  // `terms` may grow, and must outlive this object.
  PageWords(const Epoch& epoch, const WorkloadTerms& terms);

  // A word in a field of a page; `place` is its slot.
  using Count = index::FollowedTerm;
  // Words of pages, one page after another, in no particular order. No slot is in both.
  struct Collected {
    std::vector<Count> counts;  // each slot of a page once
    std::vector<Slot> kept;     // one for every token of a term that is as it was
    void Clear() {
      counts.clear();
      kept.clear();
    }
    size_t MemoryBytes() const { return counts.capacity() * sizeof(Count) + kept.capacity() * sizeof(Slot); }
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
  void Load(std::span<const Count> counts, std::span<const Slot> kept, const Context& context);
  // Loads one version of a page, as `after`.
  void Load(const index::ForwardView& record, std::span<const uint8_t> norms, double weight);

  // Words that are in either version, each once.
  std::span<const WordNumber> present() const { return std::span(present_).first(present_count_); }
  // The words of present() whose frequency in some field differs. Empty for one version.
  std::span<const WordNumber> changed() const { return changed_; }

  struct Scores {
    float before;  // 0: does not match
    float after;
    bool has_changed_word;
  };
  // The page's scores for a query: all its words must occur.
  Scores ScoresOf(const QueryLines& lines, const QueryLines::Query& query) {
    // A byte a word says of most queries that the page does not match.
    uint8_t common = kPresent, any = 0;
    for (WordNumber word : query.words) common &= states_[word];
    if (common == 0) return {0, 0, false};
    common = kBefore | kAfter;
    WordScores sums{0, 0};
    const auto add = [&](WordNumber word) {
      const uint8_t state = (states_[word] & kScored) != 0 ? states_[word] : ScoreWord(word);
      common &= state;
      any |= state;
      sums.before += scores_[word].before;
      sums.after += scores_[word].after;
    };
    for (WordNumber word : query.words) add(word);
    if (query.more_words > 0) [[unlikely]] {
      for (WordNumber word : lines.MoreWords(query)) {
        if ((states_[word] & kPresent) == 0) return {0, 0, false};
        add(word);
      }
    }
    return {(common & kBefore) != 0 ? epoch_.Combine(sums.before, context_.weight_before) : 0,
            (common & kAfter) != 0 ? epoch_.Combine(sums.after, context_.weight_after) : 0, (any & kChanged) != 0};
  }

  size_t MemoryBytes() const {
    return counts_.capacity() * sizeof(counts_[0]) + states_.capacity() + scores_.capacity() * sizeof(scores_[0]) +
           (touched_.capacity() + present_.capacity()) * 4;
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
  // Makes room for so many more slots that may be touched.
  void Reserve(size_t slots);
  static Slot* CountToken(Slot slot, Counts* counts, Slot* touched);
  void CountTokens(const index::ForwardView& record);
  // Appends the deltas of the terms at places from `first` on.
  void CollectDeltas(const index::DocumentChange& change, WorkloadTerms::Place first, Collected* collected) const;
  WordNumber WordOf(Slot slot) const { return is_shifted_ ? slot >> field_bits_ : slot / fields_; }
  void ListWords();
  uint8_t ScoreWord(WordNumber word);

  const Epoch& epoch_;
  const WorkloadTerms& terms_;
  const uint32_t fields_;
  const int field_bits_;
  const bool is_shifted_;       // the number of fields is 2^field_bits_: no need to divide
  std::vector<Counts> counts_;  // by slot; those of `touched_` are the ones that are not 0
  std::vector<Slot> touched_;   // longer than what it holds
  size_t touched_count_ = 0;
  std::vector<uint8_t> states_;      // by word, and one more that every page has and that adds nothing
  std::vector<WordScores> scores_;   // by word; set where kScored
  std::vector<WordNumber> present_;  // longer than what it holds
  size_t present_count_ = 0;
  std::vector<WordNumber> changed_;
  Context context_;
};

}  // namespace freshdex::quality
