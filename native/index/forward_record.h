// The forward record of a document: per field, the hashes of its text chunks and its term numbers in order. It is what
// a new version is compared with, what phrases are checked in, and from what all postings can be rebuilt.
//
// Bytes, little endian (F fields, C chunks, U units):
//
//   OFFSET   SIZE   MEANING
//   0        8      hash of the document's indexed text
//   8        4      number of distinct terms
//   12       4      F
//   16       12*F   per field: u32 tokens (holes not counted), u32 chunks, u32 units
//   ...      8*C    chunk hashes, field by field
//   ...      4*C    units of each chunk
//   ...      2*U    units, chunk by chunk
//
// A unit is 16 bits: below 0xFFF0 a term number; 0xFFF0..0xFFFE a run of 1..15 holes (removed stop words, which take
// positions); 0xFFFF says that the next two units are a term number, low half first. Example: the terms 7 and 70,000
// with two holes between them are 0700 F1FF FFFF 7011 0100.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/ids.h"

namespace freshdex::index {

inline constexpr uint16_t kFirstHoleUnit = 0xFFF0;
inline constexpr uint16_t kEscapeUnit = 0xFFFF;
inline constexpr uint32_t kMaxHoleRun = 15;

struct FieldExtent {
  uint32_t tokens = 0;
  uint32_t chunks = 0;
  uint32_t units = 0;
};

void AppendTermUnits(std::vector<uint16_t>* units, TermId term);
void AppendHoleUnits(std::vector<uint16_t>* units, uint64_t holes);

// Calls visit(term, position) for the tokens of a unit stream; returns the position behind the last token or hole.
// REQUIRES: the stream is well formed (see ForwardView::IsWellFormed). One that is not gives wrong tokens, but is not
// read behind its end.
template <typename Visit>
uint64_t VisitUnits(const char* units, size_t count, uint64_t position, Visit visit) {
  for (size_t i = 0; i < count; ++i) {
    const uint16_t unit = LoadUnaligned<uint16_t>(units + 2 * i);
    if (unit < kFirstHoleUnit) {
      visit(static_cast<TermId>(unit), position++);
    } else if (unit == kEscapeUnit) {
      if (count - i < 3) break;
      visit(LoadUnaligned<uint32_t>(units + 2 * (i + 1)), position++);
      i += 2;
    } else {
      position += unit - kFirstHoleUnit + 1u;
    }
  }
  return position;
}

// A reading view of a record's bytes; it does not own them.
class ForwardView {
 public:
  explicit ForwardView(std::string_view bytes) : bytes_(bytes) {}

  // True when every length inside agrees with the bytes and every unit with its neighbours. All other members, and
  // VisitUnits, REQUIRE it; records made by ForwardBuilder are.
  bool IsWellFormed() const;
  // The part of it that takes no look at the units: enough for bytes whose checksum is right.
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
  const char* chunk_units() const { return chunk_hashes() + 8ull * totals().chunks; }
  const char* units() const { return chunk_units() + 4ull * totals().chunks; }

 private:
  friend class ForwardBuilder;
  static constexpr size_t kHeaderBytes = 16;

  std::string_view bytes_;
};

// Well formed, and is_term(term, field) holds for every token: what must be known of bytes from disk before anything is
// built on them.
template <typename IsTerm>
bool HasSoundTokens(const ForwardView& forward, IsTerm is_term) {
  if (!forward.IsWellFormed()) return false;
  bool is_sound = true;
  const char* units = forward.units();
  for (size_t field = 0; field < forward.fields(); ++field) {
    const uint32_t count = forward.extent(field).units;
    VisitUnits(units, count, 0,
               [&](TermId term, uint64_t) { is_sound = is_sound && is_term(term, static_cast<FieldId>(field)); });
    units += 2ull * count;
  }
  return is_sound;
}

// Collects the parts of a record, field by field and chunk by chunk. Reusable.
class ForwardBuilder {
 public:
  void Start(size_t fields);
  // Appends a chunk to `field`; fields are filled in order.
  void AddChunk(size_t field, uint64_t hash, const char* units, size_t unit_count);
  void SetTokens(size_t field, uint32_t tokens) { extents_[field].tokens = tokens; }
  std::string Finish(uint64_t text_hash, uint32_t distinct_terms) const;

 private:
  std::vector<FieldExtent> extents_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> chunk_units_;
  std::string units_;
};

}  // namespace freshdex::index
