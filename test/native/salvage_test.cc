#include "native/index/salvage.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/native/damaged_files.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/store_run.h"
#include "test/native/store_samples.h"

namespace freshdex::index {
namespace {

using test::ExpectOk;
using test::MemoryFiles;
using test::ModelDocuments;
using test::StoreRun;

Salvage SalvageOf(std::shared_ptr<MemoryFiles> files, const StoreRun& run) {
  return Salvage(std::move(files), test::kStoreFolder, run.durable().manifest, test::kStoreId, run.config().fields,
                 run.config().columns);
}

std::vector<DocId> IntactOf(const Salvage& salvage) {
  std::vector<DocId> docs;
  for (DocId doc = 0; doc < salvage.limit(); ++doc) {
    if (salvage.StateOf(doc) == SalvagedState::kIntact) docs.push_back(doc);
  }
  EXPECT_EQ(docs.size(), salvage.documents());
  return docs;
}

// Adds the documents to the index, so many to a row.
void AddTo(IndexWriter* target, const Salvage& salvage, std::span<const DocId> docs, size_t per_row) {
  for (size_t at = 0; at < docs.size(); at += per_row) {
    const auto some = docs.subspan(at, std::min(per_row, docs.size() - at));
    std::vector<std::string_view> stored;
    for (DocId doc : some) stored.push_back(salvage.StoredOf(doc));
    const auto row = salvage.RowFor(some, stored, *target);
    ExpectOk(row.status());
    if (!row.ok()) return;
    const Status status = target->PrepareRow(row.value(), nullptr);
    ExpectOk(status);
    if (status.ok()) target->Publish(nullptr);
  }
}

// What the documents still there should be, by the model.
ModelDocuments ModelOf(const Salvage& salvage, const ModelDocuments& all) {
  ModelDocuments documents;
  for (DocId doc : IntactOf(salvage)) {
    const auto found = all.find(std::string(salvage.KeyOf(doc)));
    EXPECT(found != all.end());
    if (found == all.end()) continue;
    EXPECT_EQ(salvage.StoredOf(doc), found->second.stored);
    EXPECT_EQ(salvage.WeightOf(doc), found->second.weight);
    documents.insert(*found);
  }
  return documents;
}

// Makes a fresh index of all that came back, and expects it to show just that.
void ExpectComesBack(const Salvage& salvage, const StoreRun& run, size_t per_row) {
  IndexWriter fresh(run.config());
  AddTo(&fresh, salvage, IntactOf(salvage), per_row);
  test::ExpectNoFaults(*fresh.Current());
  test::ExpectShows(*fresh.Current(), run.config().analysis[0], ModelOf(salvage, run.durable().documents));
}

TEST(Salvage, BringsAWholeIndexBack) {
  for (uint64_t stream = 0; stream < test::Rounds(6); ++stream) {
    StoreRun run(500 + stream, static_cast<AnalysisKind>(stream % 3));
    for (size_t step = 0; step < 25; ++step) run.Step();
    ExpectOk(run.Flush(true));
    const Salvage salvage = SalvageOf(run.files(), run);
    EXPECT_EQ(salvage.problems().size(), 0);
    EXPECT_EQ(salvage.documents(), run.durable().documents.size());
    ExpectComesBack(salvage, run, run.random()->Between(1, 9));
  }
}

TEST(Salvage, LetsAFreshIndexKnowItsPagesAgain) {
  StoreRun run(510, AnalysisKind::kEnglish);
  for (size_t step = 0; step < 20; ++step) run.Step();
  ExpectOk(run.Flush(true));
  const Salvage salvage = SalvageOf(run.files(), run);
  IndexWriter fresh(run.config());
  AddTo(&fresh, salvage, IntactOf(salvage), 4);
  test::BatchBuilder batch(run.config().analysis[0], run.config().columns);
  for (const auto& [key, document] : run.durable().documents)
    batch.Put(key, document.texts, document.weight, document.stored, document.values);
  const auto report = fresh.Prepare(batch.Slab(), nullptr);
  ExpectOk(report.status());
  EXPECT_EQ(report.value().unchanged, run.durable().documents.size());
  EXPECT(run.durable().documents.size() > 5);
  EXPECT_EQ(report.value().tokens_tokenized, 0);
}

// Into an index with documents and terms of its own.
TEST(Salvage, AddsToAnIndexThatHasOthers) {
  StoreRun run(511, AnalysisKind::kStandard);
  for (size_t step = 0; step < 20; ++step) run.Write();
  ExpectOk(run.Flush(true));
  const Salvage salvage = SalvageOf(run.files(), run);
  IndexWriter target(run.config());
  ModelDocuments expected = run.durable().documents;
  expected["sown"] = {{"words of its own", "the first " + expected.begin()->second.texts[1]}, 2, "mine"};
  expected["sgone"] = {{"for a while", "only"}, 0, ""};
  test::BatchBuilder batch(AnalysisKind::kStandard, target.config().columns);
  for (const char* key : {"sgone", "sown"})
    batch.Put(key, expected[key].texts, expected[key].weight, expected[key].stored, expected[key].values);
  ExpectOk(target.Prepare(batch.Slab(), nullptr).status());
  target.Publish(nullptr);
  ExpectOk(target.Prepare(test::BatchBuilder().Remove("sgone").Slab(), nullptr).status());
  target.Publish(nullptr);
  expected.erase("sgone");
  AddTo(&target, salvage, IntactOf(salvage), 5);
  test::ExpectNoFaults(*target.Current());
  test::ExpectShows(*target.Current(), AnalysisKind::kStandard, expected);
}

// Numbers of more than 16 bits become short ones and the other way round.
TEST(Salvage, RenumbersTermsOfAnySize) {
  StoreRun run(512, AnalysisKind::kTokens, 8, 40);
  std::string many;
  for (size_t i = 0; i < 66000; ++i) many += "t" + std::to_string(i) + " ";
  run.Put({{"sfirst", {{many, ""}, 1, "first"}}});
  run.Put({{"ssecond", {{"t65999 t0 new t65999 t65530", "newer t1"}, 2, "second"}}});
  ExpectOk(run.Flush(true));
  const Salvage salvage = SalvageOf(run.files(), run);
  IndexWriter fresh(run.config());
  std::vector<DocId> docs = IntactOf(salvage);
  EXPECT_EQ(docs.size(), 2);
  std::reverse(docs.begin(), docs.end());
  AddTo(&fresh, salvage, docs, 1);
  test::ExpectNoFaults(*fresh.Current());
  test::ExpectShows(*fresh.Current(), AnalysisKind::kTokens, run.durable().documents);
}

bool Overlaps(const DocEntry& entry, size_t block) {
  const uint64_t begin = test::kSegmentHeaderBytes + entry.offset,
                 end = begin + entry.forward_bytes + entry.stored_bytes + entry.value_bytes;
  return begin < (block + 1) * kSegmentBlockBytes && end > block * kSegmentBlockBytes;
}

// The documents that use a term whose entry, in a segment of terms from 0 on, ends in this block or behind.
std::set<DocId> UsersOfTermsFrom(const Snapshot& snapshot, const SegmentFile& segment, size_t block) {
  uint64_t end = segment.OffsetOf(segment.Section(2).data());
  const uint64_t count = segment.Array<uint64_t>(1)[1];
  TermId first_lost = 0;
  for (; first_lost < count; ++first_lost) {
    end += 2 + snapshot.terms().Text(first_lost).size();
    if (end > block * kSegmentBlockBytes) break;
  }
  std::set<DocId> users;
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    const auto record = snapshot.Record(doc);
    if (!record) continue;
    const ForwardView forward(record->forward);
    VisitTokens(forward.codes(), 0, [&](TermId term, uint64_t) {
      if (term >= first_lost && term < count) users.insert(doc);
    });
  }
  return users;
}

// Which documents the damaged block takes along.
std::set<DocId> Touched(const Snapshot& snapshot, const SegmentFile& segment, size_t block) {
  const SegmentKind kind = segment.name().kind;
  if (kind == SegmentKind::kTerms) return UsersOfTermsFrom(snapshot, segment, block);
  std::set<DocId> docs;
  if (kind != SegmentKind::kRecords) return docs;
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    if (!snapshot.table->Has(doc)) continue;
    const DocEntry& entry = snapshot.table->entry(doc);
    const auto& records = snapshot.table->record_segments()[entry.segment_plus_1 - 1];
    if (records->name().number == segment.name().number && Overlaps(entry, block)) docs.insert(doc);
  }
  return docs;
}

