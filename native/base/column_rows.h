// Rows of a table that lies in memory column by column: gathered into packed rows, and put back from them. What the
// columns mean is no concern of this file; src/ledger/packed-rows.ts says where each of them goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace freshdex {

enum class ElementKind : uint8_t { kUint8, kUint16, kUint32, kFloat32, kFloat64 };

size_t ElementBytes(ElementKind kind);

// One column, and the place of its elements in a packed row.
struct RowColumn {
  ElementKind kind = ElementKind::kUint8;
  uint8_t* values = nullptr;
  size_t count = 0;    // elements in `values`
  uint32_t width = 1;  // elements a row
  uint32_t section = 0;
  uint32_t offset = 0;      // of its first element, from the begin of the row in its section
  bool is_widened = false;  // packed as one float64, whatever its kind; only of columns of one element a row
  bool is_number = false;   // no column: the number of the document itself, widened
};

// Packed rows lie in sections: in each, row after row.
struct RowSection {
  size_t begin = 0;
  size_t stride = 0;
};

// Whether all places of `rows` rows lie within `bytes` bytes.
bool AreWithin(std::span<const RowColumn> columns, std::span<const RowSection> sections, size_t rows, size_t bytes);

// Row n of `out` is that of documents[n]; one beyond the columns is all 0. REQUIRES: AreWithin. Little endian.
void GatherRows(std::span<const RowColumn> columns, std::span<const RowSection> sections,
                std::span<const uint32_t> documents, std::span<uint8_t> out);

// The other way; rows beyond the columns are passed over. REQUIRES: AreWithin, and no column is widened.
void ScatterRows(std::span<const RowColumn> columns, std::span<const RowSection> sections,
                 std::span<const uint32_t> documents, std::span<const uint8_t> from);

}  // namespace freshdex
