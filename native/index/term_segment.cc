#include "native/index/term_segment.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/entry_arena.h"
#include "native/index/front_coding.h"
#include "native/index/packed_numbers.h"
#include "native/index/packed_pieces.h"

namespace freshdex::index {
namespace {

namespace term_section {
inline constexpr uint32_t kRange = 1, kTerms = 2, kTermNumbers = 3, kSpeltAsIs = 4, kSpellings = 5,
                          kSpellingNumbers = 6, kTermsOfSpellings = 7, kTermGroups = 8, kSpellingGroups = 9,
                          kNextIdentity = 10, kIdentities = 11;
}  // namespace term_section

constexpr size_t kGroupWords = 4096;

static_assert(sizeof(TermRange) == 32);

const TermRange* RangeOf(const SegmentFile& segment) {
  const auto range = segment.Array<TermRange>(term_section::kRange);
  return range.size() == 1 ? range.data() : nullptr;
}

// As a string of u8 field and bytes, by which words are in the same order as by both.
struct FieldWord {
  explicit FieldWord(std::string_view string) : field(static_cast<FieldId>(string[0])), bytes(string.substr(1)) {}

  FieldId field;
  std::string_view bytes;
};

constexpr size_t kMaxFieldWord = 1 + 255;

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

// The words of a segment, read in order of their bytes and asked for by their numbers. They go into the tables in order
// of numbers: frequent terms have small ones, and lie close together there.
class ReadWords {
 public:
  struct Word {
    FieldId field = 0;
    std::string_view bytes;
    TermId term = 0;  // of a spelling
    uint64_t hash = 0;
  };

  explicit ReadWords(uint64_t count) : words_(count) {}

  void Set(uint32_t number, FieldId field, std::string_view bytes, uint64_t hash, TermId term = 0) {
    char* at = memory_.Allocate(bytes.size());
    std::copy(bytes.begin(), bytes.end(), at);
    words_[number] = {field, {at, bytes.size()}, term, hash};
  }

  template <typename Visit>
  Status VisitAll(Visit visit) const {
    constexpr size_t kAhead = 16;
    for (size_t i = 0; i < words_.size(); ++i) {
      if (i + kAhead < words_.size()) __builtin_prefetch(words_[i + kAhead].bytes.data());
      Status status = visit(i, words_[i]);
      if (!status.ok()) return status;
    }
    return {};
  }

