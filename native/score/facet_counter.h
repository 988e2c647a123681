// Counts the matches of a search by the values of a column.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/column_request.h"

namespace freshdex::score {

// Values and how many matches have each. By kind of the request:
//   values    the most frequent first, of equally frequent ones the smaller value, of words the first by its bytes
//   ranges    no values; counts in the order of the request
//   interval  beginnings of the intervals in UTC, ascending, without empty ones
struct FacetCounts {
  std::vector<ColumnValue> values;
  std::vector<uint64_t> counts;
};

class FacetCounter {
 public:
  // Both must outlive the object.
  FacetCounter(const index::Snapshot& snapshot, const FacetRequest& request);

  // A document counts once for each value, range and interval that it has.
  void Count(index::DocId doc);
  FacetCounts Take() const;

 private:
  FacetCounts TakeWords() const;
  FacetCounts TakeNumbers() const;

  const index::Column& column_;
  const FacetRequest& request_;
  const bool is_keyword_;
  std::vector<uint64_t> counts_;                    // by ordinal or by range
  std::unordered_map<double, uint64_t> by_number_;  // values, beginnings of intervals
};

// The beginning of the interval of UTC in which a time in ms since 1970 lies. Weeks begin on Monday.
double IntervalBegin(DateInterval interval, double time_ms);

}  // namespace freshdex::score
