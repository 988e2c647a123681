// An index on disk when bytes rot.
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
#include "test/native/random.h"
#include "test/native/store_run.h"
#include "test/native/store_samples.h"

namespace freshdex::index {
namespace {

using test::BeforeAFlush;
using test::ExpectOk;
using test::OpenIndex;
using test::StoreRun;
using test::WithLargeSegments;

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
