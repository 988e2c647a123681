// An index on disk when operations fail, the power goes or bytes rot.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/memory_files.h"
#include "test/native/random.h"
#include "test/native/random_text.h"
#include "test/native/store_run.h"

namespace freshdex::index {
namespace {

using test::Durable;
using test::ExpectOk;
using test::MemoryFiles;
using test::OpenIndex;
using test::Random;
using test::StoreRun;

// The same life each time, up to a flush with something new of every kind to write.
std::unique_ptr<StoreRun> BeforeAFlush() {
  auto run = std::make_unique<StoreRun>(400, AnalysisKind::kStandard, 8, 40);
  for (size_t step = 0; step < 6; ++step) run->Write();
  run->writer().Compact();
  ExpectOk(run->Flush(true));
  for (size_t step = 0; step < 3; ++step) run->Write();
  while (run->writer().MaintainStep()) {
  }
  run->Write();
  return run;
}

void ExpectFlushSurvives(const MemoryFiles::Plan& plan) {
  const auto run = BeforeAFlush();
  run->files()->Fail(plan);
  const Status status = run->Flush(true);
  run->files()->StopFailing();
  if (!status.ok()) EXPECT_EQ(status.code(), Code::kIo);
  run->CheckCurrent();
  // What the caller has recorded still opens; then the writer goes on as if nothing had been.
  const OpenIndex other = test::Open(run->files(), run->durable(), run->config());
  ExpectOk(other.status);
  if (other.status.ok()) test::ExpectSame(*other.writer->Current(), *run->writer().Current());
  for (size_t step = 0; step < 2; ++step) run->Write();
  while (run->writer().MaintainStep()) {
  }
  ExpectOk(run->Flush(true));
  run->Reopen();
}

TEST(IndexStore, SurvivesAFlushThatFailsAnywhere) {
  const auto run = BeforeAFlush();
  const size_t before = run->files()->operations();
  ExpectOk(run->Flush(true));
  const size_t operations = run->files()->operations() - before;
  EXPECT(operations > 20);
  for (uint64_t n = 0; n < operations; ++n) {
    ExpectFlushSurvives({n, false, false});
    ExpectFlushSurvives({n, true, false});
    if (run->files()->kind(before + n) == test::FileOperation::kAppend) ExpectFlushSurvives({n, n % 2 == 0, true});
  }
}

TEST(IndexStore, SaysSoWhenOpeningFails) {
  const auto run = BeforeAFlush();
  const size_t before = run->files()->operations();
  ExpectOk(test::Open(run->files(), run->durable(), run->config()).status);
  const size_t operations = run->files()->operations() - before;
  for (uint64_t n = 0; n < operations; ++n) {
    run->files()->Fail({n, false, false});
    EXPECT_EQ(test::Open(run->files(), run->durable(), run->config()).status.code(), Code::kIo);
  }
}

// Opens what a loss of power left, cleans up, and sometimes goes on.
void ExpectOpens(const std::shared_ptr<MemoryFiles>& image, const Durable& durable, const WriterConfig& config, bool is_thorough) {
  OpenIndex open = test::Open(image, durable, config);
  ExpectOk(open.status);
  if (!open.status.ok()) return;
  test::ExpectNoFaults(*open.writer->Current());
  EXPECT_EQ(open.writer->Current()->documents, durable.documents.size());
  EXPECT(!open.damage->has_damage());
  ExpectOk(open.store->RemoveUnnamed());
  EXPECT(image->names() == test::PathsOf(durable.manifest));
  if (!is_thorough) return;
  test::ExpectShows(*open.writer->Current(), config.analysis, durable.documents);
  // The numbers of a flush that was cut off are free again: the caller never recorded them.
  const auto flushed = open.writer->Flush(durable.next_number);
  ExpectOk(flushed.status());
  if (!flushed.ok()) return;
  open.writer->AdoptFlush();
  Durable next = durable;
  next.manifest = flushed.value().live;
  next.log.clear();
  const OpenIndex again = test::Open(image, next, config);
  ExpectOk(again.status);
  if (again.status.ok()) test::ExpectSame(*open.writer->Current(), *again.writer->Current());
}

TEST(IndexStore, SurvivesTheLossOfPowerAtAnyMoment) {
  size_t images = 0;
  for (uint64_t stream = 0; images < test::Rounds(2400); ++stream) {
    StoreRun run(420 + stream, static_cast<AnalysisKind>(stream % 3), 8, 40);
    for (size_t step = 0; step < 14; ++step) {
      run.Write();
      run.Maintain();
      if (step % 2 == 1) ExpectOk(run.Flush(run.random()->Chance(0.8)));
    }
    Random random(5000 + stream);
    const auto& moments = run.moments();
    for (size_t count = 0; count <= run.files()->operations(); ++count) {
      for (size_t repeat = 0; repeat < 3; ++repeat, ++images) {
        // The caller's records as of the moment: transactions between the same two operations are one as likely as the other.
        auto last = std::upper_bound(moments.begin(), moments.end(), count, [](size_t c, const auto& m) { return c < m.operations; }) - 1;
        while (last != moments.begin() && (last - 1)->operations == count && last->operations == count && random.Chance(0.3)) --last;
        ExpectOpens(run.files()->AfterPowerLoss(count, &random), last->durable, run.config(), images % 16 == 0);
      }
    }
  }
}

struct DamageCounts {
  size_t at_load = 0;
  size_t while_reading = 0;
};

// Changes one byte of the file and expects that it is noticed, at the latest when it is read, or does not matter.
void ExpectNoticed(StoreRun* run, const SegmentRef& ref, DamageCounts* counts) {
  const std::string path = test::SegmentPath(ref.number);
  std::string damaged = *run->files()->files().at(path);
  const size_t at = run->random()->Below(damaged.size());
  damaged[at] = static_cast<char>(damaged[at] ^ run->random()->Between(1, 255));
  const auto files = run->files()->Copy();
  files->Overwrite(path, damaged);
  const OpenIndex open = test::Open(files, run->durable(), run->config());
  if (!open.status.ok()) {
    EXPECT_EQ(open.status.code(), Code::kCorrupt);
    ++counts->at_load;
    return;
  }
  const auto snapshot = open.writer->Current();
  (void)test::PostingsOf(*snapshot);
  for (DocId doc = 0; doc < snapshot->doc_limit; ++doc) (void)snapshot->Record(doc);
  if (!open.damage->has_damage()) {
    test::ExpectSame(*run->writer().Current(), *snapshot);
    return;
  }
  EXPECT_EQ(open.damage->first().code(), Code::kCorrupt);
  ++counts->while_reading;
  // From here on nothing is written: neither a batch nor a segment may carry the damage on.
  EXPECT(!open.writer->Prepare(test::BatchBuilder().Put("snew", {"one", "two"}).Slab(), nullptr).ok());
  EXPECT(!open.writer->Flush(run->durable().next_number).ok());
}

DamageCounts DamageEachKind(StoreRun* run, size_t rounds) {
  DamageCounts counts;
  std::map<SegmentKind, size_t> seen;
  for (const SegmentRef& ref : run->durable().manifest) {
    if (++seen[ref.kind] > 2) continue;
    for (size_t round = 0; round < rounds; ++round) ExpectNoticed(run, ref, &counts);
  }
  EXPECT_EQ(seen.size(), 5);
  return counts;
}

TEST(IndexStore, NoticesDamageInSmallSegments) {
  const auto run = BeforeAFlush();
  ExpectOk(run->Flush(true));
  EXPECT(DamageEachKind(run.get(), test::Rounds(60)).at_load > 0);
}

// Segments of several blocks, most of which nobody looks at before a reader does.
std::unique_ptr<StoreRun> WithLargeSegments() {
  WriterConfig config = test::StoreConfig(AnalysisKind::kStandard);
  config.partition_bytes = 1u << 20;
  auto run = std::make_unique<StoreRun>(441, config, 8, 40);
  const auto vocabulary = test::RandomVocabulary(run->random(), 1500);
  test::ModelDocuments documents;
  for (size_t i = 0; i < 60; ++i) {
    const auto text = [&] { return test::JoinLines(test::RandomLines(run->random(), vocabulary, 25, 10)); };
    documents["slarge" + std::to_string(i)] = {{text(), text()}, 1, std::string(700, 'x')};
  }
  run->Put(documents);
  run->writer().Compact();
  ExpectOk(run->Flush(true));
  for (size_t step = 0; step < 3; ++step) run->Write();
  ExpectOk(run->Flush(true));
  return run;
}

TEST(IndexStore, NoticesDamageInLargeSegments) {
  const auto run = WithLargeSegments();
  const DamageCounts counts = DamageEachKind(run.get(), test::Rounds(12));
  EXPECT(counts.at_load > 0);
  EXPECT(counts.while_reading > 5);
}

bool HasFault(const CheckReport& report, const char* invariant, const std::string& part) {
  return std::any_of(report.faults.begin(), report.faults.end(),
                     [&](const Fault& fault) { return fault.invariant == invariant && fault.message.find(part) != std::string::npos; });
}

// One block of each segment in turn; what opening did not notice, every level of the check does, and says in which file.
TEST(IndexStore, ChecksTheChecksumsOfEveryBlock) {
  const auto run = WithLargeSegments();
  std::map<SegmentKind, size_t> found;
  for (const SegmentRef& ref : run->durable().manifest) {
    const std::string path = test::SegmentPath(ref.number);
    const std::string whole = *run->files()->files().at(path);
    for (size_t at = kSegmentBlockBytes / 2; at < whole.size(); at += kSegmentBlockBytes) {
      const auto files = run->files()->Copy();
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      files->Overwrite(path, damaged);
      for (const CheckLevel level : {CheckLevel::kChecksums, CheckLevel::kStructure, CheckLevel::kCross}) {
        const OpenIndex open = test::Open(files, run->durable(), run->config());
        if (!open.status.ok()) break;
        EXPECT(HasFault(CheckIndex(*open.writer->Current(), level), "C1", path));
        ++found[ref.kind];
      }
    }
  }
  EXPECT(found[SegmentKind::kPartition] > 3 && found[SegmentKind::kRecords] > 3);
}

}  // namespace
}  // namespace freshdex::index
