// Rows of small numbers, as wide as the largest of each column needs, which may be asked for in any order: what a
// document table says of its documents (document_table.h).
//
//   u8 * kColumns   bits of each column, 0 to 32
//   ...             the rows, each beginning on a byte: its numbers one after another, the lowest bit first
//   u64             zero: a number is read by its eight bytes
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "native/base/bytes.h"

namespace freshdex::index {

template <size_t kColumns>
class EntryRows {
 public:
  using Row = std::array<uint32_t, kColumns>;

  EntryRows() = default;

  // None unless the bytes are those of so many rows.
  static std::optional<EntryRows> Of(std::string_view bytes, size_t rows) {
    if (bytes.size() < kColumns) return std::nullopt;
    EntryRows of;
    std::array<uint8_t, kColumns> bits;
    for (size_t c = 0; c < kColumns; ++c) {
      bits[c] = static_cast<uint8_t>(bytes[c]);
      if (bits[c] > 32) return std::nullopt;
    }
    of.SetBits(bits);
    if (of.row_bytes_ != 0 && rows > bytes.size() / of.row_bytes_) return std::nullopt;
    if (bytes.size() != kColumns + rows * of.row_bytes_ + sizeof(uint64_t)) return std::nullopt;
    of.rows_ = bytes.data() + kColumns;
    return of;
  }

  static std::string Pack(std::span<const Row> rows) {
    std::array<uint8_t, kColumns> bits{};
    for (const Row& row : rows) {
      for (size_t c = 0; c < kColumns; ++c) bits[c] = std::max(bits[c], static_cast<uint8_t>(std::bit_width(row[c])));
    }
    EntryRows of;
    of.SetBits(bits);
    std::string bytes(reinterpret_cast<const char*>(bits.data()), kColumns);
    bytes.resize(kColumns + rows.size() * of.row_bytes_ + sizeof(uint64_t), '\0');
    char* at = bytes.data() + kColumns;
    for (const Row& row : rows) {
      for (size_t c = 0; c < kColumns; ++c) {
        char* place = at + of.columns_[c].byte;
        const uint64_t value = LoadUnaligned<uint64_t>(place) | uint64_t{row[c]} << of.columns_[c].shift;
        std::memcpy(place, &value, sizeof(value));
      }
      at += of.row_bytes_;
    }
    return bytes;
  }

  // REQUIRES: one of the rows.
  uint32_t Get(size_t row, size_t column) const {
    const Column& of = columns_[column];
    return static_cast<uint32_t>(LoadUnaligned<uint64_t>(rows_ + row * row_bytes_ + of.byte) >> of.shift & of.mask);
  }
  void Prefetch(size_t row) const { __builtin_prefetch(rows_ + row * row_bytes_); }

 private:
  // Where the bits of a column lie in a row: a number of 32 bits and a shift of 7 are within eight bytes.
  struct Column {
    uint32_t byte = 0;
    uint32_t shift = 0;
    uint64_t mask = 0;
  };

  void SetBits(const std::array<uint8_t, kColumns>& bits) {
    uint32_t bit = 0;
    for (size_t c = 0; c < kColumns; ++c) {
      columns_[c] = {bit / 8, bit % 8, (uint64_t{1} << bits[c]) - 1};
      bit += bits[c];
    }
    row_bytes_ = (bit + 7) / 8;
  }

  std::array<Column, kColumns> columns_{};
  size_t row_bytes_ = 0;
  const char* rows_ = nullptr;
};

}  // namespace freshdex::index
