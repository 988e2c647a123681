// A min-hash sketch of a document: by the sketches of two versions, how far their sets of word 4-grams are apart can be
// estimated without either text (Broder, On the resemblance and containment of documents; "Recrawl scheduling based on
// information longevity", section 5.2).
//
// Shingles are taken field by field, from the term numbers of the forward record, holes left out: any 4 tokens in a
// row; a field of 1 to 3 tokens is one shingle; an empty one has none. The value of a shingle is the upper half of the
// XXH64, seed 0, of its term numbers, each 4 bytes, little endian; kNoShingle is lowered by one. A sketch is the 8
// smallest distinct values, ascending, filled up with kNoShingle. Example: a document of one field with the terms 1 2 3
// 4 5 has two shingles, and its sketch begins 27f0147e 656c233a ffffffff.
//
// Where terms were reclaimed, their identities (term_dict.h) take the place of their numbers: these never change, so
// sketches of one index can be compared for as long as it lives, and those of two indexes never. The seed is no secret:
// nobody outside knows the numbers of terms, which depend on what was indexed when.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "native/index/forward_record.h"

namespace freshdex::index {

class BatchTerms;

inline constexpr size_t kSketchSize = 8;
inline constexpr size_t kShingleTokens = 4;
inline constexpr uint32_t kNoShingle = 0xFFFFFFFF;

using DocumentSketch = std::array<uint32_t, kSketchSize>;

constexpr DocumentSketch EmptySketch() {
  DocumentSketch sketch{};
  sketch.fill(kNoShingle);
  return sketch;
}

// The sketch depends on the terms of the record alone, not on its chunks. `left_out`: a field that is no part of the
// document's own text. REQUIRES: forward.IsWellFormed().
DocumentSketch SketchOf(const ForwardView& forward, size_t left_out = SIZE_MAX);
// The same by the identities of the terms, which are those of a batch.
DocumentSketch SketchOf(const ForwardView& forward, size_t left_out, const BatchTerms& terms);
// The same as the first without instructions that only some machines have.
DocumentSketch SketchOnAnyMachine(const ForwardView& forward);

}  // namespace freshdex::index
