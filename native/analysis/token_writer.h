// Appends tokens to a TokenList without a copy: a token is composed in the place where it will stay. While a writer is
// alive, `bytes` of its list is longer than what the tokens cover; nobody else may look at it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "native/analysis/token_list.h"

namespace freshdex::analysis {

class TokenWriter {
 public:
  // Bytes that may be read and written at room(): the longest token, in whole steps of eight bytes.
  static constexpr size_t kRoom = (kMaxTokenBytes + 7) / 8 * 8;

  // `expected_bytes` is a guess at the bytes to come; a wrong one costs time only.
  TokenWriter(TokenList* out, size_t expected_bytes) : out_(out), used_(out->bytes.size()) {
    out_->bytes.resize(used_ + expected_bytes + kRoom);
  }
  TokenWriter(const TokenWriter&) = delete;
  TokenWriter& operator=(const TokenWriter&) = delete;
  ~TokenWriter() { out_->bytes.resize(used_); }

  // Where the next token goes: kRoom writable bytes, valid until the next call of Commit.
  char* room() { return out_->bytes.data() + used_; }

  // Makes the first `length` bytes of room() a token. REQUIRES: 1 <= length <= kMaxTokenBytes.
  void Commit(size_t length, bool is_unstemmed = false) {
    const auto holes = static_cast<uint16_t>(std::min<uint32_t>(out_->trailing_holes, UINT16_MAX));
    out_->tokens.push_back({static_cast<uint32_t>(used_), static_cast<uint8_t>(length), is_unstemmed, holes});
    out_->trailing_holes = 0;
    used_ += length;
    if (out_->bytes.size() - used_ < kRoom) out_->bytes.resize(used_ + used_ / 2 + kRoom);
  }

  void AddHole() { ++out_->trailing_holes; }
  void AddCut() { ++out_->truncated; }

 private:
  TokenList* const out_;
  size_t used_;
};

}  // namespace freshdex::analysis
