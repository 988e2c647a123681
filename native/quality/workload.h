// The queries whose answers count, and how much each. A query is a set of words that must all occur (AND); with single
// terms, one word.
//
// Wire form, little endian, written by src/workload/measured-queries.ts:
//   u32 queries, then per query: u32 id | f64 weight | u16 words | per word: u8 bytes, bytes
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/status.h"

namespace freshdex::quality {

using QueryNumber = uint32_t;  // dense, in the order of the wire form
using WordNumber = uint32_t;   // dense, in order of first sight

inline constexpr size_t kMaxQueries = 1u << 20;
inline constexpr size_t kMaxQueryWords = 64;

class Workload {
 public:
  // Weights must be finite and above 0, every query have 1 to 64 distinct words of 1 to 255 bytes: kMalformed
  // otherwise.
  static Result<std::shared_ptr<const Workload>> Decode(std::string_view wire);

  // The same queries with other weights, by number. REQUIRES: finite and above 0.
  std::shared_ptr<const Workload> WithWeights(std::vector<double> weights) const;
  // Some of the queries, with other weights, one for each of them.
  std::shared_ptr<const Workload> Part(std::span<const QueryNumber> queries, std::vector<double> weights) const;

  size_t queries() const { return weights_.size(); }
  // The caller's name for the query.
  uint32_t id(QueryNumber query) const { return ids_[query]; }
  // The weight of the query: f_q.
  double weight(QueryNumber query) const { return weights_[query]; }
  double total_weight() const { return total_weight_; }
  // The words in the order of the query, in which scores are summed.
  std::span<const WordNumber> words(QueryNumber query) const {
    return std::span(query_words_).subspan(word_begins_[query], word_begins_[query + 1] - word_begins_[query]);
  }

  size_t words() const { return texts_.size(); }
  std::string_view text(WordNumber word) const { return texts_[word]; }
  // The number of a word; kNoWord when no query has it.
  static constexpr WordNumber kNoWord = 0xFFFFFFFF;
  WordNumber Find(std::string_view text) const;
  // Whether a query has the words of one of another workload, in the same order.
  bool HasWordsOf(QueryNumber query, const Workload& other, QueryNumber of) const;

  size_t MemoryBytes() const;

 private:
  Workload() = default;
  Workload(const Workload&) = default;
  WordNumber FindOrAdd(std::string_view text);
  // The place of the text, or the free one where it belongs. REQUIRES: the table has a free place.
  size_t PlaceOf(std::string_view text, uint32_t hash) const;
  void GrowTable();

  std::vector<uint32_t> ids_;
  std::vector<double> weights_;
  double total_weight_ = 0;
  std::vector<uint32_t> word_begins_ = {0};
  std::vector<WordNumber> query_words_;
  std::vector<std::string> texts_;
  // Words by their hashes, in open addressing: a length that is a power of 2, at least half of it free. Asked for every
  // term that is new to the index, nearly always in vain, which the first place mostly tells.
  struct Place {
    uint32_t hash = 0;
    uint32_t word_plus_1 = 0;  // 0: free
  };
  std::vector<Place> table_;
};

// Lists of queries by word, in one array.
class QueriesByWord {
 public:
  QueriesByWord() = default;
  // `words_of` gives the words under which a query is listed.
  template <typename WordsOf>
  QueriesByWord(const Workload& workload, WordsOf words_of) : begins_(workload.words() + 1, 0) {
    for (QueryNumber q = 0; q < workload.queries(); ++q) {
      for (WordNumber word : words_of(q)) ++begins_[word + 1];
    }
    for (size_t w = 0; w < workload.words(); ++w) begins_[w + 1] += begins_[w];
    queries_.resize(begins_.back());
    std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (QueryNumber q = 0; q < workload.queries(); ++q) {
      for (WordNumber word : words_of(q)) queries_[next[word]++] = q;
    }
  }

  std::span<const QueryNumber> operator[](WordNumber word) const {
    return std::span(queries_).subspan(begins_[word], begins_[word + 1] - begins_[word]);
  }
  // The length of all lists of these words together.
  size_t Count(std::span<const WordNumber> words) const {
    size_t count = 0;
    for (WordNumber word : words) count += begins_[word + 1] - begins_[word];
    return count;
  }
  size_t MemoryBytes() const { return 4 * (begins_.capacity() + queries_.capacity()); }

 private:
  std::vector<uint32_t> begins_;
  std::vector<QueryNumber> queries_;
};

}  // namespace freshdex::quality
