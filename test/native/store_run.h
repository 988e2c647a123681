// A random life of an index on disk. The caller's part is played here too: a list of live segments and a log of rows,
// both of which only a transaction changes, in one step. Every state between two transactions is remembered, for the
// tests that cut the power.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/memory_files.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/random_text.h"

namespace freshdex::test {

inline constexpr char kStoreFolder[] = "index";
inline constexpr index::IndexId kStoreId{0x1122334455667788, 0x99AABBCCDDEEFF00};

// What the caller has recorded for good.
struct Durable {
  std::vector<index::SegmentRef> manifest;
  std::map<uint64_t, std::shared_ptr<const std::string>> log;  // by sequence
  uint64_t next_number = 1;
  ModelDocuments documents;
};

inline index::WriterConfig StoreConfig(index::AnalysisKind analysis) {
  index::WriterConfig config;
  config.fields = kRandomFields;
  config.columns = kRandomColumns;
  config.analysis = analysis;
  config.seed = 17;
  config.fold_floor = 8;
  config.partition_bytes = 256;
  config.phrase_limits.least_pages = 3;
  config.keeps_log = true;
  return config;
}

inline std::string SegmentPath(uint64_t number) {
  return std::string(kStoreFolder) + "/" + index::SegmentFileName(number);
}

inline std::set<std::string> PathsOf(const std::vector<index::SegmentRef>& segments) {
  std::set<std::string> paths;
  for (const index::SegmentRef& ref : segments) paths.insert(SegmentPath(ref.number));
  return paths;
}

// An open index and its parts.
struct OpenIndex {
  std::shared_ptr<index::DamageLog> damage = std::make_shared<index::DamageLog>();
  std::unique_ptr<index::IndexWriter> writer;
  index::IndexStore* store = nullptr;  // the writer's
  Status status;                       // of the opening
};

// Loads the segments and replays the log.
inline OpenIndex Open(std::shared_ptr<FileSystem> files, const Durable& durable, const index::WriterConfig& config) {
  OpenIndex open;
  auto store = std::make_unique<index::IndexStore>(std::move(files), kStoreFolder, kStoreId, open.damage);
  open.store = store.get();
  open.writer = std::make_unique<index::IndexWriter>(config, std::move(store));
  open.status = open.writer->Load(durable.manifest);
  for (const auto& [sequence, row] : durable.log) {
    if (!open.status.ok()) break;
    open.status = open.writer->PrepareRow(*row, nullptr);
    if (!open.status.ok()) break;
    open.writer->Publish(nullptr);
  }
  return open;
}

inline void ExpectOk(const Status& status) { EXPECT_EQ(status.message(), ""); }

// Everything but how postings are spread over partitions and runs.
inline void ExpectSame(const index::Snapshot& a, const index::Snapshot& b) {
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.documents, b.documents);
  EXPECT_EQ(a.postings, b.postings);
  EXPECT_EQ(a.doc_limit, b.doc_limit);
  // Unless terms were reclaimed in between.
  const bool has_same_terms = a.terms().reclaimed() == b.terms().reclaimed();
  EXPECT(!has_same_terms || a.term_count == b.term_count);
  EXPECT(!has_same_terms || a.forward_bytes == b.forward_bytes);
  EXPECT_EQ(a.stored_bytes, b.stored_bytes);
  EXPECT_EQ(a.value_bytes, b.value_bytes);
  for (size_t f = 0; f < a.fields.size(); ++f) {
    EXPECT_EQ(a.fields[f].documents, b.fields[f].documents);
    EXPECT_EQ(a.fields[f].tokens, b.fields[f].tokens);
  }
  for (index::TermId term = 0; has_same_terms && term < std::min(a.term_count, b.term_count); ++term) {
    EXPECT(a.terms().IdentityOf(term) == b.terms().IdentityOf(term));
    EXPECT(a.terms().Text(term) == b.terms().Text(term) && a.terms().FieldOf(term) == b.terms().FieldOf(term));
  }
  for (index::DocId doc = 0; doc < std::max(a.doc_limit, b.doc_limit); ++doc) {
    const auto left = a.Record(doc), right = b.Record(doc);
    EXPECT_EQ(left.has_value(), right.has_value());
    if (!left || !right) continue;
    EXPECT(!has_same_terms || left->forward == right->forward);
    EXPECT_EQ(left->stored, right->stored);
    EXPECT(left->values == right->values);
    EXPECT(ValuesOf(a, doc) == ValuesOf(b, doc));
    EXPECT_EQ(left->weight, right->weight);
    EXPECT_EQ(left->sequence, right->sequence);
    EXPECT_EQ(a.vocabulary->keys.KeyOf(doc), b.vocabulary->keys.KeyOf(doc));
    for (size_t f = 0; f < a.norms.size(); ++f) EXPECT_EQ(a.norms[f][doc], b.norms[f][doc]);
    EXPECT_EQ(a.weights[doc], b.weights[doc]);
  }
  EXPECT(PostingsOf(a) == PostingsOf(b));
  EXPECT(!has_same_terms || SpellingsOf(a) == SpellingsOf(b));
}

