#include "native/index/term_reclaim.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "native/index/phrase_list_builder.h"
#include "native/index/posting_cursor.h"

namespace freshdex::index {
namespace {

size_t UnusedTerms(const Snapshot& snapshot) {
  std::vector<TermId> all(snapshot.term_count);
  std::iota(all.begin(), all.end(), TermId{0});
  const std::vector<uint32_t> frequencies = snapshot.DocumentFrequencies(all);
  return static_cast<size_t>(std::ranges::count(frequencies, 0u));
}

// What became of numbers: kNoTerm for those that are gone. The others ascend.
using NewNumbers = std::vector<TermId>;

// The terms of the documents themselves, whatever the postings say; none where a record is damaged.
std::optional<NewNumbers> NumberUsedTerms(const Snapshot& snapshot) {
  NewNumbers numbers(snapshot.term_count, kNoTerm);
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    if (!snapshot.IsVisible(doc)) continue;
    const auto record = snapshot.Record(doc);
    if (!record) return std::nullopt;
    const bool is_sound = ForwardView(record->forward).HasSoundTokens([&](TermId term, FieldId) {
      if (term >= numbers.size()) return false;
      numbers[term] = 0;
      return true;
    });
    if (is_sound) continue;
    snapshot.damage->Note(
        Status(Code::kCorrupt, "the forward record of document " + std::to_string(doc) + " makes no sense"));
    return std::nullopt;
  }
  TermId next = 0;
  for (TermId& number : numbers) {
    if (number != kNoTerm) number = next++;
  }
  return numbers;
}

// Order is by field and bytes, which stay.
template <typename Dict>
SortedWords<Dict> Renumbered(const SortedWords<Dict>& sorted, const std::vector<uint32_t>& numbers) {
  SortedWords<Dict> renumbered;
  for (const auto& tier : sorted.tiers()) {
    SortedTier kept;
    for (const uint32_t number : *tier) {
      if (numbers[number] != kNoTerm) kept.push_back(numbers[number]);
    }
    renumbered.AddSorted(std::move(kept));
  }
  return renumbered;
}

std::shared_ptr<Vocabulary> RenumberedVocabulary(const Snapshot& from, const NewNumbers& numbers, Snapshot* next) {
  const TermDict& terms = from.terms();
  const SpellingTable& spellings = from.spellings();
  auto vocabulary = std::make_shared<Vocabulary>(from.vocabulary->seed, from.vocabulary->key_table);
  vocabulary->terms.StartIdentities(terms.next_identity());
  for (TermId term = 0; term < from.term_count; ++term) {
    if (numbers[term] == kNoTerm) continue;
    const FieldId field = terms.FieldOf(term);
    const char* entry = vocabulary->terms.Store(field, terms.Text(term));
    vocabulary->terms.AddStored(entry, terms.Hash(field, terms.Text(term)), terms.IdentityOf(term));
    vocabulary->spellings.AddTerm(spellings.IsSpeltAsIs(term));
  }
  std::vector<SpellingId> spelling_numbers(from.spelling_count, kNoSpelling);
  for (SpellingId spelling = 0; spelling < from.spelling_count; ++spelling) {
    const TermId term = numbers[spellings.TermOf(spelling)];
    if (term == kNoTerm) continue;
    const FieldId field = spellings.FieldOf(spelling);
    const std::string_view bytes = spellings.Text(spelling);
    spelling_numbers[spelling] = vocabulary->spellings.Add(field, bytes, term, terms.Hash(field, bytes));
  }
  next->vocabulary = vocabulary;
  next->term_count = static_cast<TermId>(vocabulary->terms.size());
  next->spelling_count = static_cast<SpellingId>(vocabulary->spellings.size());
  next->sorted_terms = Renumbered(from.sorted_terms, numbers);
  next->sorted_spellings = Renumbered(from.sorted_spellings, spelling_numbers);
  return vocabulary;
}

// REQUIRES: forward.IsWellFormed(), and no term of it is gone.
std::string RenumberedRecord(const ForwardView& forward, const NewNumbers& numbers, ForwardBuilder* builder) {
  builder->Start(forward.fields());
  ChunkReader chunks = forward.chunks();
  std::string_view left = forward.codes();
  std::string codes;
  for (size_t field = 0; field < forward.fields(); ++field) {
    const FieldExtent extent = forward.extent(field);
    for (uint32_t i = 0; i < extent.chunks; ++i) {
      const ChunkEntry chunk = chunks.Next();
      codes.clear();
      VisitSymbols(left.substr(0, chunk.code_bytes), [&](Symbol symbol) {
        AppendSymbol(&codes, IsHole(symbol) ? symbol : SymbolOf(numbers[TermOf(symbol)]));
      });
      left.remove_prefix(chunk.code_bytes);
      builder->AddChunk(field, chunk.hash, codes);
    }
    builder->SetTokens(field, extent.tokens);
  }
  return builder->Finish(forward.text_hash(), forward.distinct_terms());
}

void RenumberRecords(const Snapshot& from, const NewNumbers& numbers, Snapshot* next) {
  RecordTable::Editor records(&next->records);
  ForwardBuilder builder;
  next->forward_bytes = 0;
  for (DocId doc = 0; doc < from.doc_limit; ++doc) {
    const auto before = from.Record(doc);
    if (!before) continue;
    const std::shared_ptr<const DocRecord> recent = from.records[doc];
    auto after = std::make_shared<DocRecord>();
    after->forward =
        std::make_shared<const std::string>(RenumberedRecord(ForwardView(before->forward), numbers, &builder));
    after->stored = recent ? recent->stored : std::make_shared<const std::string>(before->stored);
    after->values = recent ? recent->values : std::make_shared<const std::string>(before->values);
    after->weight = before->weight;
    after->sequence = before->sequence;
    next->forward_bytes += after->forward->size();
    records.Set(doc, std::move(after));
  }
}

// Everything is folded. False where documents have postings of a term that none of them has.
bool RenumberPostings(const Snapshot& from, const NewNumbers& numbers, size_t partition_bytes, Snapshot* next) {
  next->partitions.clear();
  next->runs.clear();
  PartitionBuilder builder(0, from.sequence);
  std::vector<DocId> docs;
  std::vector<uint16_t> tfs;
  std::vector<uint8_t> norms;
  for (TermId term = 0; term < from.term_count; ++term) {
    docs.clear();
    tfs.clear();
    norms.clear();
    const NormTable& lengths = from.norms[from.terms().FieldOf(term)];
    for (PostingCursor cursor(from, term); cursor.doc() != kNoDoc; cursor.Next()) {
      docs.push_back(cursor.doc());
      tfs.push_back(static_cast<uint16_t>(std::min(cursor.tf(), kMaxTf)));
      norms.push_back(lengths[cursor.doc()]);
    }
    const TermId number = numbers[term];
    if (number == kNoTerm && !docs.empty()) {
      from.damage->Note(Status(Code::kCorrupt, "documents have postings of a word that none of them has"));
      return false;
    }
    if (number == kNoTerm) continue;
    builder.Add(number, docs, tfs, norms);
    if (builder.bytes() < partition_bytes || number + 1 == next->term_count) continue;
    next->partitions.push_back(builder.Finish(number + 1, number + 1));
    builder = PartitionBuilder(number + 1, from.sequence);
  }
  next->partitions.push_back(builder.Finish(next->term_count, kNoTerm));
  return true;
}

}  // namespace