TEST(Salvage, LosesOnlyWhatADamagedBlockTouches) {
  WriterConfig config = test::StoreConfig(AnalysisKind::kStandard);
  config.partition_bytes = 1u << 20;
  StoreRun run(513, config, 8, 40);
  const auto vocabulary = test::RandomVocabulary(run.random(), 9000);
  ModelDocuments documents;
  for (size_t i = 0; i < 60; ++i) {
    const auto text = [&] { return test::JoinLines(test::RandomLines(run.random(), vocabulary, i < 20 ? 3 : 30, 10)); };
    documents["slarge" + std::to_string(i)] = {{text(), text()}, 1, std::string(700, 'x')};
  }
  run.Put(documents);
  ExpectOk(run.Flush(true));
  run.Write();
  ExpectOk(run.Flush(true));
  const auto snapshot = run.writer().Current();
  size_t lost_some = 0;
  for (const SegmentRef& ref : run.durable().manifest) {
    const std::string path = test::SegmentPath(ref.number);
    const std::string whole = *run.files()->files().at(path);
    const SegmentName name{test::kStoreId, ref.kind, ref.number};
    const auto segment = SegmentFile::Open(run.files().get(), path, name, std::make_shared<DamageLog>()).value();
    const size_t data_bytes = LoadUnaligned<uint64_t>(whole.data() + whole.size() - test::kSegmentFooterBytes);
    const bool is_later_terms = ref.kind == SegmentKind::kTerms && segment->Array<uint64_t>(1)[0] != 0;
    if (is_later_terms) continue;
    const size_t step = test::IsLong() ? 1 : 4;
    for (size_t block = 0; block * kSegmentBlockBytes + test::kSegmentHeaderBytes < data_bytes; block += step) {
      const size_t end = std::min((block + 1) * kSegmentBlockBytes, data_bytes);
      std::string damaged = whole;
      damaged[end - 1] = static_cast<char>(damaged[end - 1] ^ 0x04);
      const auto files = run.files()->Copy();
      files->Overwrite(path, damaged);
      const Salvage salvage = SalvageOf(files, run);
      EXPECT(!salvage.problems().empty() && salvage.problems()[0].find(path) != std::string::npos);
      if (ref.kind == SegmentKind::kDocuments) {
        EXPECT_EQ(salvage.limit(), 0);
        continue;
      }
      const std::set<DocId> touched = Touched(*snapshot, *segment, block);
      for (DocId doc = 0; doc < snapshot->doc_limit; ++doc) {
        const SalvagedState present = touched.contains(doc) ? SalvagedState::kDamaged : SalvagedState::kIntact;
        EXPECT_EQ(salvage.StateOf(doc), snapshot->IsVisible(doc) ? present : SalvagedState::kAbsent);
        if (snapshot->IsVisible(doc)) EXPECT_EQ(salvage.KeyOf(doc), snapshot->vocabulary->keys.KeyOf(doc));
      }
      lost_some += !touched.empty() && salvage.documents() > 0;
      ExpectComesBack(salvage, run, 20);
    }
  }
  EXPECT(lost_some > (test::IsLong() ? 5 : 1));
}

