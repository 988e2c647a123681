// An index on disk when bytes rot.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "native/index/posting_cursor.h"
#include "native/score/search.h"
#include "test/native/damaged_files.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/memory_watch.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/random_query.h"
#include "test/native/store_run.h"
#include "test/native/store_samples.h"

namespace freshdex::index {
namespace {

using test::BeforeAFlush;
using test::Durable;
using test::ExpectOk;
using test::OpenIndex;
using test::Random;
using test::StoreRun;
using test::WithLargeSegments;

struct DamageCounts {
  size_t at_load = 0;
  size_t while_reading = 0;
};

// Expects that damage is noticed, at the latest when it is read, or does not matter.
void ExpectNoticed(StoreRun* run, const std::string& path, const std::string& damaged, DamageCounts* counts) {
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
  EXPECT(
      !open.writer
           ->Prepare(
               test::BatchBuilder(run->config().analysis[0], run->config().columns).Put("snew", {"one", "two"}).Slab(),
               nullptr)
           .ok());
  EXPECT(!open.writer->Flush(run->durable().next_number).ok());
}

TEST(IndexStore, NoticesDamageInSmallSegments) {
  const auto run = BeforeAFlush();
  ExpectOk(run->Flush(true));
  DamageCounts counts;
  size_t cases = 0;
  test::DamageFiles(*run, 60, [&](const std::string& path, const std::string& damaged, uint64_t) {
    ExpectNoticed(run.get(), path, damaged, &counts);
    ++cases;
  });
  std::set<SegmentKind> kinds;
  for (const SegmentRef& ref : run->durable().manifest) kinds.insert(ref.kind);
  EXPECT_EQ(kinds.size(), static_cast<size_t>(kLastSegmentKind));
  EXPECT(counts.at_load > 0 && counts.while_reading > 0);
  std::printf("%zu damaged segments\n", cases);
}

TEST(IndexStore, NoticesDamageInRowsOfTheLog) {
  const auto run = BeforeAFlush();
  Random random(450);
  EXPECT(run->durable().log.size() > 2);
  for (const auto& [sequence, row] : run->durable().log) {
    const size_t step = test::IsLong() ? 1 : std::max<size_t>(1, row->size() / 40);
    for (size_t at = random.Below(step); at < row->size(); at += step) {
      std::string flipped = *row;
      flipped[at] = static_cast<char>(flipped[at] ^ random.Between(1, 255));
      for (const std::string& damaged : {flipped, row->substr(0, at)}) {
        Durable durable = run->durable();
        durable.log[sequence] = std::make_shared<const std::string>(damaged);
        EXPECT_EQ(test::Open(run->files(), durable, run->config()).status.code(), Code::kCorrupt);
      }
    }
  }
}

TEST(IndexStore, NoticesDamageInLargeSegments) {
  const auto run = WithLargeSegments();
  DamageCounts counts;
  for (const SegmentRef& ref : run->durable().manifest) {
    const std::string path = test::SegmentPath(ref.number);
    for (size_t round = 0; round < test::Rounds(12); ++round) {
      std::string damaged = *run->files()->files().at(path);
      const size_t at = run->random()->Below(damaged.size());
      damaged[at] = static_cast<char>(damaged[at] ^ run->random()->Between(1, 255));
      ExpectNoticed(run.get(), path, damaged, &counts);
    }
  }
  EXPECT(counts.at_load > 0);
  EXPECT(counts.while_reading > 5);
}

bool HasFault(const CheckReport& report, const char* invariant, const std::string& part) {
  return std::any_of(report.faults.begin(), report.faults.end(), [&](const Fault& fault) {
    return fault.invariant == invariant && fault.message.find(part) != std::string::npos;
  });
}

// One block of each segment in turn; what opening did not notice, every level of the check does, and says in which
// file.
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

// Bytes that checksums vouch for and that make no sense: one to three edits between header and footer, as rot, bugs or
// malice leave them.
std::string Nonsense(std::string bytes, Random* random) {
  const size_t begin = test::kSegmentHeaderBytes, end = bytes.size() - test::kSegmentFooterBytes - sizeof(uint64_t);
  for (size_t left = random->Between(1, 3); left > 0; --left) {
    const size_t at = random->Between(begin, end), word = at / 4 * 4;
    const uint64_t kind = random->Below(6);
    if (kind == 0) bytes[at] = static_cast<char>(random->Next());
    if (kind == 1) bytes[at] = static_cast<char>(bytes[at] + (random->Chance(0.5) ? 1 : -1));
    if (kind == 2) bytes.replace(word, 4, 4, random->Chance(0.5) ? '\xFF' : '\0');
    if (kind == 3) bytes.replace(word, 4, bytes, random->Between(begin / 4, end / 4) * 4, 4);
    if (kind == 4) bytes.replace(at / 8 * 8, 8, bytes, random->Between(begin / 8, end / 8) * 8, 8);
    if (kind == 5) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random->Below(8)));
  }
  return bytes;
}

void SearchAround(const Snapshot& snapshot, const std::vector<std::string>& vocabulary, Random* random) {
  test::RandomQueries queries(random, vocabulary, snapshot.fields.size());
  score::Scoring scoring;
  scoring.field_boosts.assign(snapshot.fields.size(), 1);
  scoring.beta = 1;
  for (size_t left = 4; left > 0; --left) {
    const score::QueryNode query = queries.Tree(2);
    scoring.model = random->Chance(0.5) ? score::Model::kBm25 : score::Model::kTfIdf;
    const score::SearchOutcome outcome = score::Search(snapshot, scoring, query, {});
    for (const score::Hit& hit : outcome.hits)
      EXPECT(!std::isnan(hit.score) && !snapshot.vocabulary->keys.KeyOf(hit.doc).empty());
    score::SearchBudget unlimited({});
    (void)score::Explain(snapshot, scoring, query, outcome.hits, &unlimited);
  }
}

