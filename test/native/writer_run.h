// A random life of an index: batches prepared, published, discarded and refused, folds in between, snapshots held for a
// while; after each step the index and the held snapshots are compared with the model.
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

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/random_text.h"
#include "test/native/recording_observer.h"

namespace freshdex::test {

class WriterRun {
 public:
  static constexpr size_t kFields = kRandomFields;
  static constexpr size_t kKeys = 25;

  WriterRun(uint64_t stream, index::AnalysisKind analysis)
      : random_(stream),
        analysis_(analysis),
        writer_(Config(stream, analysis)),
        vocabulary_(RandomVocabulary(&random_, 150)) {
    for (const char* word : {"the", "of", "and"}) vocabulary_.emplace_back(word);
  }

  index::IndexWriter& writer() { return writer_; }

  void Step() {
    BatchBuilder batch(analysis_, kRandomColumns);
    ModelDocuments next = documents_;
    const index::WriteReport expected = FillBatch(&batch, &next);
    if (random_.Chance(0.1)) TryBrokenBatch(batch);
    const auto before = writer_.Current();
    const Result<index::WriteReport> report = writer_.Prepare(batch.Slab(), &observer_);
    EXPECT(report.ok());
    ExpectReport(report.value(), expected);
    EXPECT(writer_.Current() == before);
    if (random_.Chance(0.1)) Maintain();
    if (random_.Chance(0.15)) {
      writer_.Discard(&observer_);
    } else {
      writer_.Publish(&observer_);
      documents_ = std::move(next);
      for (const auto& [key, document] : documents_) NoteTerms(document);
      EXPECT_EQ(writer_.Current()->sequence, before->sequence + 1);
    }
    CheckCurrent();
    if (random_.Chance(0.4)) Maintain();
    HoldAndRelease();
  }

  void Finish() {
    for (const Held& held : held_) CheckHeld(held);
    held_.clear();
    Compact();
    EXPECT(writer_.Current()->runs.empty() && writer_.Current()->phrases.runs.empty());
    CheckCurrent();
  }

 private:
  struct Held {
    std::shared_ptr<const index::Snapshot> snapshot;
    ModelDocuments documents;
    std::map<std::string, index::DocId> docs;
  };

  static index::WriterConfig Config(uint64_t seed, index::AnalysisKind analysis) {
    index::WriterConfig config;
    config.fields = kFields;
    config.columns = kRandomColumns;
    config.analysis = analysis;
    config.seed = seed;
    config.fold_floor = 8;
    config.partition_bytes = 256;
    config.phrase_limits.least_pages = static_cast<uint32_t>(1 + seed % 4);
    return config;
  }

  // Applies the batch to `next` too, and returns the report it should give; tokens_tokenized and rewritten are left 0.
  index::WriteReport FillBatch(BatchBuilder* batch, ModelDocuments* next) {
    index::WriteReport report;
    NaiveCounts fresh;
    std::set<std::string> used;
    for (size_t left = random_.Below(9); left > 0; --left) {
      const std::string key = "s" + std::to_string(random_.Below(kKeys));
      if (!used.insert(key).second) continue;
      const auto known = documents_.find(key);
      if (random_.Chance(0.3)) {
        batch->Remove(key);
        ++(known == documents_.end() ? report.missing : report.removed);
        if (known != documents_.end()) report.postings_written += Counts(known->second).size();
        next->erase(key);
        continue;
      }
      const ModelDocument document = known == documents_.end() ? RandomDocument(&random_, vocabulary_)
                                                               : NextVersion(&random_, vocabulary_, known->second);
      batch->Put(key, document.texts, document.weight, document.stored, document.values);
      CountPut(known == documents_.end() ? nullptr : &known->second, document, &report, &fresh);
      (*next)[key] = document;
    }
    report.new_terms = fresh.size();
    return report;
  }

  void CountPut(const ModelDocument* before, const ModelDocument& after, index::WriteReport* report,
                NaiveCounts* fresh) const {
    const NaiveCounts old_counts = before ? Counts(*before) : NaiveCounts();
    const NaiveCounts counts = Counts(after);
    ++(!before ? report->added : IsSameText(*before, after) ? report->unchanged : report->replaced);
    for (const NaiveField& field : NaiveDocument(analysis_, after.texts)) report->tokens += field.size();
    report->postings += counts.size();
    for (const auto& [term, tf] : counts) {
      const auto old = old_counts.find(term);
      report->postings_written += old == old_counts.end() || old->second != tf;
      if (terms_.count(term) == 0) (*fresh)[term] = 1;
    }
    for (const auto& [term, tf] : old_counts) report->postings_written += counts.count(term) == 0;
  }

