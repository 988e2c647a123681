// Hits in groups by the value of a column: of several values by the smallest, of words by the first by its bytes.
// Documents without a value are a group, too.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "native/score/column_request.h"
#include "native/score/ranked_hits.h"

namespace freshdex::score {

struct HitGroup {
  ColumnValue value;
  std::vector<RankedHit> hits;  // in order; at least one
};

class HitGroups {
 public:
  // The snapshot and the order must outlive the object.
  HitGroups(const index::Snapshot& snapshot, const Grouping& grouping, const HitOrder& order)
      : column_(snapshot.columns[grouping.column]), size_(grouping.size), order_(order) {
    if (is_keyword()) by_ordinal_.resize(column_.ordinal_count(), kNone);
  }

  template <typename ScoreOf>
  void Offer(Candidate<ScoreOf>* candidate) {
    groups_[GroupOf(candidate->doc())].hits.Offer(candidate);
  }

  // The groups in order of their first hits: those whose first hit comes after `after`, without the first `offset` of
  // them, at most `limit`. Leaves the collector empty.
  std::vector<HitGroup> Take(const RankedHit* after, size_t offset, size_t limit);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Growing {
    ColumnValue value;
    RankedHits hits;
  };

  bool is_keyword() const { return column_.kind() == index::ColumnKind::kKeyword; }
  size_t GroupOf(index::DocId doc);
  size_t Find(uint32_t* known, ColumnValue value);

  const index::Column& column_;
  const size_t size_;
  const HitOrder& order_;
  std::vector<Growing> groups_;
  // Numbers of groups.
  uint32_t without_value_ = kNone;
  std::vector<uint32_t> by_ordinal_;
  std::unordered_map<double, uint32_t> by_number_;
};

}  // namespace freshdex::score
