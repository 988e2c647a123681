#include "native/index/term_segment.h"

#include <algorithm>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

namespace term_section {
inline constexpr uint32_t kRange = 1, kEntries = 2, kSorted = 3, kSpeltAsIs = 4, kSpellings = 5, kSortedSpellings = 6;
}  // namespace term_section

static_assert(sizeof(TermRange) == 32);

const TermRange* RangeOf(const SegmentFile& segment) {
  const auto range = segment.Array<TermRange>(term_section::kRange);
  return range.size() == 1 ? range.data() : nullptr;
}

template <typename Dict>
bool IsOrdered(const Dict& dict, std::span<const uint32_t> order, uint64_t first, uint64_t count) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < first || order[i] >= first + count) return false;
    if (i > 0 && !SortedWords<Dict>::IsBefore(dict, order[i - 1], order[i])) return false;
  }
  return order.size() == count;
}

template <typename Dict>
std::vector<uint32_t> OrderOf(const Dict& dict, uint32_t first, uint32_t end) {
  std::vector<uint32_t> order;
  order.reserve(end - first);
  for (uint32_t number = first; number < end; ++number) order.push_back(number);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return SortedWords<Dict>::IsBefore(dict, a, b); });
  return order;
}

bool BitOf(std::string_view bits, uint64_t i) { return (static_cast<uint8_t>(bits[i / 8]) >> i % 8 & 1) != 0; }

Status ReadTerms(const SegmentFile& segment, const TermRange& range, Vocabulary* vocabulary, SortedTerms* sorted) {
  TermDict& terms = vocabulary->terms;
  ByteReader reader(segment.Section(term_section::kEntries));
  const std::string_view spelt_as_is = segment.Section(term_section::kSpeltAsIs);
  if (range.first != terms.size() || range.count > kMaxTerms - terms.size() ||
      spelt_as_is.size() != (range.count + 7) / 8)
    return segment.Corrupt(0, "range of terms");
  for (uint64_t i = 0; i < range.count; ++i) {
    const std::string_view head = reader.ReadBytes(2);
    if (!reader.ok()) return segment.Corrupt(0, "terms run over the end");
    const FieldId field = static_cast<FieldId>(head[0]);
    const std::string_view bytes = reader.ReadBytes(static_cast<uint8_t>(head[1]));
    if (!reader.ok() || field >= kMaxFields) return segment.Corrupt(0, "terms run over the end");
    const uint64_t hash = terms.Hash(field, bytes);
    if (terms.FindAsWriter(field, bytes, hash) != kNoTerm) return segment.Corrupt(0, "a term is there twice");
    if (BitOf(spelt_as_is, i) && vocabulary->spellings.Find(field, bytes, hash) != kNoSpelling)
      return segment.Corrupt(0, "a spelling is there twice");
    terms.AddMapped(head.data());
    vocabulary->spellings.AddTerm(BitOf(spelt_as_is, i));
  }
  const auto order = segment.Array<TermId>(term_section::kSorted);
  if (reader.remaining() != 0 || !IsOrdered(terms, order, range.first, range.count))
    return segment.Corrupt(0, "order of terms");
  sorted->AddSorted({order.begin(), order.end()});
  return {};
}

Status ReadSpellings(const SegmentFile& segment, const TermRange& range, Vocabulary* vocabulary,
                     SortedSpellings* sorted) {
  const TermDict& terms = vocabulary->terms;
  SpellingTable& spellings = vocabulary->spellings;
  if (range.first_spelling != spellings.size() || range.spellings > kMaxSpellings - spellings.size())
    return segment.Corrupt(0, "range of spellings");
  ByteReader reader(segment.Section(term_section::kSpellings));
  for (uint64_t i = 0; i < range.spellings; ++i) {
    const std::string_view head = reader.ReadBytes(SpellingTable::kEntryHead);
    if (!reader.ok()) return segment.Corrupt(0, "spellings run over the end");
    const FieldId field = SpellingTable::FieldOf(head.data());
    const TermId term = SpellingTable::TermOf(head.data());
    const std::string_view bytes = reader.ReadBytes(static_cast<uint8_t>(head[5]));
    if (!reader.ok() || bytes.empty()) return segment.Corrupt(0, "spellings run over the end");
    if (term >= terms.size() || terms.FieldOf(term) != field) return segment.Corrupt(0, "a spelling of no term");
    const uint64_t hash = terms.Hash(field, bytes);
    const TermId same = terms.FindAsWriter(field, bytes, hash);
    if (spellings.Find(field, bytes, hash) != kNoSpelling || (same != kNoTerm && spellings.IsSpeltAsIs(same)))
      return segment.Corrupt(0, "a spelling is there twice");
    spellings.AddMapped(head.data(), hash);
  }
  const auto order = segment.Array<SpellingId>(term_section::kSortedSpellings);
  if (reader.remaining() != 0 || !IsOrdered(spellings, order, range.first_spelling, range.spellings))
    return segment.Corrupt(0, "order of spellings");
  sorted->AddSorted({order.begin(), order.end()});
  return {};
}

