// Rows gathered from columns and put back, against a plain copy element by element.
#include "native/base/column_rows.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex {
namespace {

using test::Random;

constexpr ElementKind kKinds[] = {ElementKind::kUint8, ElementKind::kUint16, ElementKind::kUint32,
                                  ElementKind::kFloat32, ElementKind::kFloat64};

double ValueAt(const RowColumn& column, size_t at) {
  const uint8_t* from = column.values + at * ElementBytes(column.kind);
  const auto as = [&](auto value) {
    std::memcpy(&value, from, sizeof(value));
    return static_cast<double>(value);
  };
  switch (column.kind) {
    case ElementKind::kUint8:
      return as(uint8_t{});
    case ElementKind::kUint16:
      return as(uint16_t{});
    case ElementKind::kUint32:
      return as(uint32_t{});
    case ElementKind::kFloat32:
      return as(float{});
    case ElementKind::kFloat64:
      return as(double{});
  }
  return 0;
}

struct Table {
  std::vector<std::vector<uint8_t>> memory;
  std::vector<RowColumn> columns;
  std::vector<RowSection> sections;
  size_t bytes = 0;
};

// Columns of every kind in two sections; the first has widened numbers if that is wanted.
Table RandomTable(Random* random, size_t rows, size_t packed_rows, bool widens) {
  Table table;
  size_t strides[2] = {0, 0};
  for (size_t nth = 0; nth < 14; ++nth) {
    RowColumn column;
    column.kind = kKinds[nth % 5];
    column.section = nth % 2;
    column.is_widened = widens && column.section == 0;
    column.width = column.is_widened ? 1 : 1 + static_cast<uint32_t>(random->Below(4));
    column.count = rows * column.width;
    column.offset = static_cast<uint32_t>(strides[column.section]);
    strides[column.section] += column.is_widened ? 8 : column.width * ElementBytes(column.kind);
    std::vector<uint8_t>& memory = table.memory.emplace_back(column.count * ElementBytes(column.kind));
    for (uint8_t& byte : memory) byte = static_cast<uint8_t>(random->Below(64));
    table.columns.push_back(column);
  }
  for (size_t nth = 0; nth < table.columns.size(); ++nth) table.columns[nth].values = table.memory[nth].data();
  table.sections = {{0, strides[0]}, {strides[0] * packed_rows, strides[1]}};
  table.bytes = (strides[0] + strides[1]) * packed_rows;
  return table;
}

TEST(ColumnRows, AreThoseOfAPlainCopy) {
  Random random(20261118);
  for (int round = 0; round < 40; ++round) {
    const size_t rows = 1 + random.Below(20);
    std::vector<uint32_t> documents(random.Below(9));
    for (uint32_t& document : documents) document = static_cast<uint32_t>(random.Below(rows + 3));
    const bool widens = round % 2 == 0;
    Table table = RandomTable(&random, rows, documents.size(), widens);
    EXPECT(AreWithin(table.columns, table.sections, documents.size(), table.bytes));
    std::vector<uint8_t> packed(table.bytes, 0xAA);
    GatherRows(table.columns, table.sections, documents, packed);
    for (const RowColumn& column : table.columns) {
      const RowSection& section = table.sections[column.section];
      const size_t size = ElementBytes(column.kind);
      for (size_t row = 0; row < documents.size(); ++row) {
        const uint8_t* at = packed.data() + section.begin + row * section.stride + column.offset;
        for (size_t nth = 0; nth < column.width; ++nth) {
          const bool is_there = documents[row] < rows;
          const size_t element = documents[row] * column.width + nth;
          if (column.is_widened) {
            double value = -1;
            std::memcpy(&value, at, sizeof(value));
            EXPECT_EQ(value, is_there ? ValueAt(column, element) : 0.0);
          } else {
            const std::vector<uint8_t> zeros(size, 0);
            const uint8_t* expected = is_there ? column.values + element * size : zeros.data();
            EXPECT(std::equal(expected, expected + size, at + nth * size));
          }
        }
      }
    }
  }
}

TEST(ColumnRows, ArePutBackAsTheyWere) {
  Random random(4711);
  for (int round = 0; round < 40; ++round) {
    const size_t rows = 1 + random.Below(20);
    std::vector<uint32_t> documents(random.Below(9));
    for (uint32_t& document : documents) document = static_cast<uint32_t>(random.Below(rows + 3));
    Table table = RandomTable(&random, rows, documents.size(), false);
    std::vector<uint8_t> packed(table.bytes);
    GatherRows(table.columns, table.sections, documents, packed);
    const auto before = table.memory;
    for (const RowColumn& column : table.columns) {
      for (const uint32_t document : documents) {
        const size_t bytes = column.width * ElementBytes(column.kind);
        if (document < rows) std::memset(column.values + document * bytes, 0xEE, bytes);
      }
    }
    ScatterRows(table.columns, table.sections, documents, packed);
    EXPECT(table.memory == before);
  }
}

TEST(ColumnRows, RefusePlacesOutside) {
  std::vector<uint8_t> memory(8);
  RowColumn column;
  column.values = memory.data();
  column.count = 8;
  const std::vector<RowSection> sections = {{4, 10}};
  const auto fits = [&](const RowColumn& one, size_t rows, size_t bytes) {
    return AreWithin(std::vector<RowColumn>{one}, sections, rows, bytes);
  };
  EXPECT(fits(column, 3, 34));
  EXPECT(!fits(column, 3, 33));
  EXPECT(!fits(column, 1, 3));
  EXPECT(!fits(column, SIZE_MAX, SIZE_MAX));
  RowColumn other = column;
  other.section = 1;
  EXPECT(!fits(other, 1, 34));
  other = column;
  other.offset = 9;
  EXPECT(fits(other, 1, 34));
  other.width = 2;
  EXPECT(!fits(other, 1, 34));
  other.width = 0;
  EXPECT(!fits(other, 1, 34));
  other = column;
  other.is_widened = true;
  other.offset = 2;
  EXPECT(fits(other, 1, 34));
  other.offset = 3;
  EXPECT(!fits(other, 1, 34));
  other.offset = UINT32_MAX;
  EXPECT(!fits(other, 1, 34));
}

}  // namespace
}  // namespace freshdex