  bool IsSameText(const ModelDocument& a, const ModelDocument& b) const {
    for (size_t f = 0; f < kFields; ++f) {
      if (FieldPayload(analysis_, a.texts[f]) != FieldPayload(analysis_, b.texts[f])) return false;
    }
    return true;
  }

  NaiveCounts Counts(const ModelDocument& document) const {
    return CountTerms(NaiveDocument(analysis_, document.texts));
  }

  void NoteTerms(const ModelDocument& document) {
    for (const auto& [term, tf] : Counts(document)) terms_.insert(term);
  }

  static void ExpectReport(const index::WriteReport& report, const index::WriteReport& expected) {
    EXPECT_EQ(report.added, expected.added);
    EXPECT_EQ(report.replaced, expected.replaced);
    EXPECT_EQ(report.unchanged, expected.unchanged);
    EXPECT_EQ(report.removed, expected.removed);
    EXPECT_EQ(report.missing, expected.missing);
    EXPECT_EQ(report.tokens, expected.tokens);
    EXPECT_EQ(report.postings, expected.postings);
    EXPECT_EQ(report.postings_written, expected.postings_written);
    EXPECT_EQ(report.new_terms, expected.new_terms);
    EXPECT_EQ(report.tokens_truncated, 0);
    EXPECT(report.tokens_tokenized <= report.tokens);
    EXPECT(report.rewritten <= report.replaced);
  }

  // A batch that begins like the real one and fails at its end.
  void TryBrokenBatch(const BatchBuilder& batch) {
    const auto before = writer_.Current();
    BatchBuilder broken = batch;
    broken.Remove("sbroken").Remove("sbroken");
    const Result<index::WriteReport> report = writer_.Prepare(broken.Slab(), &observer_);
    EXPECT(!report.ok() && report.status().code() == Code::kDuplicateKey);
    EXPECT(!writer_.has_prepared() && writer_.Current() == before);
  }

  void Maintain() {
    const uint64_t documents = observer_.documents(), publishes = observer_.publishes();
    if (random_.Chance(0.1)) {
      Compact();
      EXPECT(writer_.Current()->runs.empty());
      CheckCurrent();
    }
    for (size_t steps = random_.Below(5); steps > 0 && writer_.MaintainStep(); --steps) CheckCurrent();
    EXPECT_EQ(observer_.documents(), documents);
    EXPECT_EQ(observer_.publishes(), publishes);
  }

  void Compact() {
    const uint64_t renumberings = observer_.renumberings();
    writer_.Compact(&observer_);
    if (observer_.renumberings() == renumberings) return;
    terms_.clear();
    for (const auto& [key, document] : documents_) NoteTerms(document);
  }

  void CheckCurrent() {
    const auto snapshot = writer_.Current();
    ExpectNoFaults(*snapshot);
    if (writer_.has_prepared()) return;
    EXPECT(observer_.Postings(snapshot->terms()) == ExpectShows(*snapshot, analysis_, documents_));
    for (size_t i = 0; i < kKeys; ++i) {
      const std::string key = "s" + std::to_string(i);
      EXPECT_EQ(snapshot->FindKey(key) != index::kNoDoc, documents_.count(key) != 0);
    }
  }

  void CheckHeld(const Held& held) const {
    ExpectNoFaults(*held.snapshot);
    ExpectShows(*held.snapshot, analysis_, held.documents);
    for (const auto& [key, doc] : held.docs) EXPECT_EQ(held.snapshot->FindKey(key), doc);
  }

  void HoldAndRelease() {
    if (random_.Chance(0.2)) {
      Held held{writer_.Current(), documents_, {}};
      for (const auto& [key, document] : documents_) held.docs[key] = held.snapshot->FindKey(key);
      held_.push_back(std::move(held));
    }
    if (!held_.empty() && random_.Chance(0.3)) CheckHeld(random_.Pick(held_));
    if (held_.size() > 4 || (!held_.empty() && random_.Chance(0.15))) {
      const auto which = held_.begin() + static_cast<std::ptrdiff_t>(random_.Below(held_.size()));
      CheckHeld(*which);
      held_.erase(which);
    }
  }

  Random random_;
  const index::AnalysisKind analysis_;
  index::IndexWriter writer_;
  std::vector<std::string> vocabulary_;
  ModelDocuments documents_;
  std::set<NaiveTerm> terms_;  // of all batches published so far
  std::deque<Held> held_;
  RecordingObserver observer_;
};

}  // namespace freshdex::test
