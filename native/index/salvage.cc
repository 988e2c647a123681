#include "native/index/salvage.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <unordered_set>

#include "native/base/bytes.h"
#include "native/index/delta_row.h"
#include "native/index/term_segment.h"

namespace freshdex::index {

Salvage::Salvage(std::shared_ptr<FileSystem> files, const std::string& folder, const std::vector<SegmentRef>& live,
                 IndexId id, size_t fields, const ColumnKinds& columns)
    : files_(std::move(files)), folder_(folder), id_(id), fields_(fields), columns_(columns) {
  for (const SegmentRef& ref : live) {
    if (ref.kind == SegmentKind::kRecords) continue;  // the table says which of them count
    const auto segment = Open(ref);
    if (!segment) continue;
    if (ref.kind == SegmentKind::kTerms) ReadTerms(segment);
    if (ref.kind == SegmentKind::kTerms) ReadSpellings(*segment);
    if (ref.kind == SegmentKind::kDocuments) OpenTable(segment, live);
  }
  if (!table_) {
    Problem("there is no document table that could be read");
    return;
  }
  states_.resize(table_->limit(), SalvagedState::kAbsent);
  ReadDocuments();
}

Salvage::Salvage(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)), id_(), fields_(snapshot_->fields.size()), columns_(KindsOf(snapshot_->columns)) {
  const SpellingTable& spellings = snapshot_->spellings();
  for (SpellingId spelling = 0; spelling < snapshot_->spelling_count; ++spelling)
    spellings_[spellings.TermOf(spelling)].push_back(spellings.Text(spelling));
  states_.resize(snapshot_->doc_limit, SalvagedState::kAbsent);
  ReadDocuments();
}

void Salvage::Problem(const std::string& text) {
  if (problems_.size() < kMaxProblems && known_problems_.insert(text).second) problems_.push_back(text);
}

// Opens a segment; null when the file is none any more. Damage inside is a problem, but the rest of the segment may be
// of use.
std::shared_ptr<const SegmentFile> Salvage::Open(const SegmentRef& ref) {
  auto segment = SegmentFile::Open(files_.get(), folder_ + "/" + SegmentFileName(ref.number),
                                   {id_, ref.kind, ref.number}, damage_);
  if (!segment.ok()) {
    Problem(segment.status().message());
    return nullptr;
  }
  const Status status = segment.value()->VerifyAll();
  if (!status.ok()) Problem(status.message());
  return segment.value();
}

std::string_view Salvage::Keep(std::string_view word) {
  char* bytes = words_.Allocate(word.size());
  std::memcpy(bytes, word.data(), word.size());
  return {bytes, word.size()};
}

void Salvage::ReadTerms(std::shared_ptr<const SegmentFile> segment) {
  SoundTerms range;
  range.segment = segment;
  range.first = TermRangeOf(*segment).first;
  bool makes_sense = VisitSoundTerms(*segment, [&](uint64_t number, std::string_view word) {
    const uint64_t at = number - range.first;
    if (at >= range.entries.size()) range.entries.resize(at + 1);
    if (range.entries[at] || static_cast<FieldId>(word[0]) >= fields_ || word.size() == 1) {
      Problem(segment->Corrupt(0, "a term makes no sense").message());
      return;
    }
    std::string entry(1, word[0]);
    entry.push_back(static_cast<char>(word.size() - 1));
    range.entries[at] = Keep(entry.append(word.substr(1))).data();
  });
  if (!makes_sense) Problem(segment->Corrupt(0, "terms make no sense").message());
  if (range.entries.empty() || range.first >= kMaxTerms) return;
  const uint64_t end = range.first + range.entries.size();
  const auto is_before = [](uint64_t first, const SoundTerms& other) { return first < other.first; };
  const auto after = std::upper_bound(terms_.begin(), terms_.end(), range.first, is_before);
  const bool overlaps = (after != terms_.end() && after->first < end) ||
                        (after != terms_.begin() && (after - 1)->first + (after - 1)->entries.size() > range.first);
  if (overlaps) {
    Problem(segment->Corrupt(0, "terms that another segment has").message());
    return;
  }
  terms_.insert(after, std::move(range));
}

