#include "native/index/term_segment.h"

#include <algorithm>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

namespace term_section {
inline constexpr uint32_t kRange = 1, kEntries = 2, kSorted = 3;
}  // namespace term_section

struct TermRange {
  uint64_t first;
  uint64_t count;
};

const TermRange* RangeOf(const SegmentFile& segment) {
  const auto range = segment.Array<TermRange>(term_section::kRange);
  return range.size() == 1 ? range.data() : nullptr;
}

bool IsOrdered(const TermDict& terms, std::span<const TermId> order, const TermRange& range) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < range.first || order[i] >= range.first + range.count) return false;
    if (i > 0 && !SortedTerms::IsBefore(terms, order[i - 1], order[i])) return false;
  }
  return order.size() == range.count;
}

}  // namespace

uint64_t FirstTermOf(const SegmentFile& segment) {
  const TermRange* range = RangeOf(segment);
  return range ? range->first : 0;
}

uint64_t EndTermOf(const SegmentFile& segment) {
  const TermRange* range = RangeOf(segment);
  return range ? range->first + range->count : 0;
}

Status ReadTermSegment(const SegmentFile& segment, TermDict* terms, SortedTerms* sorted) {
  Status status = segment.VerifyAll();
  if (!status.ok()) return status;
  const TermRange* range = RangeOf(segment);
  if (!range || range->first != terms->size() || range->count > kMaxTerms - terms->size())
    return segment.Corrupt(0, "range of terms");
  ByteReader reader(segment.Section(term_section::kEntries));
  for (uint64_t i = 0; i < range->count; ++i) {
    const std::string_view head = reader.ReadBytes(2);
    if (!reader.ok()) return segment.Corrupt(0, "terms run over the end");
    const FieldId field = static_cast<FieldId>(head[0]);
    const std::string_view bytes = reader.ReadBytes(static_cast<uint8_t>(head[1]));
    if (!reader.ok() || field >= kMaxFields) return segment.Corrupt(0, "terms run over the end");
    if (terms->FindAsWriter(field, bytes, terms->Hash(field, bytes)) != kNoTerm)
      return segment.Corrupt(0, "a term is there twice");
    terms->AddMapped(head.data());
  }
  const auto order = segment.Array<TermId>(term_section::kSorted);
  if (reader.remaining() != 0 || !IsOrdered(*terms, order, *range)) return segment.Corrupt(0, "order of terms");
  sorted->AddSorted({order.begin(), order.end()});
  return {};
}

std::string_view SoundTermEntries(const SegmentFile& segment, uint64_t* first) {
  const TermRange* range = RangeOf(segment);
  if (!range || !segment.Verify({reinterpret_cast<const char*>(range), sizeof(TermRange)}).ok()) return {};
  *first = range->first;
  const std::string_view entries = segment.Section(term_section::kEntries);
  size_t sound = 0;
  while (sound < entries.size()) {
    const size_t step = std::min(kSegmentBlockBytes, entries.size() - sound);
    if (!segment.Verify(entries.substr(sound, step)).ok()) break;
    sound += step;
  }
  // A step straddles two blocks: of the last one, what lies in the first of them is still good.
  while (sound < entries.size() && segment.Verify(entries.substr(sound, 1)).ok()) ++sound;
  return entries.substr(0, sound);
}

void AddTermSections(const Snapshot& snapshot, TermId first, SegmentWriter* writer) {
  const TermRange range{first, snapshot.term_count - first};
  std::string entries;
  std::vector<TermId> order;
  for (TermId term = first; term < snapshot.term_count; ++term) {
    const std::string_view bytes = snapshot.terms().Text(term);
    AppendValue(&entries, snapshot.terms().FieldOf(term));
    AppendValue(&entries, static_cast<uint8_t>(bytes.size()));
    entries.append(bytes);
    order.push_back(term);
  }
  std::sort(order.begin(), order.end(),
            [&](TermId a, TermId b) { return SortedTerms::IsBefore(snapshot.terms(), a, b); });
  writer->AddArray(term_section::kRange, std::span(&range, 1));
  writer->Add(term_section::kEntries, entries);
  writer->AddArray(term_section::kSorted, std::span<const TermId>(order));
}

}  // namespace freshdex::index
