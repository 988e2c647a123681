// The words of keyword columns in order of their bytes, by which hits are sorted. An order is kept as long as no word
// is added: making one takes longer than most searches.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "native/index/column.h"

namespace freshdex::score {

class WordOrder {
 public:
  explicit WordOrder(const index::Column& column);

  // The place of a word among all words, from 0.
  uint32_t Rank(uint32_t ordinal) const { return ranks_[ordinal]; }
  uint32_t OrdinalAt(uint32_t rank) const { return ordinals_[rank]; }
  // The same for any word: one that is not there stands half-way between its neighbours.
  double RankOf(const index::Column& column, std::string_view word) const;

 private:
  std::vector<uint32_t> ranks_;     // by ordinal
  std::vector<uint32_t> ordinals_;  // by rank
};

// Belongs to one thread.
class WordOrders {
 public:
  // REQUIRES: a keyword column.
  std::shared_ptr<const WordOrder> Get(const index::Column& column);
  void Clear() { kept_.clear(); }

 private:
  struct Kept {
    std::weak_ptr<const index::KeywordDict> dictionary;
    uint32_t ordinals = 0;
    std::shared_ptr<const WordOrder> order;
  };
  std::vector<Kept> kept_;
};

}  // namespace freshdex::score
