// A filter as it crosses from TypeScript: a tree in prefix order, little endian. Written by src/core/columns-wire.ts.
//
//   u8 kind, then
//   1 and, 2 or      u16 children | children...      and of none: all documents; or of none: no document
//   3 not            child
//   4 any, 5 all     u16 column | u32 values | values: of a keyword column { u32 bytes, UTF-8 }, of others f64
//   6 range          u16 column | f64 min | f64 max | u8 open ends: 1 min itself is outside, 2 max is
//   7 exists         u16 column
//
// `any`: one of the document's values is in the list; `all`: all values of the list are values of the document, which
// has one; range: one of its values lies in it; exists: it has a value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bytes.h"
#include "native/base/status.h"
#include "native/index/snapshot.h"

namespace freshdex::score {

enum class FilterKind : uint8_t { kAnd = 1, kOr, kNot, kAny, kAll, kRange, kExists };

struct ValueRange {
  double min = 0;
  double max = 0;
  bool is_min_open = false;
  bool is_max_open = false;

  bool Has(double value) const {
    return (is_min_open ? value > min : value >= min) && (is_max_open ? value < max : value <= max);
  }
};

struct FilterNode {
  FilterKind kind = FilterKind::kAnd;
  size_t column = 0;
  std::vector<double> numbers;       // any, all of a column that is no keyword
  std::vector<std::string> words;    // any, all of a keyword column
  ValueRange range;                  // range
  std::vector<FilterNode> children;  // and, or, not
};

inline constexpr size_t kMaxFilterDepth = 64;
inline constexpr size_t kMaxFilterNodes = 4096;
inline constexpr size_t kMaxFilterValues = 1u << 20;

// kMalformed for bytes that are no filter of these columns, kQueryTooComplex beyond the limits.
Result<FilterNode> DecodeFilter(std::string_view wire, const std::vector<index::Column>& columns);

// The number of a column and a range, as filters and facets have them. False for a column that is not there, and for a
// range that is none or is of a keyword column.
bool ReadColumn(ByteReader* reader, const std::vector<index::Column>& columns, size_t* column);
bool ReadRange(ByteReader* reader, ValueRange* range);

}  // namespace freshdex::score
