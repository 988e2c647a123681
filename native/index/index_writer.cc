#include "native/index/index_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <unordered_map>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/index/column_editor.h"
#include "native/index/frequency_order.h"
#include "native/index/length_norm.h"

namespace freshdex::index {
namespace {

// What a document takes in the tables of numbers beside its key and its record.
constexpr uint64_t kBytesOfNewDocument = sizeof(DocRecord) + 64;

}  // namespace

IndexWriter::IndexWriter(const WriterConfig& config)
    : config_(config),
      vocabulary_(std::make_shared<Vocabulary>(config.seed)),
      numbers_(vocabulary_->key_table),
      differ_(config.analysis, config.fields, config.seed, config.keeps_log) {
  auto first = std::make_shared<Snapshot>();
  first->vocabulary = vocabulary_;
  first->damage = std::make_shared<DamageLog>();
  first->partitions.push_back(PartitionBuilder(0, 0).Finish(0, kNoTerm));
  first->norms.resize(config.fields);
  first->shrunk.resize(config.fields);
  first->fields.resize(config.fields);
  for (const ColumnKind kind : config.columns) first->columns.emplace_back(kind, config.seed);
  Install(std::move(first));
}

IndexWriter::IndexWriter(const WriterConfig& config, std::unique_ptr<IndexStore> store) : IndexWriter(config) {
  store_ = std::move(store);
}

std::shared_ptr<const Snapshot> IndexWriter::Current() const {
  std::lock_guard lock(current_mutex_);
  return current_;
}

void IndexWriter::Install(std::shared_ptr<Snapshot> next) {
  next->memory = MemoryOf(*next);
  Show(numbers_.Watch(std::move(next)));
}

void IndexWriter::Show(std::shared_ptr<const Snapshot> next) noexcept {
  deltas_before_fold_ = 0;
  // The old snapshot may die with `next`: outside the lock, since freeing it can take long.
  std::lock_guard lock(current_mutex_);
  current_.swap(next);
}

Status IndexWriter::OutOfTurn() { return Status(Code::kInternal, "a prepared batch or a flush waits to be settled"); }

Result<WriteReport> IndexWriter::Prepare(std::string_view slab, PostingObserver* observer, std::string_view links) {
  if (prepared_ || flush_) return OutOfTurn();
  return PrepareOrForget(observer, [&] { return PrepareBatch(slab, links, observer); });
}

Result<WriteReport> IndexWriter::PrepareBatch(std::string_view slab, std::string_view links,
                                              PostingObserver* observer) {
  Result<Batch> parsed = ParseBatch(slab, config_.fields, config_.columns, config_.analysis, config_.max_document_bytes,
                                    config_.link_field);
  if (!parsed.ok()) return parsed.status();
  const Batch& batch = parsed.value();
  const Result<std::vector<LinkedInput>> parsed_links = ParseLinks(links, config_.analysis, config_.link_field);
  if (!parsed_links.ok()) return parsed_links.status();
  std::unordered_map<std::string_view, const LinkedInput*> linked;
  for (const LinkedInput& entry : parsed_links.value()) linked.emplace(entry.key, &entry);

  auto prepared = std::make_unique<PreparedBatch>(current_, config_.seed);
  prepared->reserved = numbers_.Reserve();
  if (prepared->terms.published_size() == 0) {
    Status status = AddTermsByFrequency(config_.analysis, config_.fields, batch, &prepared->terms);
    if (!status.ok()) return status;
  }
  for (const PutInput& put : batch.puts) {
    const auto found = linked.empty() ? linked.end() : linked.find(put.key);
    const LinkedInput* const links_of_put = found == linked.end() ? nullptr : found->second;
    if (links_of_put) linked.erase(found);
    Status status = PreparePut(batch, put, links_of_put, observer, prepared.get());
    if (!status.ok()) return status;
  }
  for (std::string_view key : batch.removals) PrepareRemoval(key, observer, prepared.get());
  for (const LinkedInput& entry : parsed_links.value()) {
    // Those of documents that the batch puts went in with them.
    if (!linked.contains(entry.key)) {
      prepared->targets.push_back(kNoDoc);
      continue;
    }
    Status status = PrepareTarget(entry, observer, prepared.get());
    if (!status.ok()) return status;
  }
  Status status = Complete(std::move(prepared));
  if (!status.ok()) return status;
  return prepared_->report;
}

Status IndexWriter::Complete(std::unique_ptr<PreparedBatch> prepared) {
  if (current_->damage->has_damage()) return current_->damage->first();
  if (config_.keeps_log && prepared->row.empty()) prepared->row = MakeRow(*prepared);
  prepared->run = SealDeltas(prepared->docs, std::move(prepared->deltas), prepared->delta_ends);
  prepared->phrase_run = SealDeltas(prepared->docs, std::move(prepared->phrase_deltas), prepared->phrase_ends);
  prepared->deltas.clear();
  prepared->phrase_deltas.clear();
  prepared->report.new_terms = prepared->terms.added().size();
  prepared->report.postings_written = prepared->run->size();
  prepared_ = std::move(prepared);
  return {};
}

void IndexWriter::AssignDoc(std::string_view key, PreparedBatch* prepared, PreparedDoc* entry) {
  entry->doc = vocabulary_->keys.Find(key);
  if (entry->doc != kNoDoc) {
    entry->before = current_->Record(entry->doc);
    entry->key = vocabulary_->keys.KeyOf(entry->doc);
    return;
  }
  entry->is_new_key = true;
  entry->key = prepared->keys.emplace_back(key);
  entry->doc = numbers_.Take(&prepared->reserved);
}

std::vector<FieldInput> IndexWriter::WithLinks(std::span<const FieldInput> own, bool keeps_own,
                                               const LinkedInput* linked) const {
  FieldInput kept;
  kept.is_kept = true;
  std::vector<FieldInput> input(config_.fields, kept);
  if (!keeps_own) std::copy(own.begin(), own.end(), input.begin());
  if (linked && linked->texts) input[config_.link_field] = *linked->texts;
  return input;
}

// Compares `entry` with its new fields, and makes the forward record of `after`.
Status IndexWriter::DiffPrepared(std::span<const FieldInput> input, uint64_t text_hash, PreparedBatch* prepared,
                                 PreparedDoc* entry, DocRecord* after, DiffOutcome* outcome) {
  std::optional<ForwardView> old;
  if (entry->before) old.emplace(entry->before->forward);
  Status status = differ_.Diff(entry->doc, old, input, text_hash, &prepared->terms, &prepared->deltas, outcome);
  if (!status.ok()) return status;
  after->forward = std::make_shared<const std::string>(std::move(outcome->forward));
  after->sequence = current_->sequence + 1;
  entry->has_new_text = true;
  entry->text_hash = text_hash;
  entry->pieces = std::move(outcome->pieces);
  return {};
}

Status IndexWriter::PreparePut(const Batch& batch, const PutInput& put, const LinkedInput* linked,
                               PostingObserver* observer, PreparedBatch* prepared) {
  PreparedDoc entry;
  AssignDoc(put.key, prepared, &entry);
  if (entry.doc >= kMaxDocs) return Status(Code::kInternal, "the index holds the largest number of documents it can");
  const std::span<const FieldInput> input(batch.fields.data() + put.first_field, config_.fields);
  const std::optional<RecordView>& before = entry.before;
  std::optional<ForwardView> old;
  if (before) old.emplace(before->forward);
  if ((put.keeps_text || put.keeps_values) && !old)
    return Status(Code::kMalformed, "malformed batch: a text or values that are not there are kept");
  const uint64_t text_hash = put.keeps_text ? old->text_hash() : differ_.TextHash(input);

  auto after = std::make_shared<DocRecord>();
  after->weight = put.keeps_weight ? (before ? before->weight : 0) : put.weight;
  if (linked && linked->weight) after->weight = *linked->weight;
  std::string stored_hash;
  if (config_.keeps_stored_hash) AppendValue(&stored_hash, Xxh64(put.stored, config_.seed));
  const std::string_view stored = config_.keeps_stored_hash ? stored_hash : put.stored;
  const bool same_stored = before && before->stored == stored;
  const std::shared_ptr<const DocRecord> recent = current_->records[entry.doc];
  after->stored = same_stored && recent ? recent->stored : std::make_shared<const std::string>(stored);
  std::string merged;
  if (put.keeps_values) {
    bool keeps = false;
    auto of_record = ValuesOfPayload(put.payload, config_.columns, before->values, &keeps);
    if (!of_record) {
      (void)CanBuildOn(entry);
      return current_->damage->first();
    }
    merged = std::move(*of_record);
  }
  const std::string_view values = put.keeps_values ? merged : put.values;
  const bool same_values = before ? before->values == values : values.empty();
  after->values = same_values && before && recent ? recent->values : std::make_shared<const std::string>(values);
  entry.has_new_values = !same_values;

  WriteReport& report = prepared->report;
  const size_t first_delta = prepared->deltas.size();
  const bool same_text = old && old->text_hash() == text_hash;
  const bool is_compared = !same_text || (linked && linked->texts);
  const bool is_same = !is_compared && same_stored && same_values && before->weight == after->weight;
  if (!is_same && !CanBuildOn(entry)) return current_->damage->first();
  if (is_compared) {
    DiffOutcome outcome;
    const std::vector<FieldInput> fields = WithLinks(input, same_text, linked);
    Status status = DiffPrepared(fields, text_hash, prepared, &entry, after.get(), &outcome);
    if (!status.ok()) return status;
    report.tokens += outcome.tokens;
    report.tokens_tokenized += outcome.tokens_tokenized;
    report.tokens_truncated += outcome.tokens_truncated;
    report.rewritten += outcome.is_rewritten;
  } else {
    after->forward = recent ? recent->forward : std::make_shared<const std::string>(before->forward);
    after->sequence = before->sequence;  // norms and postings are as old as that
    report.tokens += old->totals().tokens;
  }
  ++(same_text ? report.unchanged : before ? report.replaced : report.added);
  report.postings += ForwardView(*after->forward).distinct_terms();
  prepared->numbers.push_back(is_same ? kNoDoc : entry.doc);
  const bool is_unmoved = !is_compared && before->weight == after->weight;
  const Outcome of_known = is_unmoved ? Outcome::kSame : same_text ? Outcome::kReweighted : Outcome::kChanged;
  prepared->named.push_back({entry.doc, before ? of_known : Outcome::kAdded});
  if (is_same) return {};

  entry.after = std::move(after);
  Add(std::move(entry), is_compared, prepared);
  if (observer && !is_unmoved) Notify(prepared->docs.back(), first_delta, is_compared, *prepared, observer);
  return {};
}

Status IndexWriter::PrepareTarget(const LinkedInput& linked, PostingObserver* observer, PreparedBatch* prepared) {
  const DocId doc = current_->FindKey(linked.key);
  PreparedDoc entry;
  if (doc != kNoDoc) entry.before = current_->Record(doc);
  if (!entry.before) {
    if (current_->damage->has_damage()) return current_->damage->first();
    return Status(Code::kMalformed, "malformed batch: links to a document that is not there");
  }
  entry.doc = doc;
  if (!CanBuildOn(entry)) return current_->damage->first();
  const RecordView& before = *entry.before;
  const std::shared_ptr<const DocRecord> recent = current_->records[doc];
  auto after = std::make_shared<DocRecord>();
  after->weight = linked.weight.value_or(before.weight);
  after->stored = recent ? recent->stored : std::make_shared<const std::string>(before.stored);
  after->values = recent ? recent->values : std::make_shared<const std::string>(before.values);
  const size_t first_delta = prepared->deltas.size();
  const bool is_compared = linked.texts.has_value();
  if (is_compared) {
    DiffOutcome outcome;
    const std::vector<FieldInput> fields = WithLinks({}, true, &linked);
    const uint64_t text_hash = ForwardView(before.forward).text_hash();
    Status status = DiffPrepared(fields, text_hash, prepared, &entry, after.get(), &outcome);
    if (!status.ok()) return status;
    prepared->report.tokens_truncated += outcome.tokens_truncated;
  } else {
    after->forward = recent ? recent->forward : std::make_shared<const std::string>(before.forward);
    after->sequence = before.sequence;
  }
  prepared->targets.push_back(doc);
  const bool has_moved = prepared->deltas.size() > first_delta || before.weight != after->weight;
  prepared->report.moved_targets += has_moved;
  if (!is_compared && !has_moved) return {};
  entry.after = std::move(after);
  Add(std::move(entry), is_compared, prepared);
  if (observer) Notify(prepared->docs.back(), first_delta, is_compared, *prepared, observer);
  return {};
}

void IndexWriter::PrepareRemoval(std::string_view key, PostingObserver* observer, PreparedBatch* prepared) {
  const DocId doc = current_->FindKey(key);
  prepared->numbers.push_back(doc);
  prepared->named.push_back({doc, doc == kNoDoc ? Outcome::kMissing : Outcome::kRemoved});
  if (doc == kNoDoc) {
    ++prepared->report.missing;
    return;
  }
  PreparedDoc entry;
  entry.doc = doc;
  entry.before = current_->Record(doc);
  if (!entry.before || !CanBuildOn(entry)) return;  // damaged: Complete() finds it in the damage log and fails
  const size_t first_delta = prepared->deltas.size();
  differ_.Remove(doc, ForwardView(entry.before->forward), &prepared->deltas);
  entry.has_new_values = !entry.before->values.empty();
  ++prepared->report.removed;
  Add(std::move(entry), true, prepared);
  if (observer) Notify(prepared->docs.back(), first_delta, true, *prepared, observer);
}

void IndexWriter::Add(PreparedDoc entry, bool is_compared, PreparedBatch* prepared) {
  const PhraseRegistry* registry = current_->phrases.registry.get();
  if (registry && is_compared) {
    std::optional<ForwardView> old, next;
    if (entry.before) old.emplace(entry.before->forward);
    if (entry.after) next.emplace(*entry.after->forward);
    phrase_differ_.Diff(*registry, entry.doc, old, next, &differ_, &prepared->phrase_deltas);
  }
  prepared->docs.push_back(std::move(entry));
  prepared->delta_ends.push_back(prepared->deltas.size());
  prepared->phrase_ends.push_back(prepared->phrase_deltas.size());
}

void IndexWriter::Notify(const PreparedDoc& entry, size_t first_delta, bool is_compared, const PreparedBatch& prepared,
                         PostingObserver* observer) const {
  std::array<uint8_t, kMaxFields> norms_before{}, norms_after{};
  DocumentChange change;
  change.doc = entry.doc;
  if (entry.before) {
    change.before.emplace(entry.before->forward);
    change.weight_before = entry.before->weight;
    for (size_t f = 0; f < config_.fields; ++f) norms_before[f] = EncodeLength(change.before->extent(f).tokens);
  }
  if (entry.after) {
    change.after.emplace(*entry.after->forward);
    change.weight_after = entry.after->weight;
    for (size_t f = 0; f < config_.fields; ++f) norms_after[f] = EncodeLength(change.after->extent(f).tokens);
  }
  change.deltas = std::span(prepared.deltas).subspan(first_delta);
  change.norms_before = std::span(norms_before).first(config_.fields);
  change.norms_after = std::span(norms_after).first(config_.fields);
  change.has_same_text = entry.before && entry.after && !entry.has_new_text;
  change.terms = &prepared.terms;
  if (is_compared) change.followed = differ_.followed();
  observer->OnDocument(change);
}

// The run wants each term's documents ascending: the documents' deltas are put in order first, then sorted by term,
// stably. `ends` has the end of each document's deltas.
std::shared_ptr<const DeltaRun> IndexWriter::SealDeltas(const std::vector<PreparedDoc>& docs,
                                                        std::vector<PostingDelta> deltas,
                                                        const std::vector<size_t>& ends) const {
  std::vector<size_t> order(docs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto before = [&](size_t a, size_t b) { return docs[a].doc < docs[b].doc; };
  if (!deltas.empty() && !std::is_sorted(order.begin(), order.end(), before)) {
    std::sort(order.begin(), order.end(), before);
    std::vector<PostingDelta> reordered;
    reordered.reserve(deltas.size());
    for (size_t i : order) {
      const size_t begin = i == 0 ? 0 : ends[i - 1];
      reordered.insert(reordered.end(), deltas.begin() + static_cast<std::ptrdiff_t>(begin),
                       deltas.begin() + static_cast<std::ptrdiff_t>(ends[i]));
    }
    deltas.swap(reordered);
  }
  return DeltaRun::Seal(std::move(deltas), current_->sequence + 1);
}

std::vector<DocumentSketch> IndexWriter::SketchPrepared() const {
  std::vector<DocumentSketch> sketches(prepared_->named.size(), EmptySketch());
  // `docs` has, in the same order, those for which something is to be done: all that are added or changed among them.
  auto entry = prepared_->docs.begin();
  for (size_t i = 0; i < sketches.size(); ++i) {
    const NamedDocument& named = prepared_->named[i];
    if (named.outcome != Outcome::kAdded && named.outcome != Outcome::kChanged) continue;
    while (entry->doc != named.doc) ++entry;
    sketches[i] = SketchOf(ForwardView(*entry->after->forward), config_.link_field, prepared_->terms);
  }
  return sketches;
}

void IndexWriter::Discard(PostingObserver* observer) {
  if (observer) observer->OnDiscard();
  prepared_.reset();
}

void IndexWriter::Publish(PostingObserver* observer) {
  assert(prepared_ && !flush_);
  DocumentNumbers::Changes changes;
  std::shared_ptr<const Snapshot> shown;
  try {
    auto next = std::make_shared<Snapshot>(*current_);
    next->sequence += 1;
    AddTermsAndKeys(next.get());
    ApplyDocuments(next.get(), &changes);
    ApplyColumns(next.get());
    if (prepared_->run->size() > 0) next->runs.push_back(prepared_->run);
    if (prepared_->phrase_run->size() > 0) next->phrases.runs.push_back(prepared_->phrase_run);
    next->memory = MemoryOf(*next);
    numbers_.MakeRoomFor(changes);
    shown = numbers_.Watch(std::move(next));
  } catch (...) {
    TakeBackTermsAndKeys(*current_);
    throw;
  }
  // From here on nothing takes memory.
  const size_t deltas = prepared_->run->size() + prepared_->phrase_run->size();
  const size_t room = deltas_before_fold_ - std::min(deltas_before_fold_, deltas);
  numbers_.Commit(std::move(prepared_->reserved));
  numbers_.Apply(std::move(changes));
  prepared_.reset();
  Show(std::move(shown));
  deltas_before_fold_ = room;
  numbers_.Reclaim();
  if (observer) observer->OnPublish();
}

void IndexWriter::TakeBackTermsAndKeys(const Snapshot& before) noexcept {
  for (const PreparedDoc& entry : prepared_->docs) {
    if (entry.is_new_key && vocabulary_->keys.IsBound(entry.doc)) vocabulary_->keys.Release(entry.doc);
  }
  vocabulary_->keys.TruncateTo(before.doc_limit);
  vocabulary_->spellings.TruncateTo(before.term_count, before.spelling_count);
  vocabulary_->terms.TruncateTo(before.term_count);
}

void IndexWriter::AddTermsAndKeys(Snapshot* next) {
  const TermDict& added = prepared_->terms.added();
  const SpellingTable& spellings = prepared_->terms.added_spellings();
  std::vector<TermId> fresh;
  fresh.reserve(added.size());
  for (TermId i = 0; i < added.size(); ++i) {
    const FieldId field = added.FieldOf(i);
    const std::string_view bytes = added.Text(i);
    fresh.push_back(vocabulary_->terms.Add(field, bytes, added.Hash(field, bytes)));
    vocabulary_->spellings.AddTerm(spellings.IsSpeltAsIs(i));
  }
  next->term_count = static_cast<TermId>(vocabulary_->terms.size());
  next->sorted_terms.Add(vocabulary_->terms, std::move(fresh));
  std::vector<SpellingId> spelt;
  spelt.reserve(spellings.size());
  for (SpellingId i = 0; i < spellings.size(); ++i) {
    const FieldId field = spellings.FieldOf(i);
    const std::string_view bytes = spellings.Text(i);
    spelt.push_back(vocabulary_->spellings.Add(field, bytes, spellings.TermOf(i), added.Hash(field, bytes)));
  }
  next->spelling_count = static_cast<SpellingId>(vocabulary_->spellings.size());
  next->sorted_spellings.Add(vocabulary_->spellings, std::move(spelt));
  for (const PreparedDoc& entry : prepared_->docs) {
    if (entry.is_new_key) vocabulary_->keys.Bind(entry.key, entry.doc);
  }
  next->doc_limit = vocabulary_->keys.bound_limit();
}

void IndexWriter::ApplyDocuments(Snapshot* next, DocumentNumbers::Changes* changes) {
  // This record hides what the table on disk has. Without a table, the absence of a record says the same.
  auto removed = std::make_shared<DocRecord>();
  removed->is_removed = true;
  const std::shared_ptr<const DocRecord> hidden = std::move(removed);
  RecordTable::Editor records(&next->records);
  WeightTable::Editor weights(&next->weights);
  std::vector<NormTable::Editor> norms;
  for (NormTable& table : next->norms) norms.emplace_back(&table);
  std::vector<ShrunkDocuments::Editor> shrunk;
  const uint64_t folded_through = next->FoldedThrough();
  for (ShrunkDocuments& table : next->shrunk) shrunk.emplace_back(&table, folded_through);

  for (const PreparedDoc& entry : prepared_->docs) {
    for (size_t f = 0; f < config_.fields; ++f) {
      FieldTotals& totals = next->fields[f];
      const uint32_t before = entry.before ? ForwardView(entry.before->forward).extent(f).tokens : 0;
      const uint32_t after = entry.after ? ForwardView(*entry.after->forward).extent(f).tokens : 0;
      totals.documents += static_cast<uint64_t>(after > 0) - static_cast<uint64_t>(before > 0);
      totals.tokens += static_cast<uint64_t>(after) - before;
      const uint8_t norm_before = EncodeLength(before), norm_after = EncodeLength(after);
      if (norm_before != norm_after) norms[f].Set(entry.doc, norm_after);
      // Removals too: deltas of a document that comes back as it was vanish, and its old postings count again.
      if (norm_after < norm_before) shrunk[f].Note({next->sequence, entry.doc, norm_before});
    }
    const double weight_before = entry.before ? entry.before->weight : 0;
    const double weight_after = entry.after ? entry.after->weight : 0;
    if (weight_before != weight_after) weights.Set(entry.doc, weight_after);
    if (weight_after > weight_before) next->NoteWeight(entry.doc, weight_after);
    next->documents += static_cast<uint64_t>(entry.after != nullptr) - static_cast<uint64_t>(entry.before.has_value());
    next->postings += (entry.after ? ForwardView(*entry.after->forward).distinct_terms() : 0) -
                      uint64_t{entry.before ? ForwardView(entry.before->forward).distinct_terms() : 0};
    next->forward_bytes +=
        (entry.after ? entry.after->forward->size() : 0) - (entry.before ? entry.before->forward.size() : 0);
    next->stored_bytes +=
        (entry.after ? entry.after->stored->size() : 0) - (entry.before ? entry.before->stored.size() : 0);
    next->value_bytes +=
        (entry.after ? entry.after->values->size() : 0) - (entry.before ? entry.before->values.size() : 0);
    if (entry.after) {
      changes->OnWritten(entry.doc);
    } else {
      changes->OnRemoved(entry.doc, next->sequence);
    }
    records.Set(entry.doc, entry.after || !next->table ? entry.after : hidden);
  }
}

void IndexWriter::ApplyColumns(Snapshot* next) {
  if (next->columns.empty()) return;
  ColumnEditor columns(config_.columns, &next->columns);
  for (const PreparedDoc& entry : prepared_->docs) {
    if (entry.has_new_values) columns.Set(entry.doc, entry.after ? std::string_view(*entry.after->values) : "");
  }
  columns.Finish();
}

MemoryParts IndexWriter::MemoryOf(const Snapshot& snapshot) const {
  MemoryParts memory;
  memory.terms = snapshot.terms().MemoryBytes() + snapshot.spellings().MemoryBytes() +
                 snapshot.sorted_terms.MemoryBytes() + snapshot.sorted_spellings.MemoryBytes();
  memory.keys = vocabulary_->keys.MemoryBytes();
  memory.documents = snapshot.records.MemoryBytes() + snapshot.weights.MemoryBytes();
  // Records that the table on disk shows take no memory of ours; which of them were replaced since is not counted one
  // by one.
  const TableHead mapped = snapshot.table ? snapshot.table->head() : TableHead();
  const uint64_t record_bytes =
      snapshot.forward_bytes + snapshot.stored_bytes + snapshot.value_bytes + snapshot.documents * sizeof(DocRecord);
  const uint64_t mapped_bytes = mapped.forward_bytes + mapped.stored_bytes + mapped.documents * sizeof(DocRecord);
  memory.documents += record_bytes > mapped_bytes ? record_bytes - mapped_bytes : 0;
  for (const Column& column : snapshot.columns) memory.documents += column.MemoryBytes();
  for (const NormTable& table : snapshot.norms) memory.documents += table.MemoryBytes();
  for (const ShrunkDocuments& table : snapshot.shrunk) memory.documents += table.MemoryBytes();
  const auto add = [&](const auto& parts) {
    for (const auto& part : parts)
      (part->segment() && part->segment()->is_mapped() ? memory.mapped : memory.postings) += part->MemoryBytes();
  };
  add(snapshot.partitions);
  add(snapshot.runs);
  add(snapshot.phrases.partitions);
  add(snapshot.phrases.runs);
  if (snapshot.phrases.registry) memory.postings += snapshot.phrases.registry->MemoryBytes();
  if (snapshot.table) {
    const SegmentFile& segment = *snapshot.table->segment();
    (segment.is_mapped() ? memory.mapped : memory.documents) += segment.size();
  }
  return memory;
}

uint64_t IndexWriter::PreparedBytes() const {
  const PreparedBatch& batch = *prepared_;
  uint64_t bytes = batch.terms.added().MemoryBytes() + batch.terms.added_spellings().MemoryBytes() +
                   (batch.terms.added().size() + batch.terms.added_spellings().size()) * sizeof(TermId) +
                   batch.run->MemoryBytes() + batch.phrase_run->MemoryBytes();
  uint64_t before = 0;
  for (const PreparedDoc& entry : batch.docs) {
    if (entry.is_new_key) bytes += entry.key.size() + kBytesOfNewDocument;
    if (entry.after) bytes += entry.after->forward->size() + entry.after->stored->size();
    const DocRecord* const held = batch.base->records[entry.doc].get();
    if (held && !held->is_removed) before += held->forward->size() + held->stored->size();
  }
  return bytes > before ? bytes - before : 0;
}

}  // namespace freshdex::index
