// An index on disk when operations fail or the power goes.
#include <algorithm>
#include <cstdint>
#include <cstdio>
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
#include "test/native/store_run.h"
#include "test/native/store_samples.h"

namespace freshdex::index {
namespace {

using test::BeforeAFlush;
using test::Durable;
using test::ExpectOk;
using test::MemoryFiles;
using test::OpenIndex;
using test::Random;
using test::StoreRun;

// After a failure: the open index answers, and what the caller has recorded opens to the same.
void ExpectNothingLost(StoreRun* run) {
  run->CheckCurrent();
  const OpenIndex other = test::Open(run->files(), run->durable(), run->config());
  ExpectOk(other.status);
  if (other.status.ok()) test::ExpectSame(*other.writer->Current(), *run->writer().Current());
}

// Fails as planned while `work` goes on, then goes on as if nothing had been. Returns whether anything failed.
template <typename Work>
bool ExpectSurvives(StoreRun* run, const MemoryFiles::Plan& plan, Work work) {
  run->files()->Fail(plan);
  const Status status = work(run);
  run->files()->StopFailing();
  if (!status.ok()) EXPECT_EQ(status.code(), Code::kIo);
  ExpectNothingLost(run);
  for (size_t step = 0; step < 2; ++step) run->Write();
  while (run->writer().MaintainStep()) {
  }
  ExpectOk(run->Flush(true));
  run->Reopen();
  return !status.ok();
}

// Every way in which every operation of `work` can fail. `make` gives the same run each time. Returns how often
// something did.
template <typename Make, typename Work>
size_t FailEverywhere(Make make, Work work) {
  const auto whole = make();
  const size_t before = whole->files()->operations();
  ExpectOk(work(whole.get()));
  const size_t operations = whole->files()->operations() - before;
  EXPECT(operations > 10);
  size_t failures = 0;
  for (uint64_t n = 0; n < operations; ++n) {
    const bool is_append = whole->files()->kind(before + n) == test::FileOperation::kAppend;
    for (const MemoryFiles::Plan& plan : {MemoryFiles::Plan{n, false, false, false},
                                          {n, true, false, false},
                                          {n, false, true, false},
                                          {n, true, true, false},
                                          {n, false, false, true},
                                          {n, false, true, true}}) {
      if (!is_append && (plan.writes_short || plan.is_full)) continue;
      failures += ExpectSurvives(make().get(), plan, work);
    }
  }
  return failures;
}

TEST(IndexStore, SurvivesAFlushThatFailsAnywhere) {
  const auto flush = [](StoreRun* run) { return run->Flush(true); };
  EXPECT(FailEverywhere(BeforeAFlush, flush) > 60);
}

// The steps of a compaction until one fails.
Status CompactUntilFailure(StoreRun* run) {
  while (run->writer().CompactStep()) {
    Status status = run->Flush(true);
    if (!status.ok()) return status;
  }
  return {};
}

TEST(IndexStore, SurvivesACompactionThatFailsAnywhere) {
  const auto make = [] {
    auto run = BeforeAFlush();
    ExpectOk(run->Flush(true));
    EXPECT(!run->writer().Current()->runs.empty());
    return run;
  };
  EXPECT(FailEverywhere(make, CompactUntilFailure) > 60);
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

using Moments = std::vector<StoreRun::Moment>;

// Opens what a loss of power left and cleans up; with `goes_on`, flushes too. Returns the caller's records as they
// changed meanwhile.
Moments ExpectOpens(const std::shared_ptr<MemoryFiles>& image, const Durable& durable, const WriterConfig& config,
                    bool goes_on) {
  Moments moments = {{0, durable}};
  OpenIndex open = test::Open(image, durable, config);
  ExpectOk(open.status);
  if (!open.status.ok()) return moments;
  test::ExpectNoFaults(*open.writer->Current());
  EXPECT_EQ(open.writer->Current()->documents, durable.documents.size());
  EXPECT(!open.damage->has_damage());
  ExpectOk(open.store->RemoveUnnamed());
  EXPECT(image->names() == test::PathsOf(durable.manifest));
  if (!goes_on) return moments;
  test::ExpectShows(*open.writer->Current(), config.analysis[0], durable.documents);
  // The numbers of a flush that was cut off are free again: the caller never recorded them.
  const auto flushed = open.writer->Flush(durable.next_number);
  ExpectOk(flushed.status());
  if (!flushed.ok()) return moments;
  Durable next = durable;
  next.manifest = flushed.value().live;
  next.next_number += flushed.value().added.size();
  next.log.clear();
  moments.push_back({image->operations(), next});
  open.writer->AdoptFlush();
  const OpenIndex again = test::Open(image, next, config);
  ExpectOk(again.status);
  if (again.status.ok()) test::ExpectSame(*open.writer->Current(), *again.writer->Current());
  return moments;
}

// The caller's records behind the first `count` operations: of transactions between the same two operations, one is as
// likely as the other.
const Durable& RecordsAt(const Moments& moments, size_t count, Random* random) {
  auto last = std::upper_bound(moments.begin(), moments.end(), count,
                               [](size_t c, const auto& m) { return c < m.operations; }) -
              1;
  while (last != moments.begin() && (last - 1)->operations == count && last->operations == count && random->Chance(0.3))
    --last;
  return last->durable;
}

// Several images of each moment of one life; of some, the power goes once more while the index is opened, cleaned up
// and flushed.
size_t LosePowerEverywhere(uint64_t stream) {
  StoreRun run(420 + stream, static_cast<AnalysisKind>(stream % 3), 8, 40);
  for (size_t step = 0; step < 14; ++step) {
    run.Write();
    run.Maintain();
    if (step % 2 == 1) ExpectOk(run.Flush(run.random()->Chance(0.8)));
    if (step % 7 == 6) run.CompactByFlushes();
  }
  Random random(5000 + stream);
  size_t images = 0;
  for (size_t count = 0; count <= run.files()->operations(); ++count) {
    for (size_t repeat = 0; repeat < 3; ++repeat) {
      const auto image = run.files()->AfterPowerLoss(count, &random);
      const bool goes_on = ++images % 16 == 0;
      const Moments moments = ExpectOpens(image, RecordsAt(run.moments(), count, &random), run.config(), goes_on);
      for (size_t again = goes_on ? 4 : images % 4 == 0; again > 0; --again, ++images) {
        const size_t second = random.Below(image->operations() + 1);
        ExpectOpens(image->AfterPowerLoss(second, &random), RecordsAt(moments, second, &random), run.config(), false);
      }
    }
  }
  return images;
}

TEST(IndexStore, SurvivesTheLossOfPowerAtAnyMoment) {
  const size_t wanted = test::IsLong() ? 100'000 : 2'400;
  size_t images = 0;
  for (uint64_t stream = 0; images < wanted; ++stream) images += LosePowerEverywhere(stream);
  std::printf("%zu disks after a loss of power\n", images);
}

}  // namespace
}  // namespace freshdex::index
