// Columns on disk. Pages (column_page.h) lie in segments of kind kColumns, words of keyword columns in segments of kind
// kWords; the document table says where each page is (document_table.h). A flush writes the pages that changed into one
// new segment. Older ones stay where they are unless more than half of their segment is dead, or it is one of many
// small ones; then they move along. Tidying moves those of one more segment, the one with the largest dead part, if
// that is worth it.
//
// A segment of kind kColumns has one section, 1: pages, one after another. A segment of kind kWords:
//
//   1  WordRange by column that has words in it
//   2  words, those of each range in turn: u16 length, bytes
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::index {

inline constexpr uint32_t kPagesSection = 1, kWordRangesSection = 1, kWordsSection = 2;

// Consecutive ordinals of a column.
struct WordRange {
  uint32_t column = 0;
  uint32_t first = 0;
  uint32_t count = 0;
};
static_assert(sizeof(WordRange) == 12);

// Reads the words of segments that follow one another into the columns of a snapshot that no reader has seen yet.
Status ReadWords(const std::shared_ptr<const SegmentFile>& segment, std::vector<Column>* columns);
// Adds the words that the segments do not have to one of kind kWords. False when there are none.
bool HasUnwrittenWords(const Snapshot& snapshot, const std::vector<std::shared_ptr<const SegmentFile>>& segments);
void AddWordSections(const Snapshot& snapshot, const std::vector<std::shared_ptr<const SegmentFile>>& segments,
                     SegmentWriter* writer);

// Shows the pages that the table names, in columns that have their words. `open` gives the segment of a number.
using OpenSegmentByNumber = std::function<Result<std::shared_ptr<const SegmentFile>>(uint64_t)>;
Status ReadPages(const DocumentTable& table, const OpenSegmentByNumber& open, std::vector<Column>* columns);

// The segments in which pages of the snapshot lie.
std::vector<std::shared_ptr<const SegmentFile>> PageSegmentsOf(const Snapshot& snapshot);

class ColumnFlush {
 public:
  ColumnFlush(const Snapshot& snapshot, bool tidies);
  // Whether tidying would move anything.
  static bool IsUntidy(const Snapshot& snapshot);

  // What the new segment is to contain; empty when there is none to write.
  const std::string& pages() const { return pages_; }
  // REQUIRES: a segment with pages() in it.
  void SetNewSegment(std::shared_ptr<const SegmentFile> segment) { segments_.push_back(std::move(segment)); }
  // Older segments that the table still refers to.
  const std::vector<std::shared_ptr<const SegmentFile>>& kept_segments() const { return kept_; }
  // The sections of the document table that are about columns.
  void AddTo(SegmentWriter* writer) const;
  // The same columns, with all pages mapped.
  Result<std::vector<Column>> MappedColumns() const;

 private:
  struct Place {
    size_t segment_plus_1 = 0;  // into segments_; 0: no page
    uint64_t offset = 0;
  };
  static std::vector<uint64_t> LiveBytes(const Snapshot& snapshot,
                                         const std::vector<std::shared_ptr<const SegmentFile>>& segments);
  static size_t UntidySegment(const std::vector<std::shared_ptr<const SegmentFile>>& segments,
                              const std::vector<uint64_t>& live);

  const Snapshot& snapshot_;
  std::vector<std::shared_ptr<const SegmentFile>> kept_;
  std::vector<std::shared_ptr<const SegmentFile>> segments_;  // kept_, then the new one
  std::vector<std::vector<Place>> places_;                    // by column and page
  std::string pages_;
};

}  // namespace freshdex::index
