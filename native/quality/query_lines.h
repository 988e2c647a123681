// What measuring needs of the queries of a workload, packed for the order in which it is looked at: the words of the
// queries that share a rarest word lie side by side, and a curve is one cache line that can be fetched ahead.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "native/quality/curve_set.h"
#include "native/quality/drift.h"
#include "native/quality/epoch.h"
#include "native/quality/prepared_curve.h"
#include "native/quality/workload.h"

namespace freshdex::quality {

class QueryLines {
 public:
  // The number of a query here: in the order of rarest words, then those that are left out behind the others, then of
  // query numbers.
  using Line = uint32_t;

  static constexpr size_t kInlineWords = 4;
  struct Query {
    // The first words in the order of the query; where there are fewer, the word behind the last one of the workload.
    std::array<WordNumber, kInlineWords> words;
    QueryNumber number;
    uint32_t more_words;  // beyond `words`
  };

  // The epoch must outlive it. `is_left_out` is by query; empty: none is.
  QueryLines(const Epoch& epoch, const CurveSet& curves, std::span<const uint8_t> is_left_out = {});

  const Query& query(Line line) const { return queries_[line]; }
  const PreparedCurve& curve(Line line) const { return curves_[line]; }
  void Prefetch(Line line) const { __builtin_prefetch(&curves_[line]); }
  // Words of a query that has more than kInlineWords.
  std::span<const WordNumber> MoreWords(const Query& query) const {
    return epoch_->workload().words(query.number).subspan(kInlineWords);
  }

  // The queries whose rarest word this is: the lines from the first to the one before the second.
  struct Run {
    Line begin;
    Line end;
  };
  Run ByRarestWord(WordNumber word) const { return {rarest_begins_[word], rarest_begins_[word + 1]}; }
  // The same without those that are left out.
  Run MeasuredByRarestWord(WordNumber word) const { return {rarest_begins_[word], measured_ends_[word]}; }
  // The queries that have the word and are not left out.
  std::span<const Line> MeasuredByWord(WordNumber word) const {
    return std::span(by_word_).subspan(by_word_begins_[word], by_word_begins_[word + 1] - by_word_begins_[word]);
  }
  size_t CountByRarestWord(std::span<const WordNumber> words) const {
    size_t count = 0;
    for (WordNumber word : words) count += measured_ends_[word] - rarest_begins_[word];
    return count;
  }
  size_t CountByWord(std::span<const WordNumber> words) const {
    size_t count = 0;
    for (WordNumber word : words) count += by_word_begins_[word + 1] - by_word_begins_[word];
    return count;
  }

  // These queries have other curves now.
  void TakeCurves(const CurveSet& curves, std::span<const QueryNumber> queries);
  // By query: gains count it as the drifts say, stakes as the curves do.
  void TakeDrifts(const CurveSet& curves, std::span<const QueryDrift> drifts);

  size_t MemoryBytes() const {
    return queries_.capacity() * (sizeof(Query) + sizeof(PreparedCurve) + sizeof(Line)) +
           (rarest_begins_.capacity() + measured_ends_.capacity() + by_word_.capacity() + by_word_begins_.capacity()) *
               4;
  }

 private:
  void AddLine(QueryNumber number);

  const Epoch* epoch_;
  std::vector<Query> queries_;         // by line
  std::vector<PreparedCurve> curves_;  // by line
  std::vector<Line> lines_;            // by query number
  std::vector<Line> rarest_begins_;    // by word
  std::vector<Line> measured_ends_;    // by word: where those that are left out begin
  std::vector<uint32_t> by_word_begins_;
  std::vector<Line> by_word_;
};

}  // namespace freshdex::quality
