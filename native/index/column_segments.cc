#include "native/index/column_segments.h"

#include <algorithm>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

using Segments = std::vector<std::shared_ptr<const SegmentFile>>;

constexpr size_t kSmallColumnSegmentBytes = 256u << 10;
constexpr size_t kMaxSmallColumnSegments = 8;
// Tidying leaves segments alone of which less than this is dead.
constexpr double kTidyDeadColumnShare = 0.1;

size_t PagesOf(size_t documents) { return (documents + ColumnPage::kDocs - 1) / ColumnPage::kDocs; }

uint64_t PageBytes(const SegmentFile& segment) { return segment.Section(kPagesSection).size(); }

// The first ordinal of each column that the segments do not have.
std::vector<uint32_t> WrittenWords(const Snapshot& snapshot, const Segments& segments) {
  std::vector<uint32_t> written(snapshot.columns.size(), 0);
  for (const auto& segment : segments) {
    for (const WordRange& range : segment->Array<WordRange>(kWordRangesSection))
      written[range.column] = range.first + range.count;
  }
  return written;
}

}  // namespace

Status ReadWords(const std::shared_ptr<const SegmentFile>& segment, std::vector<Column>* columns) {
  Status status = segment->VerifyAll();
  if (!status.ok()) return status;
  const auto ranges = segment->Array<WordRange>(kWordRangesSection);
  ByteReader reader(segment->Section(kWordsSection));
  for (const WordRange& range : ranges) {
    if (range.column >= columns->size() || (*columns)[range.column].kind() != ColumnKind::kKeyword ||
        (*columns)[range.column].ordinal_count() != range.first || range.count > KeywordDict::kMaxWords - range.first)
      return segment->Corrupt(0, "a range of words");
    Column& column = (*columns)[range.column];
    for (uint32_t i = 0; i < range.count; ++i) {
      const std::string_view head = reader.ReadBytes(sizeof(uint16_t));
      if (reader.ok()) reader.ReadBytes(LoadUnaligned<uint16_t>(head.data()));
      if (!reader.ok() || !column.TakeMappedWord(head.data(), segment)) return segment->Corrupt(0, "words of a column");
    }
  }
  return reader.remaining() == 0 ? Status() : segment->Corrupt(0, "words behind the last one");
}

bool HasUnwrittenWords(const Snapshot& snapshot, const Segments& segments) {
  const std::vector<uint32_t> written = WrittenWords(snapshot, segments);
  for (size_t c = 0; c < written.size(); ++c) {
    if (written[c] < snapshot.columns[c].ordinal_count()) return true;
  }
  return false;
}

void AddWordSections(const Snapshot& snapshot, const Segments& segments, SegmentWriter* writer) {
  const std::vector<uint32_t> written = WrittenWords(snapshot, segments);
  std::vector<WordRange> ranges;
  std::string words;
  for (size_t c = 0; c < written.size(); ++c) {
    const Column& column = snapshot.columns[c];
    if (written[c] == column.ordinal_count()) continue;
    ranges.push_back({static_cast<uint32_t>(c), written[c], column.ordinal_count() - written[c]});
    for (uint32_t ordinal = written[c]; ordinal < column.ordinal_count(); ++ordinal) {
      AppendValue(&words, static_cast<uint16_t>(column.Word(ordinal).size()));
      words.append(column.Word(ordinal));
    }
  }
  writer->AddArray(kWordRangesSection, std::span<const WordRange>(ranges));
  writer->Add(kWordsSection, words);
}

Status ReadPages(const DocumentTable& table, const OpenSegmentByNumber& open, std::vector<Column>* columns) {
  Segments segments;
  for (const uint64_t number : table.column_segments()) {
    auto segment = open(number);
    if (!segment.ok()) return segment.status();
    Status status = segment.value()->VerifyAll();
    if (!status.ok()) return status;
    segments.push_back(std::move(segment.value()));
  }
  const size_t pages = PagesOf(table.limit());
  for (size_t c = 0; c < table.column_kinds().size(); ++c) {
    Column& column = (*columns)[c];
    for (size_t number = 0; number < pages; ++number) {
      const PagePlace& place = table.column_pages()[c * pages + number];
      if (place.segment_plus_1 == 0) continue;
      if (place.segment_plus_1 > segments.size()) return table.segment()->Corrupt(0, "places of the pages of columns");
      const auto& segment = segments[place.segment_plus_1 - 1];
      const std::string_view bytes = segment->Section(kPagesSection);
      const uint64_t offset = uint64_t{place.eighths} * 8;
      auto page = ColumnPage::Open(bytes.substr(std::min<uint64_t>(offset, bytes.size())), column.kind(),
                                   column.ordinal_count(), segment);
      if (!page) {
        return segment->Corrupt(segment->OffsetOf(bytes.data()) + std::min<uint64_t>(offset, bytes.size()),
                                "page " + std::to_string(number) + " of column " + std::to_string(c));
      }
      column.SetPage(number, std::move(page));
    }
  }
  return {};
}

Segments PageSegmentsOf(const Snapshot& snapshot) {
  Segments segments;
  for (const Column& column : snapshot.columns) {
    for (const auto& page : column.pages()) {
      if (page && page->segment() && (segments.empty() || segments.back() != page->segment()))
        segments.push_back(page->segment());
    }
  }
  const auto number = [](const auto& segment) { return segment->name().number; };
  std::ranges::sort(segments, {}, number);
  const auto repeated = std::ranges::unique(segments, {}, number);
  segments.erase(repeated.begin(), repeated.end());
  return segments;
}