 private:
  std::vector<Word> words_;
  EntryArena memory_;
};

// Calls take(place, field, bytes) for the words in order, each a word that a dictionary may have; false when they are
// not as many, or make no sense.
template <typename Take>
bool VisitWords(std::string_view pieces, uint64_t count, bool may_be_empty, Take take) {
  std::string coded;
  if (!UnpackPieces(pieces, &coded)) return false;
  FrontDecoder words(coded);
  for (uint64_t i = 0; i < count; ++i) {
    if (!words.Next() || words.string().size() > kMaxFieldWord || words.string().size() < (may_be_empty ? 1 : 2))
      return false;
    const FieldWord word(words.string());
    if (word.field >= kMaxFields || !take(i, word.field, word.bytes)) return false;
  }
  return !words.Next() && words.ok();
}

// The numbers of words in their order, less the first; none where they are not each of them once.
std::vector<uint32_t> OrderIn(std::string_view packed, uint64_t count) {
  if (packed.size() != PackedNumberBytes(count, count)) return {};
  std::vector<uint32_t> order = UnpackNumbers(packed, count, count);
  std::vector<bool> is_there(count);
  for (const uint32_t number : order) {
    if (number >= count || is_there[number]) return {};
    is_there[number] = true;
  }
  return order;
}

// Words were read in their order and come by their numbers.
std::vector<uint32_t> Raised(std::vector<uint32_t> order, uint64_t first) {
  for (uint32_t& number : order) number += static_cast<uint32_t>(first);
  return order;
}

// Whether the segment has identities for all of its terms, or none for any, as the segments before it: where terms were
// reclaimed, all segments were written anew. The dictionary learns which identity comes next.
bool StartIdentities(const SegmentFile& segment, const TermRange& range, TermDict* terms) {
  const auto next = segment.Array<uint64_t>(term_section::kNextIdentity);
  const auto identities = segment.Array<uint32_t>(term_section::kIdentities);
  if (next.empty()) return identities.empty() && !terms->has_identities();
  const bool is_first = terms->size() == 0 || terms->has_identities();
  if (next.size() != 1 || !is_first || identities.size() != range.count || next[0] < range.end()) return false;
  terms->StartIdentities(std::max(terms->next_identity(), next[0]));
  return true;
}

Status ReadTerms(const SegmentFile& segment, const TermRange& range, Vocabulary* vocabulary, SortedTerms* sorted) {
  TermDict& terms = vocabulary->terms;
  SpellingTable& spellings = vocabulary->spellings;
  const std::string_view spelt_as_is = segment.Section(term_section::kSpeltAsIs);
  if (range.first != terms.size() || range.count > kMaxTerms - terms.size() ||
      spelt_as_is.size() != (range.count + 7) / 8)
    return segment.Corrupt(0, "range of terms");
  if (!StartIdentities(segment, range, &terms)) return segment.Corrupt(0, "identities of terms");
  const auto identities = segment.Array<uint32_t>(term_section::kIdentities);
  std::vector<uint32_t> order = OrderIn(segment.Section(term_section::kTermNumbers), range.count);
  if (order.size() != range.count) return segment.Corrupt(0, "order of terms");
  ReadWords words(range.count);
  const bool are_words = VisitWords(segment.Section(term_section::kTerms), range.count, true,
                                    [&](uint64_t at, FieldId field, std::string_view bytes) {
                                      words.Set(order[at], field, bytes, terms.Hash(field, bytes));
                                      return true;
                                    });
  if (!are_words) return segment.Corrupt(0, "terms make no sense");
  Status status = words.VisitAll([&](size_t i, const ReadWords::Word& word) -> Status {
    if (terms.FindAsWriter(word.field, word.bytes, word.hash) != kNoTerm)
      return segment.Corrupt(0, "a term is there twice");
    if (BitOf(spelt_as_is, i) && spellings.Find(word.field, word.bytes, word.hash) != kNoSpelling)
      return segment.Corrupt(0, "a spelling is there twice");
    terms.AddStored(terms.Store(word.field, word.bytes), word.hash, identities.empty() ? 0 : identities[i]);
    spellings.AddTerm(BitOf(spelt_as_is, i));
    return {};
  });
  if (!status.ok()) return status;
  sorted->AddSorted(Raised(std::move(order), range.first));
  return {};
}

Status ReadSpellings(const SegmentFile& segment, const TermRange& range, Vocabulary* vocabulary,
                     SortedSpellings* sorted) {
  const TermDict& terms = vocabulary->terms;
  SpellingTable& spellings = vocabulary->spellings;
  if (range.first_spelling != spellings.size() || range.spellings > kMaxSpellings - spellings.size())
    return segment.Corrupt(0, "range of spellings");
  if (range.spellings == 0)
    return segment.Section(term_section::kSpellings).empty() ? Status() : segment.Corrupt(0, "range of spellings");
  std::vector<uint32_t> order = OrderIn(segment.Section(term_section::kSpellingNumbers), range.spellings);
  const std::string_view packed = segment.Section(term_section::kTermsOfSpellings);
  if (order.size() != range.spellings || packed.size() != PackedNumberBytes(range.spellings, range.end()))
    return segment.Corrupt(0, "order of spellings");
  const std::vector<TermId> terms_of = UnpackNumbers(packed, range.spellings, range.end());
  ReadWords words(range.spellings);
  const bool are_words = VisitWords(segment.Section(term_section::kSpellings), range.spellings, false,
                                    [&](uint64_t at, FieldId field, std::string_view bytes) {
                                      const TermId term = terms_of[at];
                                      if (term >= terms.size() || terms.FieldOf(term) != field) return false;
                                      words.Set(order[at], field, bytes, terms.Hash(field, bytes), term);
                                      return true;
                                    });
  if (!are_words) return segment.Corrupt(0, "spellings make no sense");
  Status status = words.VisitAll([&](size_t, const ReadWords::Word& word) -> Status {
    const TermId same = terms.FindAsWriter(word.field, word.bytes, word.hash);
    if (spellings.Find(word.field, word.bytes, word.hash) != kNoSpelling ||
        (same != kNoTerm && spellings.IsSpeltAsIs(same)))
      return segment.Corrupt(0, "a spelling is there twice");
    spellings.Add(word.field, word.bytes, word.term, word.hash);
    return {};
  });
  if (!status.ok()) return status;
  sorted->AddSorted(Raised(std::move(order), range.first_spelling));
  return {};
}

// For salvage: calls visit(place in the order, word) for the words of the groups that are not damaged.
template <typename Visit>
bool VisitSoundGroups(const SegmentFile& segment, uint32_t words_section, uint32_t groups_section, uint64_t count,
                      Visit visit) {
  const std::string_view pieces = segment.Section(words_section);
  const auto groups = segment.Array<uint32_t>(groups_section);
  bool makes_sense = true;
  for (size_t group = 0; group < groups.size(); ++group) {
    if (!segment.Verify({reinterpret_cast<const char*>(&groups[group]), sizeof(uint32_t)}).ok()) continue;
    const bool is_last = group + 1 == groups.size();
    if (!is_last && !segment.Verify({reinterpret_cast<const char*>(&groups[group + 1]), sizeof(uint32_t)}).ok())
      continue;
    const size_t begin = groups[group];
    const size_t end = is_last ? pieces.size() : groups[group + 1];
    if (begin > end || end > pieces.size()) {
      makes_sense = false;
      continue;
    }
    std::string_view piece = pieces.substr(begin, end - begin);
    if (!segment.Verify(piece).ok()) continue;
    std::string coded;
    if (!UnpackPiece(&piece, &coded) || !piece.empty()) {
      makes_sense = false;
      continue;
    }
    FrontDecoder words(coded);
    for (uint64_t at = group * kGroupWords; at < count && words.Next(); ++at) {
      if (words.string().empty() || words.string().size() > kMaxFieldWord) return false;
      visit(at, words.string());
    }
    makes_sense = makes_sense && words.ok();
  }
  return makes_sense;
}

// One of the numbers of a section of packed ones; none where it is lost.
std::optional<uint32_t> SoundNumber(const SegmentFile& segment, uint32_t section, uint64_t at, uint64_t count,
                                    uint64_t limit) {
  const std::string_view packed = segment.Section(section);
  if (packed.size() != PackedNumberBytes(count, limit)) return std::nullopt;
  const size_t bit = at * static_cast<size_t>(PackedNumberBits(limit));
  const std::string_view bytes = packed.substr(bit / 8, sizeof(uint64_t));
  if (!segment.Verify(bytes).ok()) return std::nullopt;
  const uint64_t mask = (uint64_t{1} << PackedNumberBits(limit)) - 1;
  return static_cast<uint32_t>(LoadUnaligned<uint64_t>(bytes.data()) >> bit % 8 & mask);
}

// The range, if it is sound and may be true.
std::optional<TermRange> SoundRange(const SegmentFile& segment) {
  const TermRange* range = RangeOf(segment);
  if (!range || !segment.Verify({reinterpret_cast<const char*>(range), sizeof(TermRange)}).ok()) return std::nullopt;
  // A packed byte stands for no more than this.
  constexpr uint64_t kMost = 256;
  if (range->first > kMaxTerms || range->count > kMaxTerms - range->first ||
      range->count / kMost > segment.Section(term_section::kTerms).size() ||
      range->spellings / kMost > segment.Section(term_section::kSpellings).size())
    return std::nullopt;
  return *range;
}

template <typename Dict>
void AddWords(const Dict& dict, const std::vector<uint32_t>& order, uint32_t first, uint32_t words_section,
              uint32_t numbers_section, uint32_t groups_section, SegmentWriter* writer) {
  PiecePacker packer;
  std::string pieces, string;
  std::vector<uint32_t> numbers, groups;
  numbers.reserve(order.size());
  for (size_t begin = 0; begin < order.size(); begin += kGroupWords) {
    FrontEncoder words;
    for (size_t at = begin; at < std::min(order.size(), begin + kGroupWords); ++at) {
      string.assign(1, static_cast<char>(dict.FieldOf(order[at])));
      string.append(dict.Text(order[at]));
      words.Add(string);
      numbers.push_back(order[at] - first);
    }
    groups.push_back(static_cast<uint32_t>(pieces.size()));
    packer.Append(words.bytes(), &pieces);
  }
  writer->Add(words_section, pieces);
  writer->Add(numbers_section, PackNumbers(numbers, numbers.size()));
  writer->AddArray(groups_section, std::span<const uint32_t>(groups));
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

bool VisitSoundTerms(const SegmentFile& segment, const std::function<void(uint64_t, std::string_view)>& visit) {
  const auto range = SoundRange(segment);
  if (!range) return true;
  return VisitSoundGroups(
      segment, term_section::kTerms, term_section::kTermGroups, range->count, [&](uint64_t at, std::string_view word) {
        const auto number = SoundNumber(segment, term_section::kTermNumbers, at, range->count, range->count);
        if (number) visit(range->first + *number, word);
      });
}

bool VisitSoundSpellings(const SegmentFile& segment, const std::function<void(uint64_t, std::string_view)>& visit) {
  const auto range = SoundRange(segment);
  if (!range) return true;
  return VisitSoundGroups(segment, term_section::kSpellings, term_section::kSpellingGroups, range->spellings,
                          [&](uint64_t at, std::string_view word) {
                            const auto term = SoundNumber(segment, term_section::kTermsOfSpellings, at,
                                                          range->spellings, range->end());
                            if (term) visit(*term, word);
                          });
}

bool IsSoundlySpeltAsIs(const SegmentFile& segment, uint64_t term) {
  const TermRange range = TermRangeOf(segment);
  const std::string_view bits = segment.Section(term_section::kSpeltAsIs);
  if (term < range.first || (term - range.first) / 8 >= bits.size()) return true;
  return !segment.Verify(bits.substr((term - range.first) / 8, 1)).ok() || BitOf(bits, term - range.first);
}

void AddTermSections(const Snapshot& snapshot, TermId first, SpellingId first_spelling, SegmentWriter* writer) {
  const TermDict& terms = snapshot.terms();
  const SpellingTable& spellings = snapshot.spellings();
  const TermRange range{first, snapshot.term_count - first, first_spelling, snapshot.spelling_count - first_spelling};
  std::string spelt_as_is((range.count + 7) / 8, '\0');
  for (TermId term = first; term < snapshot.term_count; ++term) {
    char& bits = spelt_as_is[(term - first) / 8];
    if (spellings.IsSpeltAsIs(term)) bits = static_cast<char>(bits | 1 << (term - first) % 8);
  }
  writer->AddArray(term_section::kRange, std::span(&range, 1));
  AddWords(terms, OrderOf(terms, first, snapshot.term_count), first, term_section::kTerms, term_section::kTermNumbers,
           term_section::kTermGroups, writer);
  writer->Add(term_section::kSpeltAsIs, spelt_as_is);
  if (terms.has_identities()) {
    const uint64_t next = terms.next_identity();
    std::vector<uint32_t> identities;
    for (TermId term = first; term < snapshot.term_count; ++term) identities.push_back(terms.IdentityOf(term));
    writer->AddArray(term_section::kNextIdentity, std::span(&next, 1));
    writer->AddArray(term_section::kIdentities, std::span<const uint32_t>(identities));
  }
  if (range.spellings == 0) return;
  const std::vector<SpellingId> order = OrderOf(spellings, first_spelling, snapshot.spelling_count);
  AddWords(spellings, order, first_spelling, term_section::kSpellings, term_section::kSpellingNumbers,
           term_section::kSpellingGroups, writer);
  std::vector<TermId> terms_of;
  terms_of.reserve(order.size());
  for (const SpellingId spelling : order) terms_of.push_back(spellings.TermOf(spelling));
  writer->Add(term_section::kTermsOfSpellings, PackNumbers(terms_of, range.end()));
}

}  // namespace freshdex::index