// Everything an open index does; it may be wrong and may be refused, but must end, in its bounds.
void UseUp(OpenIndex* open, const StoreRun& run, const std::vector<std::string>& vocabulary, Random* random) {
  IndexWriter& writer = *open->writer;
  SearchAround(*writer.Current(), vocabulary, random);
  (void)test::PostingsOf(*writer.Current());
  (void)CheckIndex(*writer.Current(), static_cast<CheckLevel>(random->Between(1, 3)));
  test::BatchBuilder batch(run.config().analysis[0]);
  for (const auto& [key, document] : run.durable().documents) {
    const uint64_t fate = random->Below(4);
    if (fate == 0) batch.Remove(key);
    if (fate == 1)
      batch.Put(key, test::NextVersion(random, vocabulary, document).texts, document.weight, document.stored);
    if (fate == 2) batch.Put(key, document.texts, document.weight + 1, document.stored);
  }
  batch.Put("sanother", {"some words", "and more"});
  if (writer.Prepare(batch.Slab(), nullptr).ok()) writer.Publish(nullptr);
  while (writer.MaintainStep()) {
  }
  writer.Compact();
  SearchAround(*writer.Current(), vocabulary, random);
  (void)CheckIndex(*writer.Current(), CheckLevel::kCross);
  if (writer.Flush(run.durable().next_number).ok()) writer.AdoptFlush();
  (void)CheckIndex(*writer.Current(), CheckLevel::kCross);
}

// Returns whether the index could be opened.
bool ExpectBounded(const StoreRun& run, const std::string& path, const std::string& bytes,
                   const std::vector<std::string>& vocabulary, Random* random) {
  const auto files = run.files()->Copy();
  files->Overwrite(path, bytes);
  const test::MemoryWatch watch;
  EXPECT(watch.is_counting());
  OpenIndex open = test::Open(files, run.durable(), run.config());
  if (open.status.ok()) UseUp(&open, run, vocabulary, random);
  EXPECT(watch.most() < 64u << 20);
  return open.status.ok();
}

struct NonsenseCounts {
  size_t cases = 0;
  size_t opened = 0;
};

void WriteNonsense(const StoreRun& run, SegmentKind kind, size_t rounds, Random* random, NonsenseCounts* counts) {
  const auto open = test::Open(run.files(), run.durable(), run.config());
  const auto snapshot = open.writer->Current();
  std::vector<std::string> vocabulary;
  for (TermId term = 0; term < snapshot->term_count; ++term) vocabulary.emplace_back(snapshot->terms().Text(term));
  for (const SegmentRef& ref : run.durable().manifest) {
    if (ref.kind != kind) continue;
    const std::string path = test::SegmentPath(ref.number);
    for (size_t round = 0; round < rounds; ++round, ++counts->cases) {
      const std::string bytes = test::Resealed(Nonsense(*run.files()->files().at(path), random), ref.number);
      counts->opened += ExpectBounded(run, path, bytes, vocabulary, random);
    }
  }
}

constexpr SegmentKind kAllKinds[] = {SegmentKind::kPartition, SegmentKind::kRun, SegmentKind::kRecords,
                                     SegmentKind::kTerms, SegmentKind::kDocuments};

TEST(IndexStore, NonsenseBehindFittingChecksumsStaysInItsBounds) {
  Random random(460);
  NonsenseCounts counts;
  // With a log to replay onto the nonsense, and without.
  for (const bool is_flushed : {true, false}) {
    const auto run = BeforeAFlush();
    if (is_flushed) ExpectOk(run->Flush(true));
    for (const SegmentKind kind : kAllKinds) WriteNonsense(*run, kind, test::Rounds(20), &random, &counts);
  }
  EXPECT(counts.opened > counts.cases / 10 && counts.opened < counts.cases);
  std::printf("%zu segments of nonsense, %zu of them opened\n", counts.cases, counts.opened);
}

TEST(IndexStore, NonsenseInLongListsStaysInItsBounds) {
  Random random(461);
  NonsenseCounts counts;
  WriteNonsense(*test::WithLongLists(), SegmentKind::kPartition, test::Rounds(50), &random, &counts);
  EXPECT(counts.opened > counts.cases / 10 && counts.opened < counts.cases);
  std::printf("%zu partitions of nonsense, %zu of them opened\n", counts.cases, counts.opened);
}

// A list may be in order and still go on behind the last document.
TEST(IndexStore, NotesPostingsOfDocumentsThatCannotBe) {
  const auto run = test::WithLongLists();
  Snapshot snapshot = *run->writer().Current();
  const TermId term = snapshot.FindTerm(0, "every");
  EXPECT(term != kNoTerm && PostingCursor(snapshot, term).doc() != kNoDoc);
  EXPECT(!snapshot.damage->has_damage());
  snapshot.runs.clear();
  snapshot.doc_limit = 10;
  EXPECT_EQ(PostingCursor(snapshot, term).doc(), kNoDoc);
  EXPECT(snapshot.damage->has_damage());
}

}  // namespace
}  // namespace freshdex::index
