#include "native/index/index_writer.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/recording_observer.h"
#include "test/native/writer_run.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::ExactBlock;
using test::Random;
using test::RecordingObserver;

WriterConfig OneField() {
  WriterConfig config;
  config.seed = 11;
  return config;
}

WriteReport Write(IndexWriter* writer, const BatchBuilder& batch, PostingObserver* observer = nullptr) {
  const Result<WriteReport> report = writer->Prepare(batch.Slab(), observer);
  EXPECT(report.ok());
  if (!report.ok()) return {};
  writer->Publish(observer);
  test::ExpectNoFaults(*writer->Current());
  return report.value();
}

DocId DocOf(const IndexWriter& writer, std::string_view key) { return writer.Current()->FindKey(key); }

TEST(IndexWriter, AgreesWithAMapUnderRandomBatches) {
  for (uint64_t stream = 0; stream < test::Rounds(3); ++stream) {
    test::WriterRun run(100 + stream, static_cast<AnalysisKind>(stream % 3));
    for (size_t step = 0; step < 60; ++step) run.Step();
    run.Finish();
  }
}

TEST(IndexWriter, CountsTheDocumentsOfManyTermsAsOfOne) {
  size_t compared = 0;
  for (uint64_t round = 0; round < test::Rounds(6); ++round) {
    Random random(3300 + round);
    WriterConfig config;
    config.seed = round;
    config.fold_floor = 8;
    config.partition_bytes = 256;
    IndexWriter writer(config);
    for (size_t step = 0; step < 60; ++step) {
      BatchBuilder batch;
      for (size_t key = random.Below(4); key < 40; key += random.Between(1, 20)) {
        std::string text;
        for (size_t left = random.Below(12); left > 0; --left)
          text += "w" + std::to_string(random.Below(random.Chance(0.5) ? 12 : 400)) + " ";
        batch.Put("s" + std::to_string(key), {text});
      }
      EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
      writer.Publish(nullptr);
      if (random.Chance(0.2)) writer.MaintainStep();
      const auto snapshot = writer.Current();
      const double chance = random.Unit();
      std::vector<TermId> terms;
      for (TermId term = 0; term < snapshot->term_count; ++term) {
        if (random.Chance(chance)) terms.push_back(term);
      }
      const std::vector<uint32_t> dfs = snapshot->DocumentFrequencies(terms);
      EXPECT_EQ(dfs.size(), terms.size());
      for (size_t i = 0; i < terms.size(); ++i) EXPECT_EQ(dfs[i], snapshot->DocumentFrequency(terms[i]));
      compared += terms.size();
    }
  }
  EXPECT(compared > 10'000);
}

TEST(IndexWriter, StartsEmpty) {
  IndexWriter writer(OneField());
  const auto snapshot = writer.Current();
  EXPECT_EQ(snapshot->documents, 0);
  EXPECT_EQ(snapshot->sequence, 0);
  EXPECT_EQ(snapshot->FindKey("sa"), kNoDoc);
  EXPECT_EQ(snapshot->FindTerm(0, "a"), kNoTerm);
  test::ExpectNoFaults(*snapshot);
  EXPECT(!writer.MaintainStep());
  writer.Compact();
  EXPECT_EQ(Write(&writer, BatchBuilder().Remove("sa")).missing, 1);
  EXPECT_EQ(writer.Current()->sequence, 1);
  EXPECT_EQ(snapshot->sequence, 0);
}

TEST(IndexWriter, ReportsWhatABatchDid) {
  IndexWriter writer(OneField());
  WriteReport report =
      Write(&writer, BatchBuilder().Put("sa", {"one two two"}).Put("sb", {"two three"}).Put("sc", {""}));
  EXPECT_EQ(report.added, 3);
  EXPECT_EQ(report.tokens, 5);
  EXPECT_EQ(report.tokens_tokenized, 5);
  EXPECT_EQ(report.postings, 4);
  EXPECT_EQ(report.postings_written, 4);
  EXPECT_EQ(report.new_terms, 3);

  report = Write(&writer, BatchBuilder().Put("sa", {"one two"}).Put("sb", {"two three"}).Remove("sc").Remove("sd"));
  EXPECT_EQ(report.added, 0);
  EXPECT_EQ(report.replaced, 1);
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_EQ(report.removed, 1);
  EXPECT_EQ(report.missing, 1);
  EXPECT_EQ(report.tokens, 4);
  EXPECT_EQ(report.tokens_tokenized, 2);
  EXPECT_EQ(report.postings, 4);
  EXPECT_EQ(report.postings_written, 1);
  EXPECT_EQ(report.new_terms, 0);
  EXPECT_EQ(report.rewritten, 1);

  report = Write(&writer, BatchBuilder().Put("sc", {std::string(300, 'x') + " one"}));
  EXPECT_EQ(report.added, 1);
  EXPECT_EQ(report.tokens_truncated, 1);
  EXPECT_EQ(report.new_terms, 1);
}

TEST(IndexWriter, WritesNothingForAnIdenticalPage) {
  IndexWriter writer(OneField());
  Write(&writer, BatchBuilder().Put("sa", {"same text"}, 2, "stored"));
  const auto before = writer.Current();
  RecordingObserver observer;
  WriteReport report = Write(&writer, BatchBuilder().Put("sa", {"same text"}, 2, "stored"), &observer);
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_EQ(report.postings_written, 0);
  EXPECT_EQ(report.tokens_tokenized, 0);
  EXPECT_EQ(observer.documents(), 0);
  const auto after = writer.Current();
  EXPECT_EQ(after->runs.size(), before->runs.size());
  EXPECT(after->records[0] == before->records[0]);

  report = Write(&writer, BatchBuilder().Put("sa", {"same text"}, 3, "other"), &observer);
  EXPECT_EQ(report.unchanged, 1);
  // No posting changed, but a weight may be part of a score.
  EXPECT_EQ(observer.documents(), 1);
  const auto updated = writer.Current();
  EXPECT_EQ(*updated->records[0]->stored, "other");
  EXPECT_EQ(updated->weights[0], 3);
  EXPECT_EQ(after->weights[0], 2);
  EXPECT(updated->records[0]->forward == before->records[0]->forward);
  EXPECT_EQ(updated->records[0]->sequence, before->records[0]->sequence);
}

TEST(IndexWriter, KeepsADocumentNumberWhileASnapshotShowsIt) {
  IndexWriter writer(OneField());
  Write(&writer, BatchBuilder().Put("sa", {"alpha"}).Put("sb", {"beta"}));
  const DocId doc = DocOf(writer, "sa");
  auto held = writer.Current();
  Write(&writer, BatchBuilder().Remove("sa"));
  Write(&writer, BatchBuilder().Put("sc", {"gamma"}));
  EXPECT(DocOf(writer, "sc") != doc);
  writer.Compact();
  EXPECT_EQ(held->FindKey("sa"), doc);
  EXPECT_EQ(held->vocabulary->keys.KeyOf(doc), "sa");
  EXPECT_EQ(DocOf(writer, "sa"), kNoDoc);
  held.reset();
  Write(&writer, BatchBuilder());
  Write(&writer, BatchBuilder().Put("sd", {"delta"}).Put("se", {"epsilon"}));
  EXPECT_EQ(DocOf(writer, "sd"), doc);
  EXPECT_EQ(writer.Current()->vocabulary->keys.KeyOf(doc), "sd");
  EXPECT_EQ(writer.Current()->doc_limit, 4);
}

TEST(IndexWriter, GivesAKeyThatComesBackItsOldNumber) {
  IndexWriter writer(OneField());
  Write(&writer, BatchBuilder().Put("sa", {"alpha"}).Put("sb", {"beta"}));
  const DocId doc = DocOf(writer, "sa");
  auto first = writer.Current();
  Write(&writer, BatchBuilder().Remove("sa"));
  EXPECT_EQ(Write(&writer, BatchBuilder().Put("sa", {"again"})).added, 1);
  EXPECT_EQ(DocOf(writer, "sa"), doc);
  auto second = writer.Current();
  Write(&writer, BatchBuilder().Remove("sa"));
  first.reset();
  Write(&writer, BatchBuilder());
  // The first removal was taken back; the second must wait for the snapshot in between.
  Write(&writer, BatchBuilder().Put("sc", {"gamma"}));
  EXPECT(DocOf(writer, "sc") != doc);
  EXPECT_EQ(second->FindKey("sa"), doc);
  second.reset();
  Write(&writer, BatchBuilder());
  Write(&writer, BatchBuilder().Put("sd", {"delta"}));
  EXPECT_EQ(DocOf(writer, "sd"), doc);
  Write(&writer, BatchBuilder().Put("se", {"epsilon"}));
  EXPECT(DocOf(writer, "se") != doc);
}

TEST(IndexWriter, ChangesNothingWhenABatchIsDiscarded) {
  IndexWriter writer(OneField());
  RecordingObserver observer;
  Write(&writer, BatchBuilder().Put("sa", {"alpha"}), &observer);
  Write(&writer, BatchBuilder().Put("sb", {"beta"}).Remove("sa"), &observer);
  const auto before = writer.Current();
  EXPECT(
      writer.Prepare(BatchBuilder().Put("sc", {"new words"}).Put("sd", {"more"}).Remove("sb").Slab(), &observer).ok());
  EXPECT(writer.has_prepared());
  EXPECT(writer.Current() == before);
  EXPECT_EQ(observer.documents(), 6);
  writer.Discard(&observer);
  EXPECT_EQ(observer.discards(), 1);
  EXPECT(!writer.has_prepared());
  EXPECT(writer.Current() == before);
  EXPECT_EQ(before->vocabulary->terms.size(), 2);
  EXPECT_EQ(before->vocabulary->keys.Find("sc"), kNoDoc);
  // The number that became free is still to be had, and the terms are still new.
  const WriteReport report = Write(&writer, BatchBuilder().Put("sc", {"new words"}));
  EXPECT_EQ(report.new_terms, 2);
  EXPECT_EQ(DocOf(writer, "sc"), 0);
}

TEST(IndexWriter, TellsObserversOfDocumentsAndOfTheEnd) {
  IndexWriter writer(OneField());
  RecordingObserver observer;
  Write(&writer, BatchBuilder().Put("sa", {"one two"}).Put("sb", {""}), &observer);
  EXPECT_EQ(observer.documents(), 2);
  EXPECT_EQ(observer.publishes(), 1);
  Write(&writer, BatchBuilder().Put("sa", {"two three"}).Remove("sb").Remove("sc"), &observer);
  EXPECT_EQ(observer.documents(), 4);
  EXPECT_EQ(observer.publishes(), 2);
  while (writer.MaintainStep()) {
  }
  writer.Compact(&observer);
  EXPECT_EQ(observer.documents(), 4);
  EXPECT_EQ(observer.publishes(), 2);
  EXPECT_EQ(observer.discards(), 0);
  EXPECT(observer.Postings(writer.Current()->terms()) == test::PostingsOf(*writer.Current()));
}

TEST(IndexWriter, FoldsEverythingWhenCompacted) {
  Random random;
  WriterConfig config = OneField();
  config.partition_bytes = 64;
  config.fold_floor = 4;
  IndexWriter writer(config);
  const auto vocabulary = test::RandomVocabulary(&random, 300);
  for (size_t batch = 0; batch < 30; ++batch) {
    BatchBuilder builder;
    for (size_t i = 0; i < 10; ++i)
      builder.Put("s" + std::to_string(10 * batch + i), {test::RandomLine(&random, vocabulary, 30)});
    Write(&writer, builder);
    while (batch % 3 == 0 && writer.MaintainStep()) {
    }
  }
  const auto before = writer.Current();
  writer.Compact();
  const auto after = writer.Current();
  EXPECT_EQ(after->runs.size(), 0);
  EXPECT(after->partitions.size() > 3);
  EXPECT_EQ(after->sequence, before->sequence);
  test::ExpectNoFaults(*after);
  EXPECT(test::PostingsOf(*after) == test::PostingsOf(*before));
}

// A term of one document costs no block, only an entry: that counts too, or one partition would take up all rare terms.
TEST(IndexWriter, SplitsPartitionsOfRareTermsToo) {
  WriterConfig config = OneField();
  config.partition_bytes = 1024;
  IndexWriter writer(config);
  std::string text;
  for (size_t i = 0; i < 2000; ++i) text += "w" + std::to_string(i) + "\n";
  Write(&writer, BatchBuilder().Put("sa", {text}));
  writer.Compact();
  for (const auto& partition : writer.Current()->partitions)
    EXPECT(partition->MemoryBytes() <= 4 * config.partition_bytes);
}

void ExpectRefused(IndexWriter* writer, std::string_view slab, Code code) {
  const auto before = writer->Current();
  const ExactBlock block(slab);
  const Result<WriteReport> report = writer->Prepare(block.view(), nullptr);
  EXPECT(!report.ok());
  EXPECT_EQ(report.status().code(), code);
  EXPECT(!writer->has_prepared());
  EXPECT(writer->Current() == before);
  if (report.ok()) writer->Discard(nullptr);
}

TEST(IndexWriter, ReweighsWithoutTheText) {
  WriterConfig config = OneField();
  config.fields = 2;
  IndexWriter writer(config);
  Write(&writer, BatchBuilder().Put("sa", {"same text", "more"}, 2, "stored").Put("sb", {"text", ""}, 1));
  const auto before = writer.Current();
  RecordingObserver observer;
  const auto report = Write(&writer, BatchBuilder().Reweigh("sa", 2, 5, "heavier").Reweigh("sb", 2, 1), &observer);
  EXPECT_EQ(report.unchanged, 2);
  EXPECT_EQ(report.postings_written, 0);
  EXPECT_EQ(observer.documents(), 1);
  const auto after = writer.Current();
  EXPECT_EQ(after->weights[0], 5);
  EXPECT_EQ(*after->records[0]->stored, "heavier");
  EXPECT(after->records[0]->forward == before->records[0]->forward);
  EXPECT(after->records[1] == before->records[1]);
  test::ExpectNoFaults(*after);

  EXPECT(writer.Prepare(BatchBuilder().Reweigh("sa", 2, 6).Reweigh("sb", 2, 1, "x").Slab(), nullptr).ok());
  const auto& named = writer.prepared_documents();
  EXPECT(named[0].outcome == Outcome::kReweighted && named[1].outcome == Outcome::kSame);
  writer.Discard(nullptr);

  ExpectRefused(&writer, BatchBuilder().Reweigh("snew", 2, 1).Slab(), Code::kMalformed);
  std::string mixed = BatchBuilder().Put("sa", {"", ""}, 1).Slab();
  mixed[mixed.size() - 5] = 2;  // the form of the second field
  ExpectRefused(&writer, mixed, Code::kMalformed);
}

TEST(IndexWriter, RefusesDuplicateAndInvalidKeys) {
  IndexWriter writer(OneField());
  Write(&writer, BatchBuilder().Put("sa", {"alpha"}));
  ExpectRefused(&writer, BatchBuilder().Put("sb", {"x"}).Put("sb", {"x"}).Slab(), Code::kDuplicateKey);
  ExpectRefused(&writer, BatchBuilder().Put("sa", {"x"}).Remove("sa").Slab(), Code::kDuplicateKey);
  ExpectRefused(&writer, BatchBuilder().Remove("sa").Remove("sa").Slab(), Code::kDuplicateKey);
  ExpectRefused(&writer, BatchBuilder().Put("", {"x"}).Slab(), Code::kInvalidKey);
  ExpectRefused(&writer, BatchBuilder().Put("s", {"x"}).Slab(), Code::kInvalidKey);
  ExpectRefused(&writer, BatchBuilder().Remove(std::string(kMaxKeyBytes + 1, 's')).Slab(), Code::kInvalidKey);
  EXPECT_EQ(Write(&writer, BatchBuilder().Put(std::string(kMaxKeyBytes, 's'), {"x"}).Put("sb", {"x"})).added, 2);
}

TEST(IndexWriter, RefusesBadWeightsFormsAndSizes) {
  WriterConfig config = OneField();
  config.max_document_bytes = 10;
  IndexWriter writer(config);
  for (const double weight :
       {-1.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}) {
    ExpectRefused(&writer, BatchBuilder().Put("sa", {"x"}, weight).Slab(), Code::kMalformed);
  }
  ExpectRefused(&writer, BatchBuilder(AnalysisKind::kTokens).Put("sa", {"x"}).Slab(), Code::kMalformed);
  ExpectRefused(&writer, BatchBuilder().Put("sa", {"12345678901"}).Slab(), Code::kDocumentTooLarge);
  ExpectRefused(&writer, BatchBuilder().Put("sa", {"x"}).Slab() + '\0', Code::kMalformed);
  EXPECT_EQ(Write(&writer, BatchBuilder().Put("sa", {"1234567890"}, 1e300, std::string(100, 'x'))).added, 1);

  config.analysis = AnalysisKind::kTokens;
  IndexWriter tokens(config);
  ExpectRefused(&tokens, BatchBuilder().Put("sa", {"x"}).Slab(), Code::kMalformed);
  const auto with_payload = [](std::string_view payload) {
    std::string slab = BatchBuilder(AnalysisKind::kTokens).Put("sa", {""}).Slab();
    slab.resize(slab.size() - sizeof(uint32_t));
    AppendValue(&slab, static_cast<uint32_t>(payload.size()));
    return slab.append(payload);
  };
  ExpectRefused(&tokens, with_payload(std::string_view("\0\0", 2)), Code::kMalformed);
  ExpectRefused(&tokens, with_payload(std::string("\0\1", 2) + std::string(256, 'x')), Code::kMalformed);
  ExpectRefused(&tokens, with_payload(std::string_view("\2\0x", 3)), Code::kMalformed);
  ExpectRefused(&tokens, with_payload("x"), Code::kMalformed);
}

TEST(IndexWriter, RefusesEveryTruncatedSlab) {
  for (const AnalysisKind analysis : {AnalysisKind::kStandard, AnalysisKind::kTokens}) {
    WriterConfig config = OneField();
    config.fields = 2;
    config.analysis = analysis;
    IndexWriter writer(config);
    const std::string slab = BatchBuilder(analysis)
                                 .Put("sa", {"one two", "three"}, 1, "kept")
                                 .Put("n5", {"", "four"})
                                 .Remove("sb")
                                 .Remove("n7")
                                 .Slab();
    for (size_t length = 0; length < slab.size(); ++length) {
      const auto before = writer.Current();
      const ExactBlock block(slab.substr(0, length));
      const Result<WriteReport> report = writer.Prepare(block.view(), nullptr);
      EXPECT(!report.ok() && !writer.has_prepared());
      EXPECT(writer.Current() == before);
    }
    EXPECT_EQ(writer.Current()->vocabulary->terms.size(), 0);
    const Result<WriteReport> whole = writer.Prepare(slab, nullptr);
    EXPECT(whole.ok() && whole.value().new_terms == 4);
    writer.Publish(nullptr);
    test::ExpectNoFaults(*writer.Current());
  }
}

TEST(IndexWriter, SurvivesDamagedSlabs) {
  Random random;
  for (const AnalysisKind analysis : {AnalysisKind::kEnglish, AnalysisKind::kTokens}) {
    WriterConfig config = OneField();
    config.analysis = analysis;
    IndexWriter writer(config);
    const std::string slab =
        BatchBuilder(analysis).Put("sa", {"one two"}, 1, "kept").Put("sb", {"three"}).Remove("sc").Slab();
    for (size_t round = 0; round < test::Rounds(10000); ++round) {
      std::string damaged = round % 4 == 0 ? std::string(random.Below(60), '\0') : slab;
      for (size_t left = round % 4 == 0 ? damaged.size() : random.Between(1, 4); left > 0; --left) {
        damaged[random.Below(damaged.size())] = static_cast<char>(random.Chance(0.5) ? random.Below(4) : random.Next());
      }
      const ExactBlock block(damaged);
      if (!writer.Prepare(block.view(), nullptr).ok()) continue;
      if (random.Chance(0.5)) {
        writer.Publish(nullptr);
      } else {
        writer.Discard(nullptr);
      }
    }
    test::ExpectNoFaults(*writer.Current());
  }
}

}  // namespace
}  // namespace freshdex::index