namespace {

// The place of a segment among those of PageSegmentsOf().
size_t OrdinalOf(const Segments& segments, const SegmentFile& segment) {
  const auto number = [](const auto& other) { return other->name().number; };
  return static_cast<size_t>(std::ranges::lower_bound(segments, segment.name().number, {}, number) - segments.begin());
}

}  // namespace

std::vector<uint64_t> ColumnFlush::LiveBytes(const Snapshot& snapshot, const Segments& segments) {
  std::vector<uint64_t> live(segments.size(), 0);
  for (const Column& column : snapshot.columns) {
    for (const auto& page : column.pages()) {
      if (page && page->segment()) live[OrdinalOf(segments, *page->segment())] += page->bytes().size();
    }
  }
  return live;
}

// As many as there are: none.
size_t ColumnFlush::UntidySegment(const Segments& segments, const std::vector<uint64_t>& live) {
  size_t untidy = segments.size();
  double largest = kTidyDeadColumnShare;
  for (size_t i = 0; i < segments.size(); ++i) {
    const double bytes = std::max(static_cast<double>(PageBytes(*segments[i])), 1.0);
    const double dead = 1 - static_cast<double>(live[i]) / bytes;
    if (dead <= largest) continue;
    largest = dead;
    untidy = i;
  }
  return untidy;
}

bool ColumnFlush::IsUntidy(const Snapshot& snapshot) {
  const Segments segments = PageSegmentsOf(snapshot);
  return UntidySegment(segments, LiveBytes(snapshot, segments)) < segments.size();
}

ColumnFlush::ColumnFlush(const Snapshot& snapshot, bool tidies) : snapshot_(snapshot) {
  const Segments old = PageSegmentsOf(snapshot);
  const std::vector<uint64_t> live = LiveBytes(snapshot, old);
  const size_t untidy = tidies ? UntidySegment(old, live) : old.size();
  const auto is_worth_keeping = [&](size_t i) { return i != untidy && live[i] * 2 >= PageBytes(*old[i]); };
  const auto is_small = [&](size_t i) { return PageBytes(*old[i]) < kSmallColumnSegmentBytes; };
  size_t small = 0;
  for (size_t i = 0; i < old.size(); ++i) small += is_worth_keeping(i) && is_small(i);
  std::vector<size_t> kept_plus_1(old.size(), 0);
  for (size_t i = 0; i < old.size(); ++i) {
    if (!is_worth_keeping(i) || (small > kMaxSmallColumnSegments && is_small(i))) continue;
    kept_.push_back(old[i]);
    kept_plus_1[i] = kept_.size();
  }
  segments_ = kept_;
  for (const Column& column : snapshot.columns) {
    std::vector<Place>& places = places_.emplace_back(PagesOf(snapshot.doc_limit));
    for (size_t number = 0; number < places.size(); ++number) {
      const ColumnPage* page = column.page(number);
      if (!page) continue;
      Place& place = places[number];
      if (page->segment()) place.segment_plus_1 = kept_plus_1[OrdinalOf(old, *page->segment())];
      if (place.segment_plus_1 != 0) {
        place.offset = static_cast<uint64_t>(page->bytes().data() - page->segment()->Section(kPagesSection).data());
        continue;
      }
      place = {kept_.size() + 1, pages_.size()};
      pages_.append(page->bytes());
    }
  }
}

void ColumnFlush::AddTo(SegmentWriter* writer) const {
  if (snapshot_.columns.empty()) return;
  const ColumnKinds kinds = KindsOf(snapshot_.columns);
  std::vector<PagePlace> packed;
  for (const auto& places : places_) {
    for (const Place& place : places)
      packed.push_back({static_cast<uint32_t>(place.segment_plus_1), static_cast<uint32_t>(place.offset / 8)});
  }
  std::vector<uint64_t> numbers;
  for (const auto& segment : segments_) numbers.push_back(segment->name().number);
  writer->AddArray(table_section::kColumnKinds, std::span<const ColumnKind>(kinds));
  writer->AddArray(table_section::kColumnPages, std::span<const PagePlace>(packed));
  writer->AddArray(table_section::kColumnSegments, std::span<const uint64_t>(numbers));
}

Result<std::vector<Column>> ColumnFlush::MappedColumns() const {
  std::vector<Column> columns = snapshot_.columns;
  for (size_t c = 0; c < columns.size(); ++c) {
    for (size_t number = 0; number < places_[c].size(); ++number) {
      const Place& place = places_[c][number];
      if (place.segment_plus_1 <= kept_.size()) continue;
      const auto& segment = segments_[place.segment_plus_1 - 1];
      const std::string_view bytes = segment->Section(kPagesSection);
      auto page = ColumnPage::Open(bytes.substr(place.offset), columns[c].kind(), columns[c].ordinal_count(), segment);
      if (!page) return segment->Corrupt(segment->OffsetOf(bytes.data()) + place.offset, "a page just written");
      columns[c].SetPage(number, std::move(page));
    }
  }
  return columns;
}

}  // namespace freshdex::index
