// The order in which hits are shown, as numbers: of two hits the one whose keys are smaller, compared from the first
// on, comes before the other; of equal keys, the smaller document number.
//
//   key of                  is
//   pinned documents        the place among them; of all others, their number. Only where there are pinned ones.
//   the score               the negative score
//   a column, ascending     the smallest value, or the rank of the word that is first by its bytes
//   a column, descending    the negative of the largest
//   no value                infinity: last either way
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/column_request.h"
#include "native/score/word_order.h"

namespace freshdex::score {

struct RankedHit {
  std::array<double, kMaxSortKeys + 1> keys;
  index::DocId doc = 0;
  double score = 0;
};

class HitOrder {
 public:
  // The snapshot must outlive the object.
  HitOrder(const index::Snapshot& snapshot, const std::vector<SortKey>& sort, const std::vector<index::DocId>& pinned,
           WordOrders* word_orders);

  size_t size() const { return keys_.size(); }
  bool IsByScore(size_t i) const { return keys_[i].kind == Kind::kScore; }
  // The score is asked for where the key is by score.
  double Key(size_t i, index::DocId doc, double score) const;
  bool IsPinned(index::DocId doc) const { return PinnedPlace(doc) < pinned_.size(); }

  bool Precedes(const RankedHit& a, const RankedHit& b) const {
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (a.keys[i] != b.keys[i]) return a.keys[i] < b.keys[i];
    }
    return a.doc < b.doc;
  }

  // From hits to cursors and back.
  CursorPoint PointOf(const RankedHit& hit) const;
  RankedHit HitAt(const CursorPoint& point) const;

 private:
  enum class Kind { kPinned, kScore, kNumber, kWord };
  struct KeySource {
    Kind kind;
    bool is_descending = false;
    const index::Column* column = nullptr;
    std::shared_ptr<const WordOrder> order = nullptr;  // kWord
  };

  size_t PinnedPlace(index::DocId doc) const;

  std::vector<KeySource> keys_;
  std::vector<std::pair<index::DocId, size_t>> pinned_;  // with their places, by document
};

}  // namespace freshdex::score
