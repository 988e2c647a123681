#include "native/index/term_reclaim.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/recording_observer.h"
#include "test/native/store_run.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::Durable;
using test::ExpectNoFaults;
using test::ExpectOk;
using test::ModelDocument;
using test::ModelDocuments;
using test::Random;
using test::RecordingObserver;
using test::StoreRun;

// A text of a few words that others have, and some that nobody ever had.
std::string ChurningText(Random* random, uint64_t* next_word) {
  std::string text;
  for (size_t left = random->Between(4, 12); left > 0; --left)
    text += random->Chance(0.4) ? "unique" + std::to_string((*next_word)++) + "s "
                                : "common" + std::to_string(random->Below(12)) + " ";
  return text;
}

void Write(IndexWriter* writer, const BatchBuilder& batch, PostingObserver* observer = nullptr) {
  EXPECT(writer->Prepare(batch.Slab(), observer).ok());
  writer->Publish(observer);
}

DocumentSketch SketchOfNext(IndexWriter* writer, const std::string& text) {
  EXPECT(writer->Prepare(BatchBuilder().Put("ssketched", {text}).Slab(), nullptr).ok());
  const DocumentSketch sketch = writer->SketchPrepared().at(0);
  writer->Discard(nullptr);
  return sketch;
}

TEST(TermReclaim, LeavesNothingOfWordsThatAreGone) {
  IndexWriter writer(WriterConfig{});
  uint64_t next = 0;
  for (size_t round = 0; round < 20; ++round) {
    BatchBuilder batch;
    for (size_t key = 0; key < 100; ++key) {
      std::string text;
      for (size_t word = 0; word < 20; ++word) text += "w" + std::to_string(next++) + " ";
      batch.Put("s" + std::to_string(key), {text});
    }
    Write(&writer, batch);
  }
  EXPECT_EQ(writer.Current()->term_count, 40000);
  const uint64_t before = writer.Current()->memory.terms;
  writer.Compact();
  EXPECT_EQ(writer.Current()->term_count, 2000);
  EXPECT(writer.Current()->memory.terms * 10 < before);
  ExpectNoFaults(*writer.Current());
  BatchBuilder removal;
  for (size_t key = 0; key < 100; ++key) removal.Remove("s" + std::to_string(key));
  Write(&writer, removal);
  writer.Compact();
  EXPECT_EQ(writer.Current()->term_count, 0);
  EXPECT_EQ(writer.Current()->memory.terms, 0);
  EXPECT_EQ(writer.Current()->terms().reclaimed(), 40000);
  ExpectNoFaults(*writer.Current());
}

TEST(TermReclaim, WaitsUntilAQuarterOfAllIsUnused) {
  IndexWriter writer(WriterConfig{});
  Write(&writer, BatchBuilder().Put("sa", {"one two three four"}).Put("sb", {"five"}));
  Write(&writer, BatchBuilder().Remove("sb"));
  writer.Compact();
  EXPECT_EQ(writer.Current()->term_count, 5);
  Write(&writer, BatchBuilder().Put("sa", {"one two three six"}));
  writer.Compact();
  EXPECT_EQ(writer.Current()->term_count, 4);
  EXPECT_EQ(writer.Current()->FindTerm(0, "four"), kNoTerm);
  EXPECT_EQ(writer.Current()->FindTerm(0, "six"), 3);
}

TEST(TermReclaim, KeepsAnIndexInMemoryWhatItIs) {
  for (uint64_t stream = 0; stream < test::Rounds(4); ++stream) {
    Random random(700 + stream);
    WriterConfig config;
    config.analysis = stream % 2 == 0 ? AnalysisKind::kStandard : AnalysisKind::kEnglish;
    config.seed = stream;
    config.fold_floor = 8;
    config.partition_bytes = 256;
    config.phrase_limits.least_pages = 3;
    IndexWriter writer(config);
    RecordingObserver observer;
    std::map<std::string, std::string> texts;
    struct Held {
      std::shared_ptr<const Snapshot> snapshot;
      test::NaivePostings postings;
    };
    std::vector<Held> held;
    uint64_t next_word = 0;
    for (size_t step = 0; step < 60; ++step) {
      BatchBuilder batch(config.analysis[0]);
      for (size_t key = 0; key < 15; ++key) {
        const std::string name = "s" + std::to_string(key);
        if (random.Chance(0.7)) continue;
        if (texts.contains(name) && random.Chance(0.4)) {
          batch.Remove(name);
          texts.erase(name);
        } else {
          texts[name] = ChurningText(&random, &next_word);
          batch.Put(name, {texts[name]});
        }
      }
      Write(&writer, batch, &observer);
      if (random.Chance(0.3)) writer.Compact(&observer);
      const auto snapshot = writer.Current();
      ExpectNoFaults(*snapshot);
      const test::NaivePostings postings = test::PostingsOf(*snapshot);
      EXPECT(observer.Postings(snapshot->terms()) == postings);
      std::erase_if(held, [](const Held& earlier) {
        ExpectNoFaults(*earlier.snapshot);
        EXPECT(test::PostingsOf(*earlier.snapshot) == earlier.postings);
        return true;
      });
      if (random.Chance(0.5)) held.push_back({snapshot, postings});
    }
    EXPECT(observer.renumberings() > 3);
    // The same documents in an index that never had others.
    IndexWriter fresh(config);
    BatchBuilder all(config.analysis[0]);
    for (const auto& [key, text] : texts) all.Put(key, {text});
    Write(&fresh, all);
    const auto by_key = [](const Snapshot& snapshot) {
      std::map<test::NaiveTerm, std::map<std::string, uint32_t>> postings;
      for (const auto& [term, docs] : test::PostingsOf(snapshot)) {
        for (const auto& [doc, tf] : docs) postings[term][std::string(snapshot.vocabulary->keys.KeyOf(doc))] = tf;
      }
      return postings;
    };
    EXPECT(by_key(*writer.Current()) == by_key(*fresh.Current()));
  }
}