class StoreRun {
 public:
  StoreRun(uint64_t stream, index::AnalysisKind analysis, size_t keys = 25, size_t words = 150)
      : StoreRun(stream, StoreConfig(analysis), keys, words) {}
  StoreRun(uint64_t stream, const index::WriterConfig& config, size_t keys, size_t words)
      : random_(stream), config_(config), keys_(keys), vocabulary_(RandomVocabulary(&random_, words)) {
    for (const char* word : {"the", "of", "and", "policies", "policy", "polici", "runs", "running", "run"})
      vocabulary_.emplace_back(word);
    open_ = Open(files_, durable_, config_);
    ExpectOk(open_.status);
    Remember();
  }

  const std::shared_ptr<MemoryFiles>& files() const { return files_; }
  const Durable& durable() const { return durable_; }
  index::IndexWriter& writer() { return *open_.writer; }
  const index::WriterConfig& config() const { return config_; }
  Random* random() { return &random_; }

  void Step() {
    Write();
    Maintain();
    if (random_.Chance(0.3)) ExpectOk(Flush(random_.Chance(0.8)));
    if (random_.Chance(0.05)) CompactByFlushes();
    if (random_.Chance(0.2)) Reopen();
    HoldAndRelease();
  }

  // One batch, published and logged unless it is discarded.
  void Write() {
    BatchBuilder batch(config_.analysis[0], config_.columns);
    ModelDocuments next = durable_.documents;
    FillBatch(&batch, &next);
    Publish(batch, std::move(next), random_.Chance(0.1));
  }

  // One batch that puts these documents.
  void Put(const ModelDocuments& documents) {
    BatchBuilder batch(config_.analysis[0], config_.columns);
    ModelDocuments next = durable_.documents;
    for (const auto& [key, document] : documents) {
      batch.Put(key, document.texts, document.weight, document.stored, document.values);
      next[key] = document;
    }
    Publish(batch, std::move(next), false);
  }

  void Publish(const BatchBuilder& batch, ModelDocuments next, bool discards) {
    const Result<index::WriteReport> report = writer().Prepare(batch.Slab(), nullptr);
    ExpectOk(report.status());
    if (!report.ok()) return;
    if (discards) {
      writer().Discard(nullptr);
      return;
    }
    const auto row = std::make_shared<const std::string>(writer().prepared_row());
    durable_.log[writer().Current()->sequence + 1] = row;
    durable_.documents = std::move(next);
    Remember();
    writer().Publish(nullptr);
  }

  void Maintain() {
    for (size_t steps = random_.Below(5); steps > 0 && writer().MaintainStep(); --steps) {
    }
    if (random_.Chance(0.05)) writer().Compact();
  }

  // As on a disk that is nearly full: every step is flushed before the next.
  void CompactByFlushes() {
    ExpectOk(Flush(true));
    const auto before = writer().Current();
    while (writer().CompactStep()) ExpectOk(Flush(true));
    EXPECT(writer().Current()->runs.empty() && writer().Current()->phrases.runs.empty());
    // One segment of records after another, until nothing is written any more.
    do {
      ExpectOk(Flush(true, true));
    } while (last_added_ > 0);
    ExpectSame(*before, *writer().Current());
    uint64_t records = 0;
    for (const index::SegmentRef& ref : durable_.manifest) {
      if (ref.kind == index::SegmentKind::kRecords) records += files_->files().at(SegmentPath(ref.number))->size();
    }
    const auto now = writer().Current();
    // Ten in a hundred may be dead; frames and filling take a little.
    const size_t frames = now->table->record_segments().size();
    EXPECT(static_cast<double>(records) <=
           static_cast<double>(now->forward_bytes + now->stored_bytes + now->value_bytes + 8 * now->documents) / 0.9 +
               200.0 * static_cast<double>(frames));
  }