void Salvage::ReadSpellings(const SegmentFile& segment) {
  VisitSoundSpellings(segment, [&](uint64_t term, std::string_view word) {
    if (word.size() > 1) spellings_[static_cast<TermId>(term)].push_back(Keep(word.substr(1)));
  });
}

std::optional<RowTerm> Salvage::TermOf(TermId term) const {
  if (snapshot_) {
    if (term >= snapshot_->term_count) return std::nullopt;
    return RowTerm{snapshot_->terms().FieldOf(term), snapshot_->terms().Text(term),
                   snapshot_->spellings().IsSpeltAsIs(term)};
  }
  const auto after = std::upper_bound(terms_.begin(), terms_.end(), term,
                                      [](TermId wanted, const auto& r) { return wanted < r.first; });
  if (after == terms_.begin()) return std::nullopt;
  const SoundTerms& range = *(after - 1);
  if (term - range.first >= range.entries.size()) return std::nullopt;
  const char* entry = range.entries[term - range.first];
  if (!entry) return std::nullopt;
  return RowTerm{static_cast<FieldId>(entry[0]),
                 {entry + 2, static_cast<uint8_t>(entry[1])},
                 IsSoundlySpeltAsIs(*range.segment, term)};
}

Result<RecordView> Salvage::Read(DocId doc) const {
  if (!snapshot_) {
    if (!table_->record_segments()[table_->entry(doc).segment_plus_1 - 1])
      return Status(Code::kCorrupt, "the segment of a record is lost");
    return table_->Read(doc);
  }
  const auto record = snapshot_->Record(doc);
  if (record) return *record;
  return snapshot_->damage->has_damage() ? snapshot_->damage->first() : Status(Code::kCorrupt, "a record is damaged");
}

void Salvage::OpenTable(const std::shared_ptr<const SegmentFile>& segment, const std::vector<SegmentRef>& live) {
  const auto open_records = [&](uint64_t number) -> Result<std::shared_ptr<const SegmentFile>> {
    for (const SegmentRef& ref : live) {
      if (ref.kind == SegmentKind::kRecords && ref.number == number) return Open(ref);
    }
    Problem("the document table refers to segment " + std::to_string(number) + ", which is not listed");
    return std::shared_ptr<const SegmentFile>();
  };
  auto table = DocumentTable::Open(segment, fields_, columns_, open_records);
  if (table.ok()) {
    table_ = std::move(table.value());
    keys_ = table_->ReadKeys();
  } else {
    Problem(table.status().message());
  }
}

void Salvage::ReadDocuments() {
  std::unordered_set<std::string_view> keys;
  for (DocId doc = 0; doc < limit(); ++doc) {
    if (!Has(doc)) continue;
    states_[doc] = Examine(doc);
    if (!keys.insert(KeyOf(doc)).second) {
      Problem("two documents have the same key, document " + std::to_string(doc));
      states_[doc] = SalvagedState::kDamaged;
    }
    intact_ += states_[doc] == SalvagedState::kIntact;
  }
}

SalvagedState Salvage::Examine(DocId doc) {
  const Result<RecordView> record = Read(doc);
  if (!record.ok()) {
    Problem(record.status().message());
    return SalvagedState::kDamaged;
  }
  bool has_terms = true;
  const bool is_sound = ForwardView(record.value().forward).HasSoundTokens([&](TermId term, FieldId field) {
    const std::optional<RowTerm> known = TermOf(term);
    has_terms = has_terms && known.has_value();
    return !known || known->field == field;
  });
  if (!is_sound) Problem("the forward record of document " + std::to_string(doc) + " makes no sense");
  const bool has_values = ReadValues(record.value().values, columns_).has_value();
  if (!has_values) Problem("the record of the values of document " + std::to_string(doc) + " makes no sense");
  return is_sound && has_terms && has_values ? SalvagedState::kIntact : SalvagedState::kDamaged;
}

