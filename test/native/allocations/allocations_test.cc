// Every allocation of every step of an index fails once, alone or with all that follow. The step gives an error or goes
// on without; nothing is lost, leaked or half done, and the same step succeeds when there is memory again.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/base/files.h"
#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "native/quality/measurer.h"
#include "native/score/query_marker.h"
#include "native/score/search.h"
#include "test/native/allocations/failing_allocator.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/random_query.h"
#include "test/native/random_text.h"
#include "test/native/store_run.h"
#include "test/native/temporary_root.h"
#include "test/native/workload_builder.h"

namespace freshdex::test {
namespace {

using index::AnalysisKind;
using index::IndexWriter;
using index::Snapshot;

// How many allocations of a kind of step failed, and how the step then ended.
struct Tally {
  uint64_t errors = 0;   // it gave an error
  uint64_t went_on = 0;  // it went on without
};

std::map<std::string, Tally>& Tallies() {
  static std::map<std::string, Tally> tallies;
  return tallies;
}

class TallyPrinter {
 public:
  ~TallyPrinter() {
    for (const auto& [kind, tally] : Tallies()) {
      std::printf("allocations refused in %-12s %6llu  errors %6llu  went on %llu\n", (kind + ":").c_str(),
                  static_cast<unsigned long long>(tally.errors + tally.went_on),
                  static_cast<unsigned long long>(tally.errors), static_cast<unsigned long long>(tally.went_on));
    }
    Tallies().clear();
  }
};

// Runs `work` with the n-th allocation refused, n = 1, 2, 3, … until it needs none any more. After each failure
// `check` looks whether nothing has changed. Returns when `work` has succeeded; where it succeeded without an
// allocation that it was refused, that is all there is to it.
template <typename Work, typename Check>
void RunWithout(const std::string& kind, Lack lack, Work work, Check check) {
  for (uint64_t nth = 1;; ++nth) {
    bool is_done = false, has_failed = false;
    {
      const LackOfMemory lacking(nth, lack);
      try {
        work();
        is_done = true;
      } catch (const std::bad_alloc&) {
      }
      has_failed = lacking.has_failed();
    }
    Tally& tally = Tallies()[kind];
    tally.errors += !is_done;
    tally.went_on += is_done && has_failed;
    if (is_done) return;
    EXPECT(has_failed);
    check(nth);
    if (nth > 1'000'000) {
      EXPECT(false);
      return;
    }
  }
}

// An index in memory or in a folder, measured or not, and its documents as they should be.
class LackingRun {
 public:
  LackingRun(uint64_t stream, AnalysisKind analysis, bool is_on_disk, bool is_measured, Lack lack)
      : random_(stream),
        lack_(lack),
        is_on_disk_(is_on_disk),
        config_(StoreConfig(analysis)),
        vocabulary_(RandomVocabulary(&random_, 60)) {
    config_.keeps_log = is_on_disk;
    scoring_.field_boosts.assign(config_.fields, 1);
    if (is_on_disk) {
      folder_ = TemporaryRoot() / ("freshdex-allocations-" + std::to_string(getpid()) + "-" + std::to_string(stream));
      std::filesystem::create_directories(folder_);
    }
    OpenNew();
    if (is_measured) measurer_ = std::make_unique<quality::Measurer>(scoring_, writer_.get());
  }
  ~LackingRun() {
    measurer_.reset();
    writer_.reset();
    if (is_on_disk_) std::filesystem::remove_all(folder_);
  }

  void Step() {
    Write(false);
    Upkeep();
    Search();
    if (measurer_ && random_.Chance(0.5)) Fit();
    if (random_.Chance(0.3)) Write(true);
    if (is_on_disk_ && random_.Chance(0.6)) Flush();
    if (random_.Chance(0.3)) Compact();
    if (is_on_disk_ && random_.Chance(0.5)) Reopen();
    CheckAll();
  }

 private:
  void OpenNew() {
    if (!is_on_disk_) {
      writer_ = std::make_unique<IndexWriter>(config_);
      return;
    }
    auto store = std::make_unique<index::IndexStore>(MakePosixFileSystem(), folder_.string(), kStoreId,
                                                     std::make_shared<index::DamageLog>());
    writer_ = std::make_unique<IndexWriter>(config_, std::move(store));
  }

  // What no failure may change.
  void CheckAll() {
    ExpectNoFaults(*writer_->Current());
    ExpectShows(*writer_->Current(), config_.analysis[0], documents_);
  }
  void CheckSometimes(uint64_t nth) {
    EXPECT(writer_->Current() == current_);
    if (nth % 61 == 1) CheckAll();
  }