// What lies before the first damaged block of a section.
std::string_view SoundPartOf(const SegmentFile& segment, uint32_t section) {
  const std::string_view entries = segment.Section(section);
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

}  // namespace

TermRange TermRangeOf(const SegmentFile& segment) {
  const TermRange* range = RangeOf(segment);
  return range ? *range : TermRange();
}

Status ReadTermSegment(const SegmentFile& segment, Vocabulary* vocabulary, Snapshot* snapshot) {
  Status status = segment.VerifyAll();
  if (!status.ok()) return status;
  const TermRange* range = RangeOf(segment);
  if (!range) return segment.Corrupt(0, "range of terms");
  status = ReadTerms(segment, *range, vocabulary, &snapshot->sorted_terms);
  return status.ok() ? ReadSpellings(segment, *range, vocabulary, &snapshot->sorted_spellings) : status;
}

std::string_view SoundTermEntries(const SegmentFile& segment, uint64_t* first) {
  const TermRange* range = RangeOf(segment);
  if (!range || !segment.Verify({reinterpret_cast<const char*>(range), sizeof(TermRange)}).ok()) return {};
  *first = range->first;
  return SoundPartOf(segment, term_section::kEntries);
}

std::string_view SoundSpellingEntries(const SegmentFile& segment) {
  return SoundPartOf(segment, term_section::kSpellings);
}

bool IsSoundlySpeltAsIs(const SegmentFile& segment, uint64_t term) {
  const TermRange range = TermRangeOf(segment);
  const std::string_view bits = segment.Section(term_section::kSpeltAsIs);
  if (term < range.first || (term - range.first) / 8 >= bits.size()) return true;
  return !segment.Verify(bits.substr((term - range.first) / 8, 1)).ok() || BitOf(bits, term - range.first);
}

void AddTermSections(const Snapshot& snapshot, TermId first, SpellingId first_spelling, SegmentWriter* writer) {
  const TermRange range{first, snapshot.term_count - first, first_spelling, snapshot.spelling_count - first_spelling};
  std::string entries, spellings;
  std::string spelt_as_is((range.count + 7) / 8, '\0');
  for (TermId term = first; term < snapshot.term_count; ++term) {
    const std::string_view bytes = snapshot.terms().Text(term);
    AppendValue(&entries, snapshot.terms().FieldOf(term));
    AppendValue(&entries, static_cast<uint8_t>(bytes.size()));
    entries.append(bytes);
    char& bits = spelt_as_is[(term - first) / 8];
    if (snapshot.spellings().IsSpeltAsIs(term)) bits = static_cast<char>(bits | 1 << (term - first) % 8);
  }
  for (SpellingId spelling = first_spelling; spelling < snapshot.spelling_count; ++spelling) {
    const std::string_view bytes = snapshot.spellings().Text(spelling);
    AppendValue(&spellings, snapshot.spellings().TermOf(spelling));
    AppendValue(&spellings, snapshot.spellings().FieldOf(spelling));
    AppendValue(&spellings, static_cast<uint8_t>(bytes.size()));
    spellings.append(bytes);
  }
  const std::vector<TermId> order = OrderOf(snapshot.terms(), first, snapshot.term_count);
  const std::vector<SpellingId> spelling_order = OrderOf(snapshot.spellings(), first_spelling, snapshot.spelling_count);
  writer->AddArray(term_section::kRange, std::span(&range, 1));
  writer->Add(term_section::kEntries, entries);
  writer->AddArray(term_section::kSorted, std::span<const TermId>(order));
  writer->Add(term_section::kSpeltAsIs, spelt_as_is);
  if (range.spellings == 0) return;
  writer->Add(term_section::kSpellings, spellings);
  writer->AddArray(term_section::kSortedSpellings, std::span<const SpellingId>(spelling_order));
}

}  // namespace freshdex::index
