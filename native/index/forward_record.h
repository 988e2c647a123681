// The forward record of a document: per field, the hashes of its text chunks and its term numbers in order. It is what
// a new version is compared with, what phrases are checked in, and from what all postings can be rebuilt.
//
// Bytes, little endian (F fields, C chunks, B bytes of codes):
//
//   OFFSET   SIZE   MEANING
//   0        8      hash of the document's indexed text
//   8        4      number of distinct terms
//   12       4      F
//   16       12*F   per field: u32 tokens (holes not counted), u32 chunks, u32 bytes of codes
//   ...      8*C    chunk hashes, field by field
//   ...      4*C    bytes of codes of each chunk
//   ...      B      codes of the terms and holes, chunk by chunk: term_codes.h
//
// No code runs over the end of its chunk.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/ids.h"
#include "native/index/term_codes.h"

namespace freshdex::index {

struct FieldExtent {
  uint32_t tokens = 0;
  uint32_t chunks = 0;
  uint32_t code_bytes = 0;
};

// A reading view of a record's bytes; it does not own them.
class ForwardView {
 public:
  explicit ForwardView(std::string_view bytes) : bytes_(bytes) {}

  // True when every length inside agrees with the bytes and all codes are whole. All other members, and visits of the
  // codes, REQUIRE it; records made by ForwardBuilder are.
  bool IsWellFormed() const {
    return HasSoundTokens([](TermId, FieldId) { return true; });
  }
  // The same, and is_term(term, field) holds for every token: what must be known of bytes from disk before anything is
  // built on them.
  template <typename IsTerm>
  bool HasSoundTokens(IsTerm is_term) const;
  // The part of it that takes no look at the codes: enough for bytes whose checksum is right.
  bool HasSoundLengths() const;

  std::string_view bytes() const { return bytes_; }
  uint64_t text_hash() const { return LoadUnaligned<uint64_t>(bytes_.data()); }
  uint32_t distinct_terms() const { return LoadUnaligned<uint32_t>(bytes_.data() + 8); }
  uint32_t fields() const { return LoadUnaligned<uint32_t>(bytes_.data() + 12); }
  FieldExtent extent(size_t field) const {
    assert(field < fields());
    return LoadUnaligned<FieldExtent>(bytes_.data() + kHeaderBytes + field * sizeof(FieldExtent));
  }
  FieldExtent totals() const;

  // Arrays of the whole record; element i of chunk arrays is at `+ 8 * i` and `+ 4 * i` bytes.
  const char* chunk_hashes() const { return bytes_.data() + kHeaderBytes + fields() * sizeof(FieldExtent); }
  const char* chunk_sizes() const { return chunk_hashes() + 8ull * totals().chunks; }
  // Of all fields, one behind the other, and of one.
  std::string_view codes() const {
    const size_t bytes = totals().code_bytes;
    return bytes_.substr(bytes_.size() - bytes);
  }
  std::string_view codes(size_t field) const;

 private:
  friend class ForwardBuilder;
  static constexpr size_t kHeaderBytes = 16;

  bool HasSoundChunks() const;

  std::string_view bytes_;
};

template <typename IsTerm>
bool ForwardView::HasSoundTokens(IsTerm is_term) const {
  if (!HasSoundChunks()) return false;
  bool is_sound = true;
  for (size_t field = 0; field < fields(); ++field) {
    uint64_t tokens = 0;
    VisitSymbols(codes(field), [&](Symbol symbol) {
      if (IsHole(symbol)) return;
      ++tokens;
      is_sound = is_sound && is_term(TermOf(symbol), static_cast<FieldId>(field));
    });
    is_sound = is_sound && tokens == extent(field).tokens;
  }
  return is_sound;
}

// Collects the parts of a record, field by field and chunk by chunk. Reusable.
class ForwardBuilder {
 public:
  void Start(size_t fields);
  // Appends a chunk to `field`; fields are filled in order. REQUIRES: whole codes.
  void AddChunk(size_t field, uint64_t hash, std::string_view codes);
  void SetTokens(size_t field, uint32_t tokens) { extents_[field].tokens = tokens; }
  std::string Finish(uint64_t text_hash, uint32_t distinct_terms) const;

 private:
  std::vector<FieldExtent> extents_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> chunk_sizes_;
  std::string codes_;
};

}  // namespace freshdex::index