  void Write(bool discards) {
    BatchBuilder batch(config_.analysis[0], config_.columns);
    ModelDocuments next = documents_;
    for (size_t left = random_.Between(1, 5); left > 0; --left) {
      const std::string key = "s" + std::to_string(random_.Below(12)) + std::to_string(left);
      const auto known = next.find(key);
      if (known != next.end() && random_.Chance(0.3)) {
        batch.Remove(key);
        next.erase(key);
        continue;
      }
      const ModelDocument document = known == next.end() ? RandomDocument(&random_, vocabulary_)
                                                         : NextVersion(&random_, vocabulary_, known->second);
      batch.Put(key, document.texts, document.weight, document.stored, document.values);
      next[key] = document;
    }
    const std::string slab = batch.Slab();
    index::PostingObserver* const observer = measurer_.get();
    current_ = writer_->Current();
    RunWithout(
        "prepare", lack_, [&] { EXPECT(writer_->Prepare(slab, observer).ok()); },
        [&](uint64_t nth) {
          EXPECT(!writer_->has_prepared());
          CheckSometimes(nth);
        });
    if (measurer_) Measure(slab);
    if (discards) {
      RunWithout("discard", lack_, [&] { writer_->Discard(observer); }, [&](uint64_t) { EXPECT(false); });
      EXPECT(writer_->Current() == current_);
      return;
    }
    if (is_on_disk_) log_[writer_->Current()->sequence + 1] = writer_->prepared_row();
    RunWithout(
        "publish", lack_, [&] { writer_->Publish(observer); },
        [&](uint64_t nth) {
          EXPECT(writer_->has_prepared());
          CheckSometimes(nth);
        });
    documents_ = std::move(next);
    current_ = nullptr;
    CheckAll();
    if (measurer_) EXPECT(measurer_->Check().ok());
  }

  // A batch that could not be measured is discarded, and prepared anew.
  void Measure(const std::string& slab) {
    RunWithout(
        "measure", lack_, [&] { measurer_->Estimate(); },
        [&](uint64_t) {
          writer_->Discard(measurer_.get());
          EXPECT(writer_->Prepare(slab, measurer_.get()).ok());
        });
  }

  void Upkeep() {
    for (bool is_more = true; is_more;) {
      current_ = writer_->Current();
      RunWithout(
          "upkeep", lack_, [&] { is_more = writer_->MaintainStep(); }, [&](uint64_t nth) { CheckSometimes(nth); });
    }
  }

  void Compact() {
    for (bool is_more = true; is_more;) {
      current_ = writer_->Current();
      RunWithout(
          "compact", lack_, [&] { is_more = writer_->CompactStep(measurer_.get()); },
          [&](uint64_t nth) { CheckSometimes(nth); });
    }
  }

  void Search() {
    const auto snapshot = writer_->Current();
    RandomQueries queries(&random_, vocabulary_, config_.fields);
    for (size_t left = 3; left > 0; --left) {
      const score::QueryNode query = left == 3 ? And({Word(vocabulary_[0]), Word(vocabulary_[1])}) : queries.Tree(2);
      score::SearchRequest request;
      request.count_up_to = random_.Below(10);
      score::SearchCache cache;
      score::SearchBudget unlimited({});
      const score::SearchOutcome expected = score::Search(*snapshot, scoring_, query, request);
      const auto texts = score::Explain(*snapshot, scoring_, query, expected.hits, &unlimited);
      score::SearchOutcome outcome;
      std::vector<std::string> explained;
      RunWithout(
          "search", lack_, [&] { outcome = score::Search(*snapshot, scoring_, query, request, &cache); },
          [](uint64_t) {});
      EXPECT_EQ(outcome.total, expected.total);
      EXPECT_EQ(outcome.hits.size(), expected.hits.size());
      for (size_t i = 0; i < std::min(outcome.hits.size(), expected.hits.size()); ++i)
        EXPECT(outcome.hits[i].doc == expected.hits[i].doc && outcome.hits[i].score == expected.hits[i].score);
      RunWithout(
          "explain", lack_, [&] { explained = score::Explain(*snapshot, scoring_, query, expected.hits, &unlimited); },
          [](uint64_t) {});
      EXPECT(explained == texts);
      RunWithout(
          "mark", lack_, [&] { const score::QueryMarker marker(*snapshot, query, &unlimited); }, [](uint64_t) {});
    }
  }

