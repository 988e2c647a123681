// The values that one document has in the columns of the index, as bytes: a part of its record and of rows of the log.
//
//   for each column of the schema, up to the last that has a value:
//     varint count | values ascending, each once
//       keyword       varint bytes, then as many: UTF-8; they ascend by bytes
//       number, date  f64, finite and never -0; a date is in ms since 1970
//       boolean       u8, 0 or 1
//
// A document without any value has no bytes, so that equal values are equal bytes. Columns that the index was given
// later are behind the others: what was written before has no values there.
//
// Example, a keyword and a number: 01 04 64 6f 63 73 | 01 00 00 00 00 00 00 f0 3f  is "docs", 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshdex::index {

// On disk and in configurations: do not renumber.
enum class ColumnKind : uint8_t { kKeyword = 0, kNumber = 1, kDate = 2, kBoolean = 3 };
inline constexpr uint8_t kColumnKinds = 4;

using ColumnKinds = std::vector<ColumnKind>;  // by column

inline constexpr size_t kMaxColumns = 64;
inline constexpr size_t kMaxValuesPerDocument = 65535;  // of one column
inline constexpr size_t kMaxKeywordBytes = 65535;

// Those of one column. Keywords are in `words`, all others in `numbers`.
struct ColumnValues {
  std::vector<double> numbers;
  std::vector<std::string_view> words;
};

// Values as they come from TypeScript: for each column u32 count | values; keyword u32 bytes, UTF-8; number and date
// f64; boolean u8. In any order, and repeated. The count kKeptValues stands for the values of the column in `before`,
// and is noted in `keeps`. None when the payload is not that.
inline constexpr uint32_t kKeptValues = UINT32_MAX;
std::optional<std::string> ValuesOfPayload(std::string_view payload, const ColumnKinds& kinds, std::string_view before,
                                           bool* keeps);

// By column; columns behind those of the bytes are empty. The words are views into `bytes`. None when the bytes are not
// as described above.
std::optional<std::vector<ColumnValues>> ReadValues(std::string_view bytes, const ColumnKinds& kinds);

}  // namespace freshdex::index