  // Returns the failure, if any. With `adopts`, the transaction succeeds.
  Status Flush(bool adopts, bool tidies = false) {
    const auto before = writer().Current();
    const auto flushed = writer().Flush(durable_.next_number, tidies);
    last_added_ = flushed.ok() ? flushed.value().added.size() : 0;
    // A failed flush may leave files behind: their numbers are not used again.
    if (!flushed.ok()) {
      durable_.next_number += 10000;
      EXPECT(writer().Current() == before);
      return flushed.status();
    }
    const index::FlushResult result = flushed.value();
    EXPECT_EQ(result.sequence, before->sequence);
    for (const index::SegmentRef& ref : result.added) {
      EXPECT(ref.number >= durable_.next_number);
      EXPECT_EQ(files_->files().at(SegmentPath(ref.number))->size(), ref.bytes);
    }
    durable_.next_number += result.added.size();
    EXPECT(!writer().MaintainStep());
    if (!adopts) {
      writer().AbandonFlush();
      EXPECT(writer().Current() == before);
      return {};
    }
    durable_.manifest = result.live;
    durable_.log.erase(durable_.log.begin(), durable_.log.upper_bound(result.sequence));
    Remember();
    writer().AdoptFlush();
    ExpectSame(*before, *writer().Current());
    return {};
  }

  // Opens the index again beside the open one, compares the two and goes on with the new one.
  void Reopen() {
    const OpenIndex old = std::exchange(open_, Open(files_, durable_, config_));
    ExpectOk(open_.status);
    if (!open_.status.ok()) return;
    CheckCurrent();
    ExpectSame(*old.writer->Current(), *writer().Current());
    ExpectOk(open_.store->RemoveUnnamed());
    EXPECT(files_->names() == PathsOf(durable_.manifest));
  }

  void CheckCurrent() {
    ExpectNoFaults(*writer().Current());
    ExpectShows(*writer().Current(), config_.analysis[0], durable_.documents);
    EXPECT(!open_.damage->has_damage());
  }

  void Finish() {
    CheckCurrent();
    for (const Held& held : held_) CheckHeld(held);
    held_.clear();
    writer().Compact();
    ExpectOk(Flush(true));
    Reopen();
  }

  // The states of the caller's records in order, each with the number of file operations that had happened before it.
  struct Moment {
    size_t operations;
    Durable durable;
  };
  const std::vector<Moment>& moments() const { return moments_; }

 private:
  struct Held {
    std::shared_ptr<const index::Snapshot> snapshot;
    ModelDocuments documents;
  };

  void FillBatch(BatchBuilder* batch, ModelDocuments* next) {
    std::set<std::string> used;
    for (size_t left = random_.Below(9); left > 0; --left) {
      const std::string key = "s" + std::to_string(random_.Below(keys_));
      if (!used.insert(key).second) continue;
      const auto known = next->find(key);
      if (random_.Chance(0.3)) {
        batch->Remove(key);
        next->erase(key);
        continue;
      }
      if (known != next->end() && random_.Chance(0.2)) {
        ModelDocument& same_text = known->second;
        const size_t column = random_.Below(config_.columns.size());
        same_text.values.resize(config_.columns.size());
        same_text.values[column] = RandomValues(&random_)[column];
        batch->SetColumn(key, same_text.texts.size(), same_text.weight, same_text.stored, column,
                         same_text.values[column]);
        continue;
      }
      const ModelDocument document = known == next->end() ? RandomDocument(&random_, vocabulary_)
                                                          : NextVersion(&random_, vocabulary_, known->second);
      batch->Put(key, document.texts, document.weight, document.stored, document.values);
      (*next)[key] = document;
    }
  }

  void Remember() { moments_.push_back({files_->operations(), durable_}); }

  void CheckHeld(const Held& held) const {
    ExpectNoFaults(*held.snapshot);
    ExpectShows(*held.snapshot, config_.analysis[0], held.documents);
  }

  // Snapshots outlive flushes, the removal of their files and even their writer.
  void HoldAndRelease() {
    if (random_.Chance(0.2)) held_.push_back({writer().Current(), durable_.documents});
    if (held_.size() > 4 || (!held_.empty() && random_.Chance(0.2))) {
      CheckHeld(held_.front());
      held_.pop_front();
    }
  }

  Random random_;
  const index::WriterConfig config_;
  const size_t keys_;
  std::vector<std::string> vocabulary_;
  const std::shared_ptr<MemoryFiles> files_ = std::make_shared<MemoryFiles>();
  Durable durable_;
  OpenIndex open_;
  std::deque<Held> held_;
  std::vector<Moment> moments_;
  size_t last_added_ = 0;  // segments of the last flush
};

}  // namespace freshdex::test