  void Fit() {
    std::vector<NaiveQuery> queries;
    for (uint32_t id = 0; id < 6; ++id) queries.push_back({id, 1.0 + id, {vocabulary_[random_.Below(20)]}});
    const auto workload = MakeWorkload(queries);
    const auto view = std::make_shared<const quality::ViewLikelihood>();
    std::optional<quality::FitRequest> request;
    RunWithout(
        "fit", lack_, [&] { request.emplace(measurer_->StartEpoch(workload, writer_->Current(), view, 3)); },
        [&](uint64_t) { measurer_->Abandon(); });
    quality::FitResult result;
    RunWithout("fit", lack_, [&] { result = quality::FitCurves(*request); }, [](uint64_t) {});
    measurer_->Adopt(std::move(result), *writer_->Current());
    EXPECT(measurer_->Check().ok());
  }

  void Flush() {
    std::optional<Result<index::FlushResult>> flushed;
    current_ = writer_->Current();
    const bool tidies = random_.Chance(0.5);  // and reclaims words
    // What a flush without memory could not remove has its numbers until the next opening.
    RunWithout(
        "flush", lack_, [&] { flushed.emplace(writer_->Flush(next_number_ += 100, tidies)); },
        [&](uint64_t nth) {
          EXPECT(!writer_->has_flush());
          CheckSometimes(nth);
        });
    EXPECT(flushed->ok());
    if (!flushed->ok()) return;
    manifest_ = flushed->value().live;
    log_.erase(log_.begin(), log_.upper_bound(flushed->value().sequence));
    RunWithout(
        "adopt", lack_, [&] { writer_->AdoptFlush(measurer_.get()); },
        [&](uint64_t nth) {
          EXPECT(writer_->has_flush());
          CheckSometimes(nth);
        });
    current_ = nullptr;
    CheckAll();
  }

  // A load that fails leaves an object that nobody uses; a row that could not be replayed comes again.
  void Reopen() {
    const bool is_measured = measurer_ != nullptr;
    measurer_.reset();
    writer_.reset();
    RunWithout(
        "open", lack_,
        [&] {
          OpenNew();
          EXPECT(writer_->Load(manifest_).ok());
        },
        [&](uint64_t) { writer_.reset(); });
    for (const auto& [sequence, row] : log_) {
      current_ = writer_->Current();
      RunWithout(
          "replay", lack_, [&] { EXPECT(writer_->PrepareRow(row, nullptr).ok()); },
          [&](uint64_t) { EXPECT(!writer_->has_prepared() && writer_->Current() == current_); });
      RunWithout(
          "replay", lack_, [&] { writer_->Publish(nullptr); },
          [&](uint64_t) { EXPECT(writer_->has_prepared() && writer_->Current() == current_); });
    }
    current_ = nullptr;
    if (is_measured) measurer_ = std::make_unique<quality::Measurer>(scoring_, writer_.get());
    CheckAll();
  }

  Random random_;
  const Lack lack_;
  const bool is_on_disk_;
  index::WriterConfig config_;
  score::Scoring scoring_;
  const std::vector<std::string> vocabulary_;
  std::filesystem::path folder_;
  std::unique_ptr<IndexWriter> writer_;
  std::unique_ptr<quality::Measurer> measurer_;
  ModelDocuments documents_;
  std::shared_ptr<const Snapshot> current_;
  std::vector<index::SegmentRef> manifest_;
  std::map<uint64_t, std::string> log_;
  uint64_t next_number_ = 1;
};

void RunLacking(bool is_on_disk, bool is_measured) {
  const TallyPrinter printer;
  for (const Lack lack : {Lack::kOnce, Lack::kFromThenOn}) {
    for (size_t round = 0; round < Rounds(1); ++round) {
      for (const AnalysisKind analysis : {AnalysisKind::kStandard, AnalysisKind::kEnglish}) {
        LackingRun run(Seed() + round, analysis, is_on_disk, is_measured, lack);
        for (size_t step = 0; step < 6; ++step) run.Step();
      }
    }
  }
}

TEST(Allocations, MayFailInMemory) { RunLacking(false, false); }
TEST(Allocations, MayFailInAFolder) { RunLacking(true, false); }
TEST(Allocations, MayFailWhileMeasuring) { RunLacking(false, true); }
TEST(Allocations, MayFailInAFolderWhileMeasuring) { RunLacking(true, true); }

}  // namespace
}  // namespace freshdex::test
