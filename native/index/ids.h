// Identifiers and limits of the index.
#pragma once

#include <cstddef>
#include <cstdint>

namespace freshdex::index {

// A document's number: given when its key is first put, kept while the key is in the index, given to another key only
// after the last snapshot that could see the old one is gone.
using DocId = uint32_t;
// A term's number, global for the index: those of the first documents in order of frequency (frequency_order.h), all
// others in order of first sight; after words were reclaimed (term_reclaim.h) the others in the same order without
// gaps. So frequent terms get small numbers, which have short codes in forward records.
using TermId = uint32_t;
// The number of a spelling, also global, in order of first sight.
using SpellingId = uint32_t;
using FieldId = uint8_t;

inline constexpr DocId kNoDoc = 0xFFFFFFFF;
inline constexpr TermId kNoTerm = 0xFFFFFFFF;
inline constexpr SpellingId kNoSpelling = 0xFFFFFFFF;

inline constexpr size_t kMaxFields = 32;  // a query selects fields by a 32-bit mask
inline constexpr size_t kMaxTerms = 1u << 26;
inline constexpr size_t kMaxSpellings = 1u << 26;
inline constexpr size_t kMaxDocs = 0xFFFFFFF0;
inline constexpr size_t kMaxKeyBytes = 1025;  // a type byte and 1,024 bytes of key
inline constexpr uint32_t kMaxTf = 65535;     // term frequencies saturate here, they never wrap

// One posting of one document changed: its frequency was old_tf and is new_tf; 0 means "no posting".
struct PostingDelta {
  TermId term;
  DocId doc;
  uint16_t old_tf;
  uint16_t new_tf;
};

}  // namespace freshdex::index
