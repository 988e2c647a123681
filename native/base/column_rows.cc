#include "native/base/column_rows.h"

#include <bit>
#include <cassert>
#include <cstring>

namespace freshdex {
namespace {

static_assert(std::endian::native == std::endian::little, "packed rows are copied as they lie in memory");

template <typename Element>
void GatherWidened(const RowColumn& column, std::span<const uint32_t> documents, uint8_t* to, size_t stride) {
  for (const uint32_t document : documents) {
    Element value = 0;
    if (document < column.count) std::memcpy(&value, column.values + document * sizeof(Element), sizeof(Element));
    const double wide = static_cast<double>(value);
    std::memcpy(to, &wide, sizeof(wide));
    to += stride;
  }
}

void GatherNumbers(std::span<const uint32_t> documents, uint8_t* to, size_t stride) {
  for (const uint32_t document : documents) {
    const double wide = document;
    std::memcpy(to, &wide, sizeof(wide));
    to += stride;
  }
}

void GatherWidenedColumn(const RowColumn& column, std::span<const uint32_t> documents, uint8_t* to, size_t stride) {
  switch (column.kind) {
    case ElementKind::kUint8:
      return GatherWidened<uint8_t>(column, documents, to, stride);
    case ElementKind::kUint16:
      return GatherWidened<uint16_t>(column, documents, to, stride);
    case ElementKind::kUint32:
      return GatherWidened<uint32_t>(column, documents, to, stride);
    case ElementKind::kFloat32:
      return GatherWidened<float>(column, documents, to, stride);
    case ElementKind::kFloat64:
      return GatherWidened<double>(column, documents, to, stride);
  }
}

size_t PackedBytes(const RowColumn& column) {
  return column.is_widened ? sizeof(double) : column.width * ElementBytes(column.kind);
}

// How many documents the column has a place for.
size_t RowsOf(const RowColumn& column) { return column.count / column.width; }

}  // namespace

size_t ElementBytes(ElementKind kind) {
  switch (kind) {
    case ElementKind::kUint8:
      return 1;
    case ElementKind::kUint16:
      return 2;
    case ElementKind::kUint32:
    case ElementKind::kFloat32:
      return 4;
    case ElementKind::kFloat64:
      return 8;
  }
  return 0;
}

bool AreWithin(std::span<const RowColumn> columns, std::span<const RowSection> sections, size_t rows, size_t bytes) {
  for (const RowSection& section : sections) {
    if (section.begin > bytes) return false;
    if (section.stride > 0 && rows > (bytes - section.begin) / section.stride) return false;
  }
  for (const RowColumn& column : columns) {
    if (column.section >= sections.size() || column.width == 0) return false;
    if (column.is_widened && column.width != 1) return false;
    if (column.is_number && !column.is_widened) return false;
    const size_t stride = sections[column.section].stride;
    if (column.offset > stride || PackedBytes(column) > stride - column.offset) return false;
  }
  return true;
}

void GatherRows(std::span<const RowColumn> columns, std::span<const RowSection> sections,
                std::span<const uint32_t> documents, std::span<uint8_t> out) {
  assert(AreWithin(columns, sections, documents.size(), out.size()));
  for (const RowColumn& column : columns) {
    const auto [begin, stride] = sections[column.section];
    uint8_t* to = out.data() + begin + column.offset;
    if (column.is_number) {
      GatherNumbers(documents, to, stride);
      continue;
    }
    if (column.is_widened) {
      GatherWidenedColumn(column, documents, to, stride);
      continue;
    }
    const size_t length = PackedBytes(column);
    const size_t rows = RowsOf(column);
    for (const uint32_t document : documents) {
      if (document < rows) {
        std::memcpy(to, column.values + document * length, length);
      } else {
        std::memset(to, 0, length);
      }
      to += stride;
    }
  }
}

void ScatterRows(std::span<const RowColumn> columns, std::span<const RowSection> sections,
                 std::span<const uint32_t> documents, std::span<const uint8_t> from) {
  assert(AreWithin(columns, sections, documents.size(), from.size()));
  for (const RowColumn& column : columns) {
    assert(!column.is_widened);
    const auto [begin, stride] = sections[column.section];
    const uint8_t* row = from.data() + begin + column.offset;
    const size_t length = PackedBytes(column);
    const size_t rows = RowsOf(column);
    for (const uint32_t document : documents) {
      if (document < rows) std::memcpy(column.values + document * length, row, length);
      row += stride;
    }
  }
}

}  // namespace freshdex
