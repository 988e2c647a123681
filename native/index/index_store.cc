#include "native/index/index_store.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "native/base/bytes.h"
#include "native/index/column_segments.h"
#include "native/index/document_table_builder.h"
#include "native/index/term_segment.h"

namespace freshdex::index {

Result<std::shared_ptr<const SegmentFile>> IndexStore::OpenSegment(const SegmentRef& ref) {
  return SegmentFile::Open(files_.get(), PathOf(ref.number), {id_, ref.kind, ref.number}, damage_);
}

namespace {

// S6. Which of the documents written after a fold became shorter is not kept, so all of them count as such.
void NoteChangedSinceFolds(Snapshot* snapshot) {
  const uint64_t folded_through = snapshot->FoldedThrough();
  if (folded_through == snapshot->sequence) return;
  std::vector<ShrunkDocuments::Editor> shrunk;
  for (ShrunkDocuments& table : snapshot->shrunk) shrunk.emplace_back(&table, folded_through);
  for (DocId doc = 0; doc < snapshot->table->limit(); ++doc) {
    if (!snapshot->table->Has(doc)) continue;
    const uint64_t sequence = snapshot->table->entry(doc).sequence;
    if (sequence <= folded_through) continue;
    for (ShrunkDocuments::Editor& field : shrunk) field.Note({sequence, doc, 255});
  }
}

bool IsEarlier(const TermRange& a, const TermRange& b) {
  return a.first != b.first ? a.first < b.first : a.first_spelling < b.first_spelling;
}

bool IsOfPostings(SegmentKind kind) {
  return kind == SegmentKind::kPartition || kind == SegmentKind::kRun || kind == SegmentKind::kPhraseRegistry ||
         kind == SegmentKind::kPhrasePartition || kind == SegmentKind::kPhraseRun;
}

// Adds a partition or a run to the set it belongs to; other segments are none of this.
Status LoadPostings(const std::shared_ptr<const SegmentFile>& segment, Snapshot* snapshot) {
  const SegmentKind kind = segment->name().kind;
  const bool is_of_phrases = kind == SegmentKind::kPhrasePartition || kind == SegmentKind::kPhraseRun;
  PostingSet* set = is_of_phrases ? &snapshot->phrases : static_cast<PostingSet*>(snapshot);
  if (kind == SegmentKind::kPartition || kind == SegmentKind::kPhrasePartition) {
    auto partition = BasePartition::Open(segment);
    if (!partition.ok()) return partition.status();
    set->partitions.push_back(std::move(partition.value()));
  }
  if (kind == SegmentKind::kRun || kind == SegmentKind::kPhraseRun) {
    auto run = DeltaRun::Open(segment);
    if (!run.ok()) return run.status();
    set->runs.push_back(std::move(run.value()));
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<Snapshot>> IndexStore::Load(const std::vector<SegmentRef>& live,
                                                   std::shared_ptr<Vocabulary> vocabulary, size_t fields,
                                                   const ColumnKinds& columns, bool is_for_records) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->damage = damage_;
  snapshot->fields.resize(fields);
  snapshot->norms.resize(fields);
  snapshot->shrunk.resize(fields);
  for (const ColumnKind kind : columns) snapshot->columns.emplace_back(kind, vocabulary->seed);
  std::vector<std::shared_ptr<const SegmentFile>> terms, words;
  std::shared_ptr<const SegmentFile> documents;
  std::map<uint64_t, SegmentRef> records;
  if (is_for_records) snapshot->partitions.push_back(PartitionBuilder(0, 0).Finish(0, kNoTerm));
  for (const SegmentRef& ref : live) {
    if (ref.kind == SegmentKind::kRecords) {
      records[ref.number] = ref;
      continue;
    }
    if (ref.kind == SegmentKind::kColumns) continue;  // the table says which of them count
    if (is_for_records && (IsOfPostings(ref.kind) || ref.kind == SegmentKind::kWords)) continue;
    auto segment = OpenSegment(ref);
    if (!segment.ok()) return segment.status();
    if (ref.kind == SegmentKind::kTerms) terms.push_back(segment.value());
    if (ref.kind == SegmentKind::kWords) words.push_back(segment.value());
    if (ref.kind == SegmentKind::kDocuments) documents = segment.value();
    if (ref.kind == SegmentKind::kPhraseRegistry) {
      auto registry = PhraseRegistry::Open(segment.value());
      if (!registry.ok()) return registry.status();
      snapshot->phrases.registry = std::move(registry.value());
    }
    Status status = LoadPostings(segment.value(), snapshot.get());
    if (!status.ok()) return status;
  }
  if (!documents) return Status(Code::kCorrupt, "the list of segments names no document table");
  if (!snapshot->phrases.registry && !(snapshot->phrases.partitions.empty() && snapshot->phrases.runs.empty()))
    return Status(Code::kCorrupt, "the list of segments names lists of phrases and no registry of them");
  for (PostingSet* set : {static_cast<PostingSet*>(snapshot.get()), static_cast<PostingSet*>(&snapshot->phrases)}) {
    std::sort(set->partitions.begin(), set->partitions.end(),
              [](const auto& a, const auto& b) { return a->term_begin() < b->term_begin(); });
    std::sort(set->runs.begin(), set->runs.end(),
              [](const auto& a, const auto& b) { return a->sequence() < b->sequence(); });
  }

  Status status = LoadTerms(std::move(terms), vocabulary.get(), snapshot.get());
  if (!status.ok()) return status;
  auto table = DocumentTable::Open(
      documents, fields, columns, [&](uint64_t number) -> Result<std::shared_ptr<const SegmentFile>> {
        const auto found = records.find(number);
        if (found == records.end())
          return Status(Code::kCorrupt,
                        "the document table refers to segment " + std::to_string(number) + ", which is not listed");
        return OpenSegment(found->second);
      });
  if (!table.ok()) return table.status();
  status = LoadDocuments(table.value(), vocabulary.get(), snapshot.get());
  if (!status.ok()) return status;
  snapshot->vocabulary = std::move(vocabulary);
  if (!is_for_records) status = LoadColumns(std::move(words), live, snapshot.get());
  if (!status.ok()) return status;
  status = snapshot->CheckCoverage();
  if (!status.ok()) return status;
  NoteChangedSinceFolds(snapshot.get());
  live_ = live;
  return snapshot;
}

Status IndexStore::LoadTerms(std::vector<std::shared_ptr<const SegmentFile>> segments, Vocabulary* vocabulary,
                             Snapshot* snapshot) {
  std::sort(segments.begin(), segments.end(),
            [](const auto& a, const auto& b) { return IsEarlier(TermRangeOf(*a), TermRangeOf(*b)); });
  for (const auto& segment : segments) {
    Status status = ReadTermSegment(*segment, vocabulary, snapshot);
    if (!status.ok()) return status;
    vocabulary->owners.push_back(segment);
  }
  snapshot->term_count = static_cast<TermId>(vocabulary->terms.size());
  snapshot->spelling_count = static_cast<SpellingId>(vocabulary->spellings.size());
  for (TermId term = 0; term < snapshot->term_count; ++term) {
    if (vocabulary->terms.FieldOf(term) < snapshot->fields.size()) continue;
    return Status(Code::kCorrupt, "term " + std::to_string(term) + " is in a field that the index does not have");
  }
  return {};
}

Status IndexStore::LoadColumns(std::vector<std::shared_ptr<const SegmentFile>> words,
                               const std::vector<SegmentRef>& live, Snapshot* snapshot) {
  std::ranges::sort(words, {}, [](const auto& segment) { return segment->name().number; });
  for (const auto& segment : words) {
    Status status = ReadWords(segment, &snapshot->columns);
    if (!status.ok()) return status;
  }
  snapshot->word_segments = std::move(words);
  const auto open = [&](uint64_t number) -> Result<std::shared_ptr<const SegmentFile>> {
    for (const SegmentRef& ref : live) {
      if (ref.kind == SegmentKind::kColumns && ref.number == number) return OpenSegment(ref);
    }
    return Status(Code::kCorrupt,
                  "the document table refers to segment " + std::to_string(number) + ", which is not listed");
  };
  return ReadPages(*snapshot->table, open, &snapshot->columns);
}

Status IndexStore::LoadDocuments(std::shared_ptr<const DocumentTable> table, Vocabulary* vocabulary,
                                 Snapshot* snapshot) {
  const TableKeys keys = table->ReadKeys();
  WeightTable::Editor weights(&snapshot->weights);
  for (DocId doc = 0; doc < table->limit(); ++doc) {
    if (!table->Has(doc) || table->WeightOf(doc) == 0) continue;
    weights.Set(doc, table->WeightOf(doc));
    snapshot->NoteWeight(doc, table->WeightOf(doc));
  }
  vocabulary->keys.BindAll(keys.entries, keys.ascending, keys.memory);
  const TableHead& head = table->head();
  snapshot->sequence = head.sequence;
  snapshot->documents = head.documents;
  snapshot->postings = head.postings;
  snapshot->forward_bytes = head.forward_bytes;
  snapshot->stored_bytes = head.stored_bytes;
  snapshot->value_bytes = head.value_bytes;
  snapshot->doc_limit = table->limit();
  for (size_t f = 0; f < snapshot->fields.size(); ++f) {
    if (f < table->totals().size()) snapshot->fields[f] = table->totals()[f];
    snapshot->norms[f] = table->Norms(f);
  }
  snapshot->table = std::move(table);
  return {};
}

void IndexStore::Remove(const std::vector<SegmentRef>& segments) noexcept {
  // What cannot be removed now, for want of memory, too, is found at the next opening.
  for (const SegmentRef& ref : segments) {
    try {
      (void)files_->Remove(PathOf(ref.number)).ok();
    } catch (const std::bad_alloc&) {
    }
  }
}

Status IndexStore::RemoveUnnamed() {
  auto names = files_->List(folder_);
  if (!names.ok()) return names.status();
  std::set<std::string> named;
  for (const SegmentRef& ref : live_) named.insert(SegmentFileName(ref.number));
  for (const std::string& name : names.value()) {
    // Only what looks like ours: a stranger's file is not touched.
    const bool is_segment = name.size() == 20 && name.ends_with(".seg");
    if (is_segment && !named.contains(name)) (void)files_->Remove(folder_ + "/" + name).ok();
  }
  return {};
}

// One flush, step by step. Holds the snapshot being written and the one being built.
class IndexStore::Flusher {
 public:
  Flusher(IndexStore* store, const Snapshot& snapshot, uint64_t next_number, FlushKind kind)
      : store_(*store),
        from_(snapshot),
        next_number_(next_number),
        renumbers_(kind == FlushKind::kRenumbers),
        tidies_(kind != FlushKind::kUsual),
        next_(std::make_shared<Snapshot>(snapshot)) {
    result_.sequence = snapshot.sequence;
  }

  Status Run() {
    for (auto step : {&Flusher::WritePostings, &Flusher::WriteRegistry, &Flusher::WriteTerms, &Flusher::WriteWords,
                      &Flusher::WriteDocuments}) {
      Status status = (this->*step)();
      if (!status.ok()) return status;
    }
    // Damage may have been met on the way or by a fold before. What was read as empty must not be written as such.
    if (from_.damage->has_damage()) return from_.damage->first();
    Status status = store_.files_->SyncFolder(store_.folder_);
    if (!status.ok()) return status;
    for (const SegmentRef& ref : store_.live_) {
      // Segments are compared by number alone: sizes are what the caller's list says.
      const bool is_live = std::any_of(result_.live.begin(), result_.live.end(),
                                       [&](const SegmentRef& live) { return live.number == ref.number; });
      if (!is_live) result_.obsolete.push_back(ref);
    }
    return {};
  }

  FlushResult& result() { return result_; }
  std::shared_ptr<Snapshot> next() { return std::move(next_); }

 private:
  // Writes one segment and opens it; `fill` adds its sections.
  template <typename Fill>
  Result<std::shared_ptr<const SegmentFile>> Write(SegmentKind kind, Fill fill) {
    SegmentRef ref{next_number_++, kind, 0};
    SegmentWriter writer({store_.id_, kind, ref.number});
    fill(&writer);
    result_.added.push_back(ref);  // before it is written: a half-written file is to be removed too
    Status status = writer.WriteTo(store_.files_.get(), store_.PathOf(ref.number));
    if (!status.ok()) return status;
    auto segment = store_.OpenSegment(ref);
    if (!segment.ok()) return segment.status();
    ref.bytes = segment.value()->size();
    result_.added.back() = ref;
    result_.live.push_back(ref);
    return segment;
  }

  void Keep(const SegmentFile& segment) {
    result_.live.push_back({segment.name().number, segment.name().kind, segment.size()});
  }

  Status WritePostings() {
    for (const auto& [set, of_partitions, of_runs] :
         {std::tuple(static_cast<PostingSet*>(next_.get()), SegmentKind::kPartition, SegmentKind::kRun),
          std::tuple(static_cast<PostingSet*>(&next_->phrases), SegmentKind::kPhrasePartition,
                     SegmentKind::kPhraseRun)}) {
      for (auto& partition : set->partitions) {
        Status status = WritePart(of_partitions, &partition);
        if (!status.ok()) return status;
      }
      for (auto& run : set->runs) {
        Status status = WritePart(of_runs, &run);
        if (!status.ok()) return status;
      }
    }
    return {};
  }

  Status WriteRegistry() {
    if (!next_->phrases.registry) return {};
    return WritePart(SegmentKind::kPhraseRegistry, &next_->phrases.registry);
  }

  // Writes a part that is only in memory, and puts what reads it from disk in its place.
  template <typename Part>
  Status WritePart(SegmentKind kind, std::shared_ptr<const Part>* part) {
    if ((*part)->segment()) {
      Keep(*(*part)->segment());
      return {};
    }
    auto segment = Write(kind, [&](SegmentWriter* writer) { (*part)->AddTo(writer); });
    if (!segment.ok()) return segment.status();
    auto mapped = Part::Open(segment.value());
    if (!mapped.ok()) return mapped.status();
    *part = std::move(mapped.value());
    return {};
  }

  // New terms go into a segment of their own; when there are many such segments, or terms have other numbers, all terms
  // go into one.
  Status WriteTerms() {
    if (renumbers_) return WriteTermsFrom(0, 0);
    std::vector<SegmentRef> old;
    uint64_t written = 0, written_spellings = 0;
    for (const SegmentRef& ref : store_.live_) {
      if (ref.kind != SegmentKind::kTerms) continue;
      old.push_back(ref);
      auto segment = store_.OpenSegment(ref);
      if (!segment.ok()) return segment.status();
      const TermRange range = TermRangeOf(*segment.value());
      written = std::max(written, range.end());
      written_spellings = std::max(written_spellings, range.end_spelling());
    }
    const bool has_more = written < from_.term_count || written_spellings < from_.spelling_count;
    const bool rewrites = old.size() >= kMaxTermSegments && has_more;
    if (!rewrites) result_.live.insert(result_.live.end(), old.begin(), old.end());
    if (!has_more) return {};
    const TermId first = rewrites ? 0 : static_cast<TermId>(written);
    const SpellingId first_spelling = rewrites ? 0 : static_cast<SpellingId>(written_spellings);
    return WriteTermsFrom(first, first_spelling);
  }

  Status WriteTermsFrom(TermId first, SpellingId first_spelling) {
    const auto fill = [&](SegmentWriter* writer) { AddTermSections(from_, first, first_spelling, writer); };
    return Write(SegmentKind::kTerms, fill).status();
  }

  // As terms.
  Status WriteWords() {
    auto& segments = next_->word_segments;
    const bool has_more = HasUnwrittenWords(from_, segments);
    if (has_more && segments.size() >= kMaxTermSegments) segments.clear();
    for (const auto& segment : segments) Keep(*segment);
    if (!has_more) return {};
    auto segment = Write(SegmentKind::kWords, [&](SegmentWriter* writer) { AddWordSections(from_, segments, writer); });
    if (!segment.ok()) return segment.status();
    segments.push_back(segment.value());
    return {};
  }

  Status WriteColumns(ColumnFlush* columns) {
    for (const auto& kept : columns->kept_segments()) Keep(*kept);
    if (columns->pages().empty()) return {};
    auto segment =
        Write(SegmentKind::kColumns, [&](SegmentWriter* writer) { writer->Add(kPagesSection, columns->pages()); });
    if (!segment.ok()) return segment.status();
    columns->SetNewSegment(segment.value());
    return {};
  }

  Status WriteDocuments() {
    // Folding and merging change no document: after them the partitions and runs alone are written.
    const bool is_tidy =
        !tidies_ || (!DocumentTableBuilder::IsUntidy(from_, store_.packs_records_) && !ColumnFlush::IsUntidy(from_));
    // Words that no document has are dropped without a batch.
    const bool has_pages =
        std::ranges::any_of(from_.columns, [](const Column& column) { return column.HasUnwrittenPages(); });
    if (from_.table && from_.table->head().sequence == from_.sequence && is_tidy && !has_pages && !renumbers_) {
      Keep(*from_.table->segment());
      for (const auto& kept : from_.table->record_segments()) Keep(*kept);
      for (const auto& kept : PageSegmentsOf(from_)) Keep(*kept);
      return {};
    }
    DocumentTableBuilder builder(from_, tidies_, store_.packs_records_);
    while (builder.Gather()) {
      auto segment = Write(SegmentKind::kRecords, [&](SegmentWriter* writer) { builder.AddRecordsTo(writer); });
      if (!segment.ok()) return segment.status();
      builder.AddSegment(segment.value());
    }
    for (const auto& kept : builder.kept_segments()) Keep(*kept);
    ColumnFlush columns(from_, tidies_);
    Status status = WriteColumns(&columns);
    if (!status.ok()) return status;
    auto segment = Write(SegmentKind::kDocuments, [&](SegmentWriter* writer) {
      builder.AddTo(writer);
      columns.AddTo(writer);
    });
    if (!segment.ok()) return segment.status();
    auto mapped = columns.MappedColumns();
    if (!mapped.ok()) return mapped.status();
    auto table = DocumentTable::Open(segment.value(), from_.fields.size(), KindsOf(from_.columns),
                                     [&](uint64_t number) { return builder.SegmentOf(number); });
    if (!table.ok()) return table.status();
    next_->table = table.value();
    next_->records = RecordTable();
    next_->columns = std::move(mapped.value());
    for (size_t f = 0; f < next_->norms.size(); ++f) next_->norms[f] = next_->table->Norms(f);
    return {};
  }

  static constexpr size_t kMaxTermSegments = 8;

  IndexStore& store_;
  const Snapshot& from_;
  uint64_t next_number_;
  const bool renumbers_;
  const bool tidies_;
  std::shared_ptr<Snapshot> next_;
  FlushResult result_;
};

Result<FlushResult> IndexStore::Flush(const Snapshot& snapshot, uint64_t next_number, FlushKind kind,
                                      std::shared_ptr<Snapshot>* next) {
  Flusher flusher(this, snapshot, next_number, kind);
  Status status;
  try {
    status = flusher.Run();
  } catch (...) {
    Remove(flusher.result().added);
    throw;
  }
  if (!status.ok()) {
    Remove(flusher.result().added);
    return status;
  }
  *next = flusher.next();
  return std::move(flusher.result());
}

}  // namespace freshdex::index
