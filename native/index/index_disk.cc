// IndexWriter on disk: rows of the log, loading, flushing. See index_store.h for the segments and delta_row.h for the
// rows.
#include <algorithm>
#include <cassert>
#include <string>
#include <unordered_set>

#include "native/index/index_writer.h"

namespace freshdex::index {

Status IndexWriter::Load(const std::vector<SegmentRef>& live, bool is_for_records) {
  if (live.empty()) {
    auto first = std::make_shared<Snapshot>(*current_);
    first->damage = store_->damage();
    Install(std::move(first));
    return {};
  }
  auto loaded = store_->Load(live, vocabulary_, config_.fields, config_.columns, is_for_records);
  if (!loaded.ok()) return loaded.status();
  for (DocId doc = loaded.value()->doc_limit; doc-- > 0;) {
    if (!loaded.value()->IsVisible(doc)) numbers_.AddFree(doc);
  }
  Install(std::move(loaded.value()));
  return {};
}

Result<FlushResult> IndexWriter::Flush(uint64_t next_number, bool tidies) {
  if (prepared_ || flush_) return OutOfTurn();
  PendingFlush pending;
  std::optional<Reclaimed> reclaimed;
  if (tidies) reclaimed = ReclaimTerms(*current_, config_.phrase_limits, config_.partition_bytes);
  if (reclaimed) pending.vocabulary = std::move(reclaimed->vocabulary);
  auto result =
      reclaimed ? store_->Flush(*reclaimed->snapshot, next_number, FlushKind::kRenumbers, &pending.next)
                : store_->Flush(*current_, next_number, tidies ? FlushKind::kTidies : FlushKind::kUsual, &pending.next);
  if (!result.ok()) return result.status();
  pending.result = std::move(result.value());
  FlushResult given = pending.result;
  flush_.emplace(std::move(pending));
  return given;
}

void IndexWriter::AdoptFlush(PostingObserver* observer) {
  const std::shared_ptr<Snapshot> next = flush_->next;
  next->memory = MemoryOf(*next);
  std::shared_ptr<const Snapshot> shown = numbers_.Watch(next);
  std::vector<SegmentRef> live = flush_->result.live;
  if (flush_->vocabulary && observer) observer->OnRenumber(*next);
  const std::vector<SegmentRef> obsolete = std::move(flush_->result.obsolete);
  // From here on nothing takes memory.
  if (flush_->vocabulary) TakeVocabulary(std::move(flush_->vocabulary));
  store_->Adopt(std::move(live));
  Show(std::move(shown));
  flush_.reset();
  store_->Remove(obsolete);
}

void IndexWriter::AbandonFlush() {
  const std::vector<SegmentRef> added = std::move(flush_->result.added);
  flush_.reset();
  store_->Remove(added);
}

Status IndexWriter::RemoveUnnamedSegments() { return store_->RemoveUnnamed(); }

bool IndexWriter::CanBuildOn(const PreparedDoc& entry) const {
  if (!entry.before || current_->records[entry.doc]) return true;
  const TermId known = current_->term_count;
  const bool has_sound_tokens =
      ForwardView(entry.before->forward).HasSoundTokens([known](TermId term, FieldId) { return term < known; });
  if (has_sound_tokens && ReadValues(entry.before->values, config_.columns)) return true;
  const std::string part = has_sound_tokens ? "record of the values" : "forward record";
  current_->damage->Note(
      Status(Code::kCorrupt, "the " + part + " of document " + std::to_string(entry.doc) + " makes no sense"));
  return false;
}

std::string IndexWriter::MakeRow(const PreparedBatch& prepared) const {
  DeltaRow row;
  row.sequence = current_->sequence + 1;
  row.reclaimed = vocabulary_->terms.reclaimed();
  const TermDict& added = prepared.terms.added();
  const SpellingTable& spellings = prepared.terms.added_spellings();
  for (TermId i = 0; i < added.size(); ++i)
    row.terms.push_back({added.FieldOf(i), added.Text(i), spellings.IsSpeltAsIs(i)});
  for (SpellingId i = 0; i < spellings.size(); ++i) row.spellings.push_back({spellings.TermOf(i), spellings.Text(i)});
  for (const PreparedDoc& entry : prepared.docs) {
    RowDocument document;
    document.doc = entry.doc;
    document.is_removed = !entry.after;
    // The key is written also when it comes back to a number still bound to it: a replay may have let it go already.
    document.has_key = entry.after && !entry.before;
    document.has_new_text = entry.has_new_text;
    document.key = entry.key;
    document.text_hash = entry.text_hash;
    document.pieces = entry.pieces;
    if (entry.after) {
      document.weight = entry.after->weight;
      document.stored = *entry.after->stored;
      document.values = *entry.after->values;
    }
    row.documents.push_back(document);
  }
  return EncodeRow(row, config_.fields, config_.seed);
}

Status IndexWriter::PrepareRow(std::string_view bytes, PostingObserver* observer) {
  if (prepared_ || flush_) return OutOfTurn();
  Result<DeltaRow> decoded = DecodeRow(bytes, config_.fields, config_.seed);
  if (!decoded.ok()) return decoded.status();
  const DeltaRow& row = decoded.value();
  if (row.sequence != current_->sequence + 1) {
    return Status(Code::kCorrupt, "the log has batch " + std::to_string(row.sequence) + " where " +
                                      std::to_string(current_->sequence + 1) + " is due");
  }
  // A reader that follows still has the numbers from before: the segments have those of the row.
  if (row.reclaimed > vocabulary_->terms.reclaimed())
    return Status(Code::kTermsRenumbered, "the terms have had other numbers since words were reclaimed");
  if (row.reclaimed < vocabulary_->terms.reclaimed())
    return Status(Code::kCorrupt, "a log row has numbers of terms from before words were reclaimed");
  return PrepareOrForget(observer, [&] { return PrepareDecoded(row, bytes, observer); });
}

Status IndexWriter::PrepareDecoded(const DeltaRow& row, std::string_view bytes, PostingObserver* observer) {
  auto prepared = std::make_unique<PreparedBatch>(current_, config_.seed);
  prepared->row = bytes;
  prepared->reserved = numbers_.Reserve();
  for (const RowTerm& term : row.terms) {
    if (!prepared->terms.AddTerm(term.field, term.bytes, term.is_spelt_as_is))
      return Status(Code::kCorrupt, "a log row brings a term that is there already");
  }
  for (const RowSpelling& spelling : row.spellings) {
    if (spelling.term >= prepared->terms.size() || !prepared->terms.AddSpelling(spelling.term, spelling.bytes))
      return Status(Code::kCorrupt, "a log row brings a spelling that is there already, or one of no term");
  }
  std::unordered_set<DocId> numbers;
  std::unordered_set<std::string_view> keys;
  for (const RowDocument& document : row.documents) {
    if (!numbers.insert(document.doc).second || (document.has_key && !keys.insert(document.key).second))
      return Status(Code::kCorrupt, "a log row has a document twice, document " + std::to_string(document.doc));
    prepared->numbers.push_back(document.doc);
    Status status = ReplayDocument(document, observer, prepared.get());
    if (!status.ok()) return status;
  }
  return Complete(std::move(prepared));
}

Status IndexWriter::ReplayDocument(const RowDocument& document, PostingObserver* observer, PreparedBatch* prepared) {
  PreparedDoc entry;
  entry.doc = document.doc;
  if (document.has_key) {
    const DocId bound = vocabulary_->keys.Find(document.key);
    const bool is_free = numbers_.CanTake(document.doc, prepared->reserved);
    // A document that is removed here too and only kept because a snapshot shows it. The writer of the row had no such
    // snapshot.
    const auto waits = [&](DocId doc) { return doc != kNoDoc && numbers_.IsWaiting(doc); };
    if (bound != document.doc && (waits(bound) || waits(document.doc))) {
      return Status(Code::kSnapshotInTheWay, "a snapshot still shows document " + std::to_string(document.doc));
    }
    if (bound != document.doc && (bound != kNoDoc || !is_free)) {
      return Status(Code::kCorrupt,
                    "a log row does not fit the keys of the index, document " + std::to_string(document.doc));
    }
    entry.is_new_key = bound == kNoDoc;
    entry.key = prepared->keys.emplace_back(document.key);
    numbers_.TakeChosen(document.doc, !entry.is_new_key, &prepared->reserved);
  }
  entry.before = current_->Record(document.doc);
  if (!entry.before && current_->IsVisible(document.doc)) return current_->damage->first();
  if (!CanBuildOn(entry)) return current_->damage->first();
  std::optional<ForwardView> old;
  if (entry.before) old.emplace(entry.before->forward);
  const bool is_new = document.has_key && document.has_new_text;
  if (old ? document.has_key : !is_new)
    return Status(Code::kCorrupt, "a log row and the index differ about document " + std::to_string(document.doc));

  if (!ReadValues(document.values, config_.columns))
    return Status(Code::kCorrupt, "a log row has values that make no sense, document " + std::to_string(document.doc));
  entry.has_new_values = (entry.before ? entry.before->values : std::string_view()) != document.values;

  const size_t first_delta = prepared->deltas.size();
  if (document.is_removed) {
    differ_.Remove(document.doc, *old, &prepared->deltas);
  } else {
    auto after = std::make_shared<DocRecord>();
    after->weight = document.weight;
    after->stored = std::make_shared<const std::string>(document.stored);
    after->values = std::make_shared<const std::string>(document.values);
    after->sequence = document.has_new_text ? current_->sequence + 1 : entry.before->sequence;
    DiffOutcome outcome;
    if (document.has_new_text) {
      Status status = differ_.Replay(document.doc, old, document.pieces, document.text_hash, prepared->terms,
                                     &prepared->deltas, &outcome);
      if (!status.ok()) return status;
    }
    after->forward = std::make_shared<const std::string>(document.has_new_text ? std::move(outcome.forward)
                                                                               : std::string(entry.before->forward));
    entry.after = std::move(after);
    entry.has_new_text = document.has_new_text;
  }
  const bool moves_weight = entry.before && entry.after && entry.before->weight != entry.after->weight;
  Add(std::move(entry), document.is_removed || document.has_new_text, prepared);
  if (observer && (document.is_removed || document.has_new_text || moves_weight)) {
    Notify(prepared->docs.back(), first_delta, document.is_removed || document.has_new_text, *prepared, observer);
  }
  return {};
}

}  // namespace freshdex::index