TEST(TermReclaim, KeepsAnIndexOnDiskWhatItIs) {
  for (uint64_t stream = 0; stream < test::Rounds(3); ++stream) {
    StoreRun run(760 + stream, stream % 2 == 0 ? AnalysisKind::kStandard : AnalysisKind::kEnglish);
    Random random(770 + stream);
    uint64_t next_word = 0, reclaims = 0;
    for (size_t round = 0; round < 12; ++round) {
      for (size_t step = 0; step < 4; ++step) {
        ModelDocuments documents;
        for (size_t left = 3; left > 0; --left) {
          ModelDocument document = test::RandomDocument(&random, {"alpha", "beta", "gamma"});
          document.texts[0] = ChurningText(&random, &next_word);
          documents["s" + std::to_string(random.Below(8))] = document;
        }
        run.Put(documents);
        if (random.Chance(0.3)) run.Reopen();
      }
      const uint64_t before = run.writer().Current()->terms().reclaimed();
      run.CompactByFlushes();
      reclaims += run.writer().Current()->terms().reclaimed() > before;
      run.CheckCurrent();
      if (random.Chance(0.5)) run.Reopen();
    }
    EXPECT(reclaims > 3);
    run.Finish();
  }
}

TEST(TermReclaim, RowsFitOnlyTheNumbersThatTheyAreOf) {
  StoreRun run(780, AnalysisKind::kStandard);
  uint64_t next_word = 0;
  Random random(781);
  const auto put = [&] {
    ModelDocument document = test::RandomDocument(&random, {"alpha"});
    document.texts[0] = ChurningText(&random, &next_word) + ChurningText(&random, &next_word);
    run.Put({{"sa", document}});
  };
  for (size_t step = 0; step < 5; ++step) put();
  run.CompactByFlushes();
  for (size_t step = 0; step < 5; ++step) put();
  ExpectOk(run.Flush(true));
  // A reader that has followed until here.
  test::OpenIndex reader = test::Open(run.files(), run.durable(), run.config());
  const uint64_t before = run.writer().Current()->terms().reclaimed();
  run.CompactByFlushes();
  EXPECT(run.writer().Current()->terms().reclaimed() > before);
  put();
  const std::string row = *run.durable().log.begin()->second;
  EXPECT_EQ(reader.writer->PrepareRow(row, nullptr).code(), Code::kTermsRenumbered);
  // One that has read the segments takes it; the rows of an earlier time fit nobody there.
  Durable without = run.durable();
  without.log.clear();
  test::OpenIndex opened = test::Open(run.files(), without, run.config());
  ExpectOk(opened.status);
  DeltaRow earlier;
  earlier.sequence = opened.writer->next_sequence();
  const auto code = [&] {
    return opened.writer->PrepareRow(EncodeRow(earlier, run.config().fields, run.config().seed), nullptr).code();
  };
  EXPECT_EQ(code(), Code::kCorrupt);
  earlier.reclaimed = before;
  EXPECT_EQ(code(), Code::kCorrupt);
  earlier.reclaimed = UINT64_MAX;
  EXPECT_EQ(code(), Code::kTermsRenumbered);
  EXPECT(opened.writer->PrepareRow(row, nullptr).ok());
}

// A sketch that was made before is compared with sketches that are made later.
TEST(TermReclaim, SketchesStandForTheSameTextsForEver) {
  IndexWriter writer(WriterConfig{});
  const std::string kept = "these five words are kept", gone = "nobody will ever read this";
  Write(&writer, BatchBuilder().Put("sa", {gone}).Put("sb", {kept}));
  const DocumentSketch before = SketchOfNext(&writer, kept), of_gone = SketchOfNext(&writer, gone);
  Write(&writer, BatchBuilder().Remove("sa"));
  writer.Compact();
  EXPECT_EQ(writer.Current()->FindTerm(0, "nobody"), kNoTerm);
  EXPECT(SketchOfNext(&writer, kept) == before);
  // The same numbers, and yet other words.
  const std::string later = "quite different tokens stand here";
  Write(&writer, BatchBuilder().Put("sa", {later}));
  EXPECT_EQ(writer.Current()->term_count, 10);
  const DocumentSketch of_later = SketchOfNext(&writer, later);
  for (const uint32_t value : of_later) EXPECT(value == kNoShingle || std::ranges::count(of_gone, value) == 0);
  EXPECT(SketchOfNext(&writer, kept) == before);
  EXPECT(SketchOfNext(&writer, later) == of_later);
}

}  // namespace
}  // namespace freshdex::index
