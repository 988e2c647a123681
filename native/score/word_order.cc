#include "native/score/word_order.h"

#include <algorithm>

namespace freshdex::score {

WordOrder::WordOrder(const index::Column& column) {
  std::vector<std::string_view> words(column.ordinal_count());
  ordinals_.resize(words.size());
  for (uint32_t ordinal = 0; ordinal < words.size(); ++ordinal) {
    words[ordinal] = column.Word(ordinal);
    ordinals_[ordinal] = ordinal;
  }
  std::sort(ordinals_.begin(), ordinals_.end(), [&](uint32_t a, uint32_t b) { return words[a] < words[b]; });
  ranks_.resize(words.size());
  for (uint32_t rank = 0; rank < ordinals_.size(); ++rank) ranks_[ordinals_[rank]] = rank;
}

double WordOrder::RankOf(const index::Column& column, std::string_view word) const {
  const auto at = std::ranges::lower_bound(ordinals_, word, {}, [&](uint32_t ordinal) { return column.Word(ordinal); });
  const double rank = static_cast<double>(at - ordinals_.begin());
  const bool is_there = at != ordinals_.end() && column.Word(*at) == word;
  return is_there ? rank : rank - 0.5;
}

std::shared_ptr<const WordOrder> WordOrders::Get(const index::Column& column) {
  std::erase_if(kept_, [](const Kept& kept) { return kept.dictionary.expired(); });
  const std::shared_ptr<const index::KeywordDict> dictionary = column.dictionary();
  auto found = std::ranges::find_if(kept_, [&](const Kept& kept) { return kept.dictionary.lock() == dictionary; });
  if (found == kept_.end()) {
    kept_.push_back({dictionary, 0, nullptr});
    found = kept_.end() - 1;
  }
  if (!found->order || found->ordinals != column.ordinal_count()) {
    found->order = std::make_shared<const WordOrder>(column);
    found->ordinals = column.ordinal_count();
  }
  return found->order;
}

}  // namespace freshdex::score
