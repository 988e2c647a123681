// Terms on disk. Sections of a segment of kind kTerms:
//
//   1  u64 number of the first term, u64 number of terms, u64 number of the first spelling, u64 number of spellings
//   2  for each term in order of numbers: u8 field, u8 length, bytes
//   3  the numbers of these terms in order of (field, bytes), u32 each
//   4  a bit for each term, the first in the lowest bit of the first byte: 1 where it is spelt as it is
//   5  for each spelling in order of numbers: u32 term, u8 field, u8 length, bytes
//   6  the numbers of these spellings in order of (field, bytes), u32 each; 5 and 6 only where there are any
#pragma once

#include <cstdint>
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

// Adds the segment's terms and spellings, verified, to tables that end where they begin. The tables keep pointing into
// the segment.
Status ReadTermSegment(const SegmentFile& segment, Vocabulary* vocabulary, Snapshot* snapshot);

// For salvage: the entries (u8 field, u8 length, bytes each) that lie before the first damaged block, and the number of
// the first; nothing when not even that is known. The last entry may be cut off, and none is checked.
std::string_view SoundTermEntries(const SegmentFile& segment, uint64_t* first);
// The same of spellings: entries as in a SpellingTable.
std::string_view SoundSpellingEntries(const SegmentFile& segment);
// For salvage: whether a term of the segment is spelt as it is; true where that is lost.
bool IsSoundlySpeltAsIs(const SegmentFile& segment, uint64_t term);

// The terms and spellings of the snapshot from these on.
void AddTermSections(const Snapshot& snapshot, TermId first, SpellingId first_spelling, SegmentWriter* writer);

}  // namespace freshdex::index
