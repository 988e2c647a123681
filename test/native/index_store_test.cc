#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "native/index/index_store.h"
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

TEST(IndexStore, AgreesWithAMapAcrossFlushesAndReopenings) {
  for (uint64_t stream = 0; stream < test::Rounds(6); ++stream) {
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

TEST(IndexStore, WritesOnlyWhatIsNotOnDiskYet) {
  StoreRun run(322, AnalysisKind::kStandard);
  for (size_t step = 0; step < 20; ++step) run.Write();
  run.writer().Compact();
  ExpectOk(run.Flush(true));
  const std::vector<SegmentRef> first = run.durable().manifest;
  ExpectOk(run.Flush(true));
  // The document table is written anew every time; nothing else was.
  for (const SegmentRef& ref : run.durable().manifest) {
    const bool is_kept = std::find(first.begin(), first.end(), ref) != first.end();
    EXPECT_EQ(is_kept, ref.kind != SegmentKind::kDocuments);
  }
  EXPECT_EQ(run.durable().manifest.size(), first.size());
}

TEST(IndexStore, KeepsTheNumberOfTermSegmentsSmall) {
  StoreRun run(323, AnalysisKind::kStandard, 25, 2000);
  for (size_t step = 0; step < 40; ++step) {
    run.Write();
    ExpectOk(run.Flush(true));
    const auto& live = run.durable().manifest;
    EXPECT(std::count_if(live.begin(), live.end(), [](const auto& ref) { return ref.kind == SegmentKind::kTerms; }) <= 8);
  }
  run.Reopen();
  EXPECT(run.files()->names() == test::PathsOf(run.durable().manifest));
}

TEST(IndexStore, RemovesOnlyItsOwnFilesThatNobodyNames) {
  StoreRun run(324, AnalysisKind::kStandard);
  for (size_t step = 0; step < 10; ++step) run.Write();
  ExpectOk(run.Flush(true));
  const std::string strangers[] = {"index/notes.txt", "index/0000000000000001.seg.bak", "index/lock", "other/0000000000009999.seg"};
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

// What a list of segments says about sizes must not decide about what is removed: a list with other sizes names the same files.
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
    const bool is_run = whole.manifest[i].kind == SegmentKind::kRun;
    const Status status = test::Open(run.files(), part, run.config()).status;
    if (!is_run && status.code() != Code::kCorrupt) EXPECT_EQ(status.message(), "a list without its segment of kind " + test::Show(whole.manifest[i].kind));
    part = whole;
    part.manifest[i].kind = part.manifest[i].kind == SegmentKind::kRun ? SegmentKind::kTerms : SegmentKind::kRun;
    EXPECT_EQ(test::Open(run.files(), part, run.config()).status.code(), Code::kCorrupt);
    part = whole;
    part.manifest[i].number += 500000;
    // Records are named by the document table too, so here the list contradicts it.
    const bool is_records = part.manifest[i].kind == SegmentKind::kRecords;
    EXPECT_EQ(test::Open(run.files(), part, run.config()).status.code(), is_records ? Code::kCorrupt : Code::kIo);
    part = whole;
    part.manifest.push_back(part.manifest[i]);
    const OpenIndex twice = test::Open(run.files(), part, run.config());
    if (twice.status.ok()) (void)CheckIndex(*twice.writer->Current(), CheckLevel::kCross);
  }
  EXPECT_EQ(kinds.size(), 5);
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
