#include "native/index/index_store.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/memory_files.h"
#include "test/native/random.h"
#include "test/native/store_run.h"

namespace freshdex::index {
namespace {

using test::Durable;
using test::ExpectOk;
using test::MemoryFiles;
using test::OpenIndex;
using test::Random;
using test::StoreRun;

std::set<uint64_t> NumbersOf(const std::vector<SegmentRef>& list) {
  std::set<uint64_t> numbers;
  for (const SegmentRef& ref : list) numbers.insert(ref.number);
  return numbers;
}

TEST(IndexStore, AgreesWithAMapAcrossFlushesAndReopenings) {
  for (uint64_t stream = 0; stream < test::Rounds(3); ++stream) {
    StoreRun run(300 + stream, static_cast<AnalysisKind>(stream % 3));
    for (size_t step = 0; step < 60; ++step) run.Step();
    run.Finish();
  }
}

TEST(IndexStore, ReplaysALogWithoutAnySegment) {
  StoreRun run(320, AnalysisKind::kEnglish);
  for (size_t step = 0; step < 30; ++step) run.Write();
  EXPECT(run.durable().manifest.empty());
  run.Reopen();
  EXPECT_EQ(run.files()->files().size(), 0);
}

TEST(IndexStore, FlushesAnEmptyIndex) {
  StoreRun run(321, AnalysisKind::kStandard);
  ExpectOk(run.Flush(true));
  EXPECT(!run.durable().manifest.empty());
  run.Reopen();
  ExpectOk(run.Flush(true));
  for (size_t step = 0; step < 10; ++step) run.Step();
  run.Finish();
}

TEST(IndexStore, RefusesBatchesWhileAFlushWaitsAndFlushesWhileABatchDoes) {
  StoreRun run(322, AnalysisKind::kStandard);
  for (size_t step = 0; step < 3; ++step) run.Write();
  IndexWriter& writer = run.writer();
  const std::string empty_slab(8, '\0');
  ExpectOk(writer.Flush(1000).status());
  EXPECT(writer.Prepare(empty_slab, nullptr).status().code() == Code::kInternal);
  EXPECT(writer.PrepareRow("", nullptr).code() == Code::kInternal);
  EXPECT(writer.Flush(2000).status().code() == Code::kInternal);
  EXPECT(writer.has_flush() && !writer.has_prepared());
  writer.AbandonFlush();

  ExpectOk(writer.Prepare(empty_slab, nullptr).status());
  EXPECT(writer.Prepare(empty_slab, nullptr).status().code() == Code::kInternal);
  EXPECT(writer.Flush(3000).status().code() == Code::kInternal);
  EXPECT(writer.has_prepared() && !writer.has_flush());
  writer.Discard(nullptr);
  run.Finish();
}

TEST(IndexStore, WritesOnlyWhatIsNotOnDiskYet) {
  StoreRun run(322, AnalysisKind::kStandard);
  for (size_t step = 0; step < 20; ++step) run.Write();
  run.writer().Compact();
  ExpectOk(run.Flush(true));
  const std::vector<SegmentRef> first = run.durable().manifest;
  ExpectOk(run.Flush(true));
  EXPECT(NumbersOf(run.durable().manifest) == NumbersOf(first));

  // A batch that changes no text: no posting, no term, but a record and the table.
  run.Put({{"sone", {{"", ""}, 2, "stored"}}});
  ExpectOk(run.Flush(true));
  for (const SegmentRef& ref : run.durable().manifest) {
    const bool is_kept = NumbersOf(first).contains(ref.number);
    EXPECT(is_kept || ref.kind == SegmentKind::kDocuments || ref.kind == SegmentKind::kRecords);
  }
  EXPECT(NumbersOf(run.durable().manifest) != NumbersOf(first));
}

struct CompactionStep {
  size_t partitions_added = 0;
  size_t partitions_gone = 0;
  uint64_t bytes_added = 0;
};

CompactionStep Compare(const std::vector<SegmentRef>& before, const std::vector<SegmentRef>& after) {
  CompactionStep step;
  for (const SegmentRef& ref : after) {
    if (NumbersOf(before).contains(ref.number)) continue;
    EXPECT_EQ(ref.kind, SegmentKind::kPartition);
    ++step.partitions_added;
    step.bytes_added += ref.bytes;
  }
  for (const SegmentRef& ref : before) {
    step.partitions_gone += ref.kind == SegmentKind::kPartition && !NumbersOf(after).contains(ref.number);
  }
  return step;
}

uint64_t LargestPartition(const std::vector<SegmentRef>& list) {
  uint64_t largest = 0;
  for (const SegmentRef& ref : list) largest = std::max(largest, ref.kind == SegmentKind::kPartition ? ref.bytes : 0);
  return largest;
}

TEST(IndexStore, CompactsInTheSpaceOfOnePartition) {
  WriterConfig config = test::StoreConfig(AnalysisKind::kStandard);
  config.partition_bytes = 2048;
  config.phrase_limits.least_pages = UINT32_MAX;
  StoreRun run(328, config, 300, 1500);
  for (size_t step = 0; step < 150; ++step) run.Write();
  run.CompactByFlushes();
  EXPECT(run.writer().Current()->partitions.size() > 4);
  for (size_t step = 0; step < 20; ++step) run.Write();
  ExpectOk(run.Flush(true));
  const auto before = run.writer().Current();
  EXPECT(!before->runs.empty());
  size_t steps = 0, splits = 0;
  for (auto list = run.durable().manifest; run.writer().CompactStep(); list = run.durable().manifest, ++steps) {
    EXPECT(run.writer().UnflushedBytes() > 0);
    ExpectOk(run.Flush(true));
    EXPECT_EQ(run.writer().UnflushedBytes(), 0);
    const CompactionStep step = Compare(list, run.durable().manifest);
    EXPECT_EQ(step.partitions_gone, 1);
    splits += step.partitions_added - 1;
    EXPECT(step.bytes_added <= 2 * LargestPartition(list));
  }
  EXPECT(steps > 4 && splits > 0);
  EXPECT(run.writer().Current()->runs.empty());
  test::ExpectSame(*before, *run.writer().Current());
  for (const SegmentRef& ref : run.durable().manifest) EXPECT(ref.kind != SegmentKind::kRun);
  run.Reopen();
}

// A run that touches the terms of one partition goes with that partition's fold alone.
TEST(IndexStore, FoldsOnlyPartitionsForWhichDeltasWait) {
  WriterConfig config = test::StoreConfig(AnalysisKind::kStandard);
  config.partition_bytes = 1024;
  config.phrase_limits.least_pages = UINT32_MAX;
  StoreRun run(329, config, 100, 600);
  for (size_t step = 0; step < 60; ++step) run.Write();
  run.CompactByFlushes();
  EXPECT(run.writer().Current()->partitions.size() > 4);
  run.Put({{"snew", {{"", "aterm thatnobody hasused"}, 0, ""}}});
  ExpectOk(run.Flush(true));
  EXPECT_EQ(run.writer().Current()->runs.size(), 1);
  EXPECT(run.writer().CompactStep());
  EXPECT(!run.writer().CompactStep());
  EXPECT(run.writer().Current()->runs.empty());
  run.CheckCurrent();
}

TEST(IndexStore, DoesNotFoldBeyondTheLimitOfMemory) {
  WriterConfig config = test::StoreConfig(AnalysisKind::kStandard);
  config.partition_bytes = 1024;
  config.max_unflushed_bytes = 3000;
  StoreRun run(330, config, 100, 600);
  const auto in_memory = [&] {
    uint64_t bytes = 0;
    for (const auto& partition : run.writer().Current()->partitions)
      bytes += partition->segment() ? 0 : partition->MemoryBytes();
    return bytes;
  };
  uint64_t largest = 0;
  bool was_refused = false;
  for (size_t step = 0; step < 120; ++step) {
    run.Write();
    while (true) {
      const uint64_t before = in_memory();
      const auto partitions = run.writer().Current()->partitions;
      if (!run.writer().MaintainStep()) break;
      if (before > config.max_unflushed_bytes) EXPECT(run.writer().Current()->partitions == partitions);
    }
    largest = std::max(largest, in_memory());
    was_refused |= in_memory() > config.max_unflushed_bytes;
    EXPECT(run.writer().UnflushedBytes() >= in_memory());
    if (step % 20 == 19) {
      ExpectOk(run.Flush(true));
      EXPECT_EQ(run.writer().UnflushedBytes(), 0);
    }
  }
  EXPECT(was_refused);
  // The fold that crosses the limit takes up all that waits for one partition, once.
  EXPECT(largest < 6 * config.max_unflushed_bytes);
  run.Finish();
}

TEST(IndexStore, KeepsTheNumberOfFilesBoundedAcrossSmallFlushes) {
  StoreRun run(331, AnalysisKind::kStandard, 60, 400);
  std::map<SegmentKind, size_t> most;
  for (size_t step = 0; step < test::Rounds(80); ++step) {
    run.Write();
    while (run.writer().MaintainStep()) {
    }
    ExpectOk(run.Flush(true));
    std::map<SegmentKind, size_t> counts;
    for (const SegmentRef& ref : run.durable().manifest) ++counts[ref.kind];
    for (const auto& [kind, count] : counts) most[kind] = std::max(most[kind], count);
    EXPECT(run.files()->names() == test::PathsOf(run.durable().manifest));
  }
  EXPECT_EQ(most[SegmentKind::kRecords], 9);
  EXPECT(most[SegmentKind::kTerms] <= 8);
  EXPECT(most[SegmentKind::kRun] <= 16);
  EXPECT_EQ(most[SegmentKind::kDocuments], 1);
  run.Reopen();
}

TEST(IndexStore, KeepsTheNumberOfTermSegmentsSmall) {
  StoreRun run(323, AnalysisKind::kStandard, 25, 2000);
  for (size_t step = 0; step < 40; ++step) {
    run.Write();
    ExpectOk(run.Flush(true));
    const auto& live = run.durable().manifest;
    EXPECT(std::count_if(live.begin(), live.end(), [](const auto& ref) { return ref.kind == SegmentKind::kTerms; }) <=
           8);
  }
  run.Reopen();
  EXPECT(run.files()->names() == test::PathsOf(run.durable().manifest));
}

TEST(IndexStore, RemovesOnlyItsOwnFilesThatNobodyNames) {
  StoreRun run(324, AnalysisKind::kStandard);
  for (size_t step = 0; step < 10; ++step) run.Write();
  ExpectOk(run.Flush(true));
  const std::string strangers[] = {"index/notes.txt", "index/0000000000000001.seg.bak", "index/lock",
                                   "other/0000000000009999.seg"};
  for (const std::string& path : strangers) run.files()->Overwrite(path, "not ours");
  run.files()->Overwrite(test::SegmentPath(77777), "left by a crash");
  OpenIndex open = test::Open(run.files(), run.durable(), run.config());
  ExpectOk(open.status);
  ExpectOk(open.store->RemoveUnnamed());
  std::set<std::string> expected = test::PathsOf(run.durable().manifest);
  expected.insert(std::begin(strangers), std::end(strangers));
  EXPECT(run.files()->names() == expected);

  run.files()->Fail({0, false, false});
  EXPECT_EQ(open.store->RemoveUnnamed().code(), Code::kIo);
}

// What a list of segments says about sizes must not decide about what is removed: a list with other sizes names the
// same files.
TEST(IndexStore, NeverRemovesASegmentThatIsStillNamed) {
  StoreRun run(325, AnalysisKind::kStandard);
  for (size_t step = 0; step < 10; ++step) run.Write();
  run.writer().Compact();
  ExpectOk(run.Flush(true));
  Durable durable = run.durable();
  for (SegmentRef& ref : durable.manifest) ref.bytes = 0;
  OpenIndex open = test::Open(run.files(), durable, run.config());
  if (!open.status.ok()) return;
  const auto flushed = open.writer->Flush(durable.next_number);
  ExpectOk(flushed.status());
  durable.manifest = flushed.value().live;
  open.writer->AdoptFlush();
  for (const std::string& path : test::PathsOf(durable.manifest)) EXPECT(run.files()->files().contains(path));
}

TEST(IndexStore, RefusesListsThatDoNotMakeAnIndex) {
  StoreRun run(326, AnalysisKind::kStandard);
  for (size_t step = 0; step < 12; ++step) run.Write();
  run.writer().Compact();
  ExpectOk(run.Flush(true));
  for (size_t step = 0; step < 2; ++step) run.Write();
  ExpectOk(run.Flush(true));
  const Durable whole = run.durable();
  std::set<SegmentKind> kinds;
  for (size_t i = 0; i < whole.manifest.size(); ++i) {
    kinds.insert(whole.manifest[i].kind);
    Durable part = whole;
    part.manifest.erase(part.manifest.begin() + static_cast<std::ptrdiff_t>(i));
    // A missing run leaves an index that is whole by its looks; the caller's records are trusted to name it.
    const SegmentKind kind = whole.manifest[i].kind;
    const bool is_run = kind == SegmentKind::kRun || kind == SegmentKind::kPhraseRun;
    const Status status = test::Open(run.files(), part, run.config()).status;
    if (!is_run && status.code() != Code::kCorrupt)
      EXPECT_EQ(status.message(), "a list without its segment of kind " + test::Show(whole.manifest[i].kind));
    part = whole;
    part.manifest[i].kind = part.manifest[i].kind == SegmentKind::kRun ? SegmentKind::kTerms : SegmentKind::kRun;
    EXPECT_EQ(test::Open(run.files(), part, run.config()).status.code(), Code::kCorrupt);
    part = whole;
    part.manifest[i].number += 500000;
    // Records and pages of columns are named by the document table too, so here the list contradicts it.
    const bool is_records =
        part.manifest[i].kind == SegmentKind::kRecords || part.manifest[i].kind == SegmentKind::kColumns;
    EXPECT_EQ(test::Open(run.files(), part, run.config()).status.code(), is_records ? Code::kCorrupt : Code::kIo);
    part = whole;
    part.manifest.push_back(part.manifest[i]);
    const OpenIndex twice = test::Open(run.files(), part, run.config());
    if (twice.status.ok()) (void)CheckIndex(*twice.writer->Current(), CheckLevel::kCross);
  }
  EXPECT_EQ(kinds.size(), static_cast<size_t>(kLastSegmentKind));
}

TEST(IndexStore, RefusesALogThatDoesNotFit) {
  StoreRun run(327, AnalysisKind::kStandard);
  for (size_t step = 0; step < 12; ++step) run.Write();
  Durable durable = run.durable();
  durable.log.erase(std::next(durable.log.begin(), 3));
  EXPECT_EQ(test::Open(run.files(), durable, run.config()).status.code(), Code::kCorrupt);
}

}  // namespace
}  // namespace freshdex::index