TEST(Salvage, SurvivesAnyFlipAndAnyCut) {
  const auto run = test::BeforeAFlush();
  ExpectOk(run->Flush(true));
  size_t count = 0;
  const auto files = run->files()->Copy();
  test::DamageFiles(*run, 30, [&](const std::string& path, const std::string& bytes, uint64_t) {
    files->Overwrite(path, bytes);
    const Salvage salvage = SalvageOf(files, *run);
    EXPECT(!salvage.problems().empty());
    if (++count % 16 == 0) ExpectComesBack(salvage, *run, 3);
    (void)ModelOf(salvage, run->durable().documents);
    files->Overwrite(path, *run->files()->files().at(path));
  });
  EXPECT(count > 200);
}

// Nonsense that checksums do not show may come back as nonsense, but an index made of it is sound.
TEST(Salvage, MakesASoundIndexOfWhateverItReads) {
  const auto run = test::BeforeAFlush();
  ExpectOk(run->Flush(true));
  size_t changed = 0;
  const auto files = run->files()->Copy();
  test::DamageFiles(*run, 40, [&](const std::string& path, const std::string& bytes, uint64_t number) {
    const std::string& whole = *run->files()->files().at(path);
    if (!test::CanReseal(bytes, whole)) return;
    files->Overwrite(path, test::Resealed(bytes, number));
    const Salvage salvage = SalvageOf(files, *run);
    IndexWriter fresh(run->config());
    AddTo(&fresh, salvage, IntactOf(salvage), 3);
    test::ExpectNoFaults(*fresh.Current());
    changed += salvage.documents() < run->durable().documents.size();
    files->Overwrite(path, whole);
  });
  EXPECT(changed > 10);
}

}  // namespace
}  // namespace freshdex::index
