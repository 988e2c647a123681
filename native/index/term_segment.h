// Terms on disk. Sections of a segment of kind kTerms:
//
//   1  u64 number of the first term, u64 number of terms, u64 number of the first spelling, u64 number of spellings
//   2  these terms in order of (field, bytes), front-coded (front_coding.h): each as a string of u8 field and its
//   bytes,
//      in groups of 4,096, each of them a packed piece (packed_pieces.h)
//   3  their numbers in that order, less that of the first, packed (packed_numbers.h)
//   4  a bit for each term in order of numbers, the first in the lowest bit of the first byte: 1 where it is spelt as
//      it is
//   5  the spellings, as section 2
//   6  their numbers, as section 3
//   7  the number of the term of each, in the order of section 5, packed below the first number behind the terms
//   8  where the groups of section 2 begin, u32 each
//   9  the same of section 5; 5 to 7 and 9 only where there are spellings
//   10 u64, the identity of the term that was next (term_dict.h); 10 and 11 only where terms were ever reclaimed
//   11 for each term in order of numbers: its identity, u32
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "native/base/status.h"
#include "native/index/segment_file.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

// All 0 for a segment without the section; ReadTermSegment() refuses it.
struct TermRange {
  uint64_t first = 0;
  uint64_t count = 0;
  uint64_t first_spelling = 0;
  uint64_t spellings = 0;

  uint64_t end() const { return first + count; }
  uint64_t end_spelling() const { return first_spelling + spellings; }
};
TermRange TermRangeOf(const SegmentFile& segment);

// Adds the segment's terms and spellings, verified, to tables that end where they begin.
Status ReadTermSegment(const SegmentFile& segment, Vocabulary* vocabulary, Snapshot* snapshot);

// For salvage: calls visit(number, field and bytes) for the terms of groups that are not damaged; false for a group
// that makes no sense. A number may come twice, or be none of the segment's, where bytes make no sense.
bool VisitSoundTerms(const SegmentFile& segment, const std::function<void(uint64_t, std::string_view)>& visit);
// The same of spellings, with the number of the term.
bool VisitSoundSpellings(const SegmentFile& segment, const std::function<void(uint64_t, std::string_view)>& visit);
// For salvage: whether a term of the segment is spelt as it is; true where that is lost.
bool IsSoundlySpeltAsIs(const SegmentFile& segment, uint64_t term);

// The terms and spellings of the snapshot from these on.
void AddTermSections(const Snapshot& snapshot, TermId first, SpellingId first_spelling, SegmentWriter* writer);

}  // namespace freshdex::index