std::optional<Reclaimed> ReclaimTerms(const Snapshot& snapshot, const PhraseLimits& phrase_limits,
                                      size_t partition_bytes) {
  const size_t unused = UnusedTerms(snapshot);
  if (unused == 0 || unused * kTermsPerUnused < snapshot.term_count || snapshot.damage->has_damage())
    return std::nullopt;
  const std::optional<NewNumbers> numbers = NumberUsedTerms(snapshot);
  if (!numbers) return std::nullopt;
  auto next = std::make_shared<Snapshot>(snapshot);
  std::shared_ptr<Vocabulary> vocabulary = RenumberedVocabulary(snapshot, *numbers, next.get());
  RenumberRecords(snapshot, *numbers, next.get());
  if (!RenumberPostings(snapshot, *numbers, partition_bytes, next.get())) return std::nullopt;
  if (snapshot.phrases.registry) {
    // Numbers of words are in it, and the hashes of pairs in its lists.
    auto registry = ChoosePhrases(*next, phrase_limits);
    next->phrases = registry ? BuildPhraseLists(*next, std::move(registry), partition_bytes) : PhraseLists();
  }
  if (snapshot.damage->has_damage()) return std::nullopt;
  return Reclaimed{std::move(vocabulary), std::move(next)};
}

}  // namespace freshdex::index
