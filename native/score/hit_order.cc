#include "native/score/hit_order.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

namespace freshdex::score {

using index::Column;
using index::DocId;

constexpr double kNoValue = std::numeric_limits<double>::infinity();

HitOrder::HitOrder(const index::Snapshot& snapshot, const std::vector<SortKey>& sort, const std::vector<DocId>& pinned,
                   WordOrders* word_orders) {
  for (const DocId doc : pinned) pinned_.emplace_back(doc, pinned_.size());
  std::sort(pinned_.begin(), pinned_.end());
  if (!pinned.empty()) keys_.push_back({Kind::kPinned});
  for (const SortKey& key : sort) {
    if (key.by == SortKey::By::kScore) {
      keys_.push_back({Kind::kScore, true});
      continue;
    }
    const Column& column = snapshot.columns[key.column];
    const bool is_word = column.kind() == index::ColumnKind::kKeyword;
    keys_.push_back({is_word ? Kind::kWord : Kind::kNumber, key.by == SortKey::By::kDescending, &column,
                     is_word ? word_orders->Get(column) : nullptr});
  }
}

size_t HitOrder::PinnedPlace(DocId doc) const {
  const auto at = std::ranges::lower_bound(pinned_, doc, {}, [](const auto& entry) { return entry.first; });
  return at != pinned_.end() && at->first == doc ? at->second : pinned_.size();
}

double HitOrder::Key(size_t i, DocId doc, double score) const {
  const KeySource& key = keys_[i];
  switch (key.kind) {
    case Kind::kPinned:
      return static_cast<double>(PinnedPlace(doc));
    case Kind::kScore:
      return -score;
    case Kind::kNumber: {
      const std::span<const double> values = key.column->Numbers(doc);
      if (values.empty()) return kNoValue;
      return key.is_descending ? -values.back() : values.front();
    }
    case Kind::kWord: {
      const std::span<const uint32_t> ordinals = key.column->Ordinals(doc);
      if (ordinals.empty()) return kNoValue;
      uint32_t rank = key.order->Rank(ordinals[0]);
      for (const uint32_t ordinal : ordinals.subspan(1)) {
        const uint32_t other = key.order->Rank(ordinal);
        rank = key.is_descending ? std::max(rank, other) : std::min(rank, other);
      }
      return key.is_descending ? -static_cast<double>(rank) : static_cast<double>(rank);
    }
  }
  return kNoValue;
}

CursorPoint HitOrder::PointOf(const RankedHit& hit) const {
  CursorPoint point;
  point.document = hit.doc;
  for (size_t i = 0; i < keys_.size(); ++i) {
    const KeySource& key = keys_[i];
    if (key.kind == Kind::kPinned) continue;
    ColumnValue& value = point.values.emplace_back();
    if (hit.keys[i] == kNoValue) continue;
    const double number = key.is_descending ? -hit.keys[i] : hit.keys[i];
    if (key.kind == Kind::kWord) {
      value = std::string(key.column->Word(key.order->OrdinalAt(static_cast<uint32_t>(number))));
    } else {
      value = number;
    }
  }
  return point;
}

RankedHit HitOrder::HitAt(const CursorPoint& point) const {
  RankedHit hit{};
  hit.doc = point.document;
  size_t value_at = 0;
  for (size_t i = 0; i < keys_.size(); ++i) {
    const KeySource& key = keys_[i];
    if (key.kind == Kind::kPinned) {
      hit.keys[i] = static_cast<double>(PinnedPlace(point.document));
      continue;
    }
    const ColumnValue& value = point.values[value_at++];
    double number = kNoValue;
    if (const double* given = std::get_if<double>(&value)) number = *given;
    if (const std::string* word = std::get_if<std::string>(&value)) number = key.order->RankOf(*key.column, *word);
    hit.keys[i] = number != kNoValue && key.is_descending ? -number : number;
  }
  return hit;
}

}  // namespace freshdex::score
