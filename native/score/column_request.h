// What a search asks of the columns, as it crosses from TypeScript. Little endian; written by src/core/columns-wire.ts:
//
//   u32 bytes | filter                    (filter.h); 0 bytes: none
//   u8 sort keys | { u8 by | u16 column }...               by: 0 score (its column is 0), 1 ascending, 2 descending
//   u8 facets | { u8 kind | u16 column | then }...
//     1 values    u32 limit
//     2 ranges    u16 ranges | { f64 min | f64 max | u8 open ends }...     as in a filter
//     3 interval  u8 interval             0 year, 1 quarter, 2 month, 3 week, 4 day, 5 hour; of a date column
//   u8 boosts | { u8 kind | u16 column | then }...
//     1 decay     f64 origin | f64 half life | f64 floor
//     2 log       f64 factor
//   u8 has after | u32 document | u8 values | { u8 kind | then }...       has after 0: nothing of it follows
//     0 none, 1 number f64, 2 text { u32 bytes, UTF-8 }                    one for each sort key; without any: the
//     score
//   u8 has group | u16 column | u32 size                                   the same
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "native/score/filter.h"

namespace freshdex::score {

struct SortKey {
  enum class By : uint8_t { kScore = 0, kAscending, kDescending };
  By by = By::kScore;
  size_t column = 0;
};

enum class DateInterval : uint8_t { kYear = 0, kQuarter, kMonth, kWeek, kDay, kHour };

struct FacetRequest {
  enum class Kind : uint8_t { kValues = 1, kRanges, kInterval };
  Kind kind = Kind::kValues;
  size_t column = 0;
  uint32_t limit = 0;              // values
  std::vector<ValueRange> ranges;  // ranges
  DateInterval interval = DateInterval::kYear;
};

struct BoostFunction {
  enum class Kind : uint8_t { kDecay = 1, kLog };
  Kind kind = Kind::kDecay;
  size_t column = 0;
  double origin = 0, half_life = 1, floor = 0;  // decay
  double factor = 0;                            // log
};

// A value of a document, or none.
using ColumnValue = std::variant<std::monostate, double, std::string>;

// Where a list of hits goes on: behind the hit with these sort values, which is this document.
struct CursorPoint {
  std::vector<ColumnValue> values;  // by sort key
  index::DocId document = 0;
};

struct Grouping {
  size_t column = 0;
  uint32_t size = 1;  // the most hits of a group
};

struct ColumnRequest {
  std::string filter_wire;  // empty: no filter
  FilterNode filter;
  std::vector<SortKey> sort;  // at least one
  std::vector<FacetRequest> facets;
  std::vector<BoostFunction> boosts;
  std::optional<CursorPoint> after;
  std::optional<Grouping> group;

  // Whether no match may be ruled out by bounds of its text score.
  bool needs_all_matches() const {
    const bool is_by_score = sort.size() == 1 && sort.front().by == SortKey::By::kScore;
    return !is_by_score || !facets.empty() || !boosts.empty() || after || group;
  }
};

inline constexpr size_t kMaxSortKeys = 8;
inline constexpr size_t kMaxRanges = 1024;  // of a facet

// kMalformed for bytes that ask nothing of these columns, kQueryTooComplex beyond the limits.
Result<ColumnRequest> DecodeColumnRequest(std::string_view wire, const std::vector<index::Column>& columns);

}  // namespace freshdex::score
