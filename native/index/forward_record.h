// The forward record of a document: per field, the hashes of its text chunks and its term numbers in order. It is what
// a new version is compared with, what phrases are checked in, and from what all postings can be rebuilt.
//
// Bytes, little endian (F fields, C chunks, B bytes of codes); a varint is as AppendVarint() writes it:
//
//   OFFSET   SIZE   MEANING
//   0        8      hash of the document's indexed text
//   8        ...    varints: number of distinct terms, F, and per field: tokens (holes not counted), chunks, bytes of
//                   codes
//   ...      6*C    chunk hashes, field by field
//   ...      ...    bytes of codes of each chunk: one byte, or where they are 255 and more, 255 and four bytes
//   ...      B      codes of the terms and holes, chunk by chunk: term_codes.h
//
// No code runs over the end of its chunk.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/chunker.h"
#include "native/index/ids.h"
#include "native/index/term_codes.h"

namespace freshdex::index {

struct FieldExtent {
  uint32_t tokens = 0;
  uint32_t chunks = 0;
  uint32_t code_bytes = 0;
};

// What a record says of one chunk.
struct ChunkEntry {
  uint64_t hash = 0;
  uint32_t code_bytes = 0;
};

// The chunks of a record in order, field by field. It is not asked for more than there are.
class ChunkReader {
 public:
  ChunkReader(const char* hashes, const char* sizes) : hash_(hashes), size_(sizes) {}

  ChunkEntry Next() {
    const uint64_t hash = LoadUnaligned<uint32_t>(hash_) | uint64_t{LoadUnaligned<uint16_t>(hash_ + 4)} << 32;
    hash_ += kChunkHashBytes;
    return {hash, NextSize()};
  }
  // The same without the hash. The two are not mixed.
  uint32_t NextSize() {
    const uint8_t byte = static_cast<uint8_t>(*size_++);
    if (byte < kLongSize) return byte;
    const uint32_t size = LoadUnaligned<uint32_t>(size_);
    size_ += sizeof(uint32_t);
    return size;
  }

  static constexpr uint8_t kLongSize = 255;

 private:
  const char* hash_;
  const char* size_;
};

// What is as it was in a record whose codes are packed (code_packing.h).
struct PackedHead {
  size_t bytes = 0;       // before the codes
  size_t code_bytes = 0;  // of the codes when they are unpacked
};

// A reading view of a record's bytes; it does not own them.
class ForwardView {
 public:
  explicit ForwardView(std::string_view bytes);

  // True when every length inside agrees with the bytes and all codes are whole. All other members, and visits of the
  // codes, REQUIRE it; records made by ForwardBuilder are.
  bool IsWellFormed() const {
    return HasSoundTokens([](TermId, FieldId) { return true; });
  }
  // The same, and is_term(term, field) holds for every token: what must be known of bytes from disk before anything is
  // built on them.
  template <typename IsTerm>
  bool HasSoundTokens(IsTerm is_term) const;
  // The part of it that takes no look at chunks and codes: enough for bytes whose checksum is right.
  bool HasSoundLengths() const { return has_sound_lengths_; }
  // Of a record whose codes may be packed: the bytes before the codes; none where lengths disagree. All other members
  // but those of the head REQUIRE the record as it was, see UnpackRecord().
  static std::optional<PackedHead> HeadOfPacked(std::string_view bytes);

  std::string_view bytes() const { return bytes_; }
  uint64_t text_hash() const { return LoadUnaligned<uint64_t>(bytes_.data()); }
  uint32_t distinct_terms() const { return distinct_terms_; }
  uint32_t fields() const { return fields_; }
  // Empty for a field that the index did not have yet when the record was written.
  FieldExtent extent(size_t field) const;
  FieldExtent totals() const { return totals_; }

  ChunkReader chunks() const {
    const char* hashes = bytes_.data() + head_bytes_;
    return ChunkReader(hashes, hashes + kChunkHashBytes * size_t{totals_.chunks});
  }
  // Of all fields, one behind the other, and of one.
  std::string_view codes() const { return bytes_.substr(bytes_.size() - totals_.code_bytes); }
  std::string_view codes(size_t field) const;

 private:
  bool ReadHead();
  bool ReadExtents();
  bool HasSoundChunks() const;

  std::string_view bytes_;
  uint32_t distinct_terms_ = 0;
  uint32_t fields_ = 0;
  FieldExtent totals_;
  uint32_t extents_begin_ = 0;
  uint32_t head_bytes_ = 0;
  bool has_sound_lengths_ = false;
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
  // Appends a chunk to `field`; fields are filled in order. REQUIRES: whole codes, a hash of kChunkHashBytes.
  void AddChunk(size_t field, uint64_t hash, std::string_view codes);
  void SetTokens(size_t field, uint32_t tokens) { extents_[field].tokens = tokens; }
  std::string Finish(uint64_t text_hash, uint32_t distinct_terms) const;

 private:
  std::vector<FieldExtent> extents_;
  std::string hashes_;
  std::string sizes_;
  std::string codes_;
};

}  // namespace freshdex::index