std::string_view Salvage::KeyOf(DocId doc) const {
  if (snapshot_) return snapshot_->vocabulary->keys.KeyOf(doc);
  return keys_.KeyOf(doc);
}

// The number in the target of a term that is known here; kNoTerm when there is no room. Its spellings come along.
TermId Salvage::TakeOver(TermId term, BatchTerms* terms) const {
  const RowTerm known = TermOf(term).value();
  const size_t before = terms->size();
  const auto spellings = spellings_.find(term);
  const bool is_spelt_as_is = known.is_spelt_as_is || spellings == spellings_.end();
  const TermId taken = terms->FindOrAdd(known.field, known.bytes, is_spelt_as_is);
  if (taken == kNoTerm || terms->size() == before || spellings == spellings_.end()) return taken;
  for (const std::string_view spelling : spellings->second) terms->AddSpelling(taken, spelling);
  return taken;
}

// Appends all chunks of a record as chunks of their own, with the target's term numbers.
Status Salvage::AppendPieces(const ForwardView& forward, BatchTerms* terms, std::string* pieces) const {
  ChunkReader chunks = forward.chunks();
  std::string_view left = forward.codes();
  std::string codes;
  bool has_room = true;
  for (size_t field = 0; field < forward.fields(); ++field) {
    AppendVarint(pieces, forward.extent(field).chunks);
    for (uint32_t i = forward.extent(field).chunks; i > 0; --i) {
      codes.clear();
      const ChunkEntry chunk = chunks.Next();
      VisitSymbols(left.substr(0, chunk.code_bytes), [&](Symbol symbol) {
        if (!IsHole(symbol)) {
          const TermId term = TakeOver(index::TermOf(symbol), terms);
          has_room = has_room && term != kNoTerm;
          symbol = SymbolOf(has_room ? term : 0);
        }
        AppendSymbol(&codes, symbol);
      });
      left.remove_prefix(chunk.code_bytes);
      if (!has_room) return Status(Code::kTooManyTerms, "the index holds the largest number of distinct terms it can");
      AppendVarint(pieces, 0);
      AppendChunkHash(pieces, chunk.hash);
      AppendVarint(pieces, static_cast<uint32_t>(codes.size()));
      pieces->append(codes);
    }
  }
  if (pieces->size() > UINT32_MAX) return Status(Code::kDocumentTooLarge, "a document is too large for a log row");
  return {};
}

Result<std::string> Salvage::RowFor(std::span<const DocId> docs, std::span<const std::string_view> stored,
                                    const IndexWriter& target) const {
  const uint64_t seed = target.config().seed;
  const auto current = target.Current();
  BatchTerms terms(current->terms(), current->spellings(), seed);
  DeltaRow row;
  row.sequence = target.next_sequence();
  row.reclaimed = current->terms().reclaimed();
  if (docs.size() > kMaxDocs - target.next_document()) {
    return Status(Code::kInternal, "the index holds the largest number of documents it can");
  }
  std::deque<std::string> pieces;
  for (size_t i = 0; i < docs.size(); ++i) {
    const RecordView record = Read(docs[i]).value();
    const ForwardView forward(record.forward);
    Status status = AppendPieces(forward, &terms, &pieces.emplace_back());
    if (!status.ok()) return status;
    RowDocument document;
    document.doc = static_cast<DocId>(target.next_document() + i);
    document.has_key = document.has_new_text = true;
    document.key = KeyOf(docs[i]);
    document.weight = record.weight;
    document.stored = stored[i];
    document.values = record.values;
    document.text_hash = forward.text_hash();
    document.pieces = pieces.back();
    row.documents.push_back(document);
  }
  const TermDict& added = terms.added();
  const SpellingTable& spellings = terms.added_spellings();
  for (TermId i = 0; i < added.size(); ++i)
    row.terms.push_back({added.FieldOf(i), added.Text(i), spellings.IsSpeltAsIs(i)});
  for (SpellingId i = 0; i < spellings.size(); ++i) row.spellings.push_back({spellings.TermOf(i), spellings.Text(i)});
  return EncodeRow(row, fields_, seed);
}

}  // namespace freshdex::index
