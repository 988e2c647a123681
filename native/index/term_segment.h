// Terms on disk. Sections of a segment of kind kTerms:
//
//   1  u64 number of the first term, u64 number of terms
//   2  for each term in order of numbers: u8 field, u8 length, bytes
//   3  the numbers of these terms in order of (field, bytes), u32 each
#pragma once

#include <cstdint>
#include <string_view>

#include "native/base/status.h"
#include "native/index/segment_file.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

// 0 for a segment without the section; ReadTermSegment() refuses it.
uint64_t FirstTermOf(const SegmentFile& segment);
uint64_t EndTermOf(const SegmentFile& segment);

// Adds the segment's terms, verified, to a dictionary that ends where they begin. The dictionary keeps pointing into
// the segment.
Status ReadTermSegment(const SegmentFile& segment, TermDict* terms, SortedTerms* sorted);

// For salvage: the entries (u8 field, u8 length, bytes each) that lie before the first damaged block, and the number of
// the first; nothing when not even that is known. The last entry may be cut off, and none is checked.
std::string_view SoundTermEntries(const SegmentFile& segment, uint64_t* first);

// The terms of the snapshot from `first` on.
void AddTermSections(const Snapshot& snapshot, TermId first, SegmentWriter* writer);

}  // namespace freshdex::index
