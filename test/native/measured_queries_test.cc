// Measuring a part of a workload: which queries that is, and what becomes of gains, stakes and curves of the others.
#include "native/quality/measured_queries.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/quality/answer_list.h"
#include "native/quality/measurer.h"
#include "native/quality/stored_curves.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/scorings.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using index::DocId;
using test::BatchBuilder;
using test::NaiveQuery;
using test::Random;
using test::ScoringOf;

std::vector<NaiveQuery> WeighedQueries(const std::vector<double>& weights) {
  std::vector<NaiveQuery> queries;
  for (double weight : weights)
    queries.push_back({static_cast<uint32_t>(queries.size()), weight, {"word" + std::to_string(queries.size())}});
  return queries;
}

CurveSet CurvesOfLengths(const std::vector<uint32_t>& lengths) {
  CurveSet curves(lengths.size(), 3);
  const std::vector<float> values(5, 0.0f);
  for (QueryNumber query = 0; query < lengths.size(); ++query) curves.Set(query, lengths[query], values, 1);
  return curves;
}

TEST(MeasuredQueries, TakesWhatPromisesMostPerShift) {
  const auto workload = test::MakeWorkload(WeighedQueries({10, 10, 1, 4, 100}));
  // Costs 100, 10, 1, 4 and 1000 of 1115; promises 0.1, 1, 1, 1 and 0.1.
  const CurveSet curves = CurvesOfLengths({99, 9, 0, 3, 999});
  using Flags = std::vector<uint8_t>;
  EXPECT(LeftOut(*workload, curves, 1).empty());
  EXPECT(LeftOut(*workload, curves, 15.0 / 1115) == (Flags{1, 0, 0, 0, 1}));
  EXPECT(LeftOut(*workload, curves, 14.9 / 1115) == (Flags{1, 0, 0, 1, 1}));
  EXPECT(LeftOut(*workload, curves, 115.0 / 1115) == (Flags{0, 0, 0, 0, 1}));
  EXPECT(LeftOut(*workload, curves, 0) == (Flags{1, 0, 1, 1, 1}));
  EXPECT_EQ(MeasuredShare(curves, {1, 0, 0, 0, 1}), 15.0 / 1115);
  EXPECT_EQ(MeasuredShare(curves, {}), 1.0);
  EXPECT(LeftOut(*test::MakeWorkload({}), CurvesOfLengths({}), 0.5).empty());
  EXPECT_EQ(MeasuredShare(CurvesOfLengths({}), {}), 1.0);
}

// One query after another, the best of those that are left each time.
std::vector<uint8_t> NaiveLeftOut(const std::vector<NaiveQuery>& queries, const CurveSet& curves, double share) {
  double total = 0, cost = 0;
  for (QueryNumber q = 0; q < queries.size(); ++q) total += 1.0 + curves[q].n;
  std::vector<uint8_t> is_left_out(queries.size(), 1);
  for (size_t taken = 0; taken < queries.size(); ++taken) {
    size_t best = queries.size();
    double promise = -1;
    for (QueryNumber q = 0; q < queries.size(); ++q) {
      if (is_left_out[q] == 0 || queries[q].weight / (1.0 + curves[q].n) <= promise) continue;
      best = q;
      promise = queries[q].weight / (1.0 + curves[q].n);
    }
    cost += 1.0 + curves[static_cast<QueryNumber>(best)].n;
    if (taken > 0 && cost > share * total) break;
    is_left_out[best] = 0;
  }
  return is_left_out;
}

TEST(MeasuredQueries, AgreesWithATwin) {
  for (uint64_t round = 0; round < test::Rounds(200); ++round) {
    Random random(7000 + round);
    std::vector<double> weights;
    std::vector<uint32_t> lengths;
    for (size_t left = random.Between(1, 40); left > 0; --left) {
      weights.push_back(static_cast<double>(random.Between(1, 8)));
      lengths.push_back(static_cast<uint32_t>(random.Below(random.Chance(0.5) ? 4 : 300)));
    }
    const std::vector<NaiveQuery> queries = WeighedQueries(weights);
    const CurveSet curves = CurvesOfLengths(lengths);
    const double share = 0.999 * random.Unit();
    EXPECT(LeftOut(*test::MakeWorkload(queries), curves, share) == NaiveLeftOut(queries, curves, share));
  }
}

// Tells two measurers of every batch.
class Both final : public index::PostingObserver {
 public:
  Both(Measurer* one, Measurer* other) : measurers_{one, other} {}
  void OnDocument(const index::DocumentChange& change) override {
    for (Measurer* measurer : measurers_) measurer->OnDocument(change);
  }
  void OnPublish() override {
    for (Measurer* measurer : measurers_) measurer->OnPublish();
  }
  void OnDiscard() override {
    for (Measurer* measurer : measurers_) measurer->OnDiscard();
  }

 private:
  const std::vector<Measurer*> measurers_;
};

// The life of an index that two measurers observe: `all` measures everything, `some` a share that changes. The stakes
// of `some` are followed by the letter of what is written down for queries that are left out (M4).
class SharedLife {
 public:
  explicit SharedLife(uint64_t stream)
      : random_(stream),
        writer_(ConfigOf(stream)),
        all_(kScoring),
        some_(kScoring, random_.Chance(0.7) ? &writer_ : nullptr),
        both_(&all_, &some_),
        vocabulary_(RandomVocabulary(&random_, 40)) {
    all_.KeepShifts(true);
    some_.KeepShifts(true);
    for (size_t left = 3; left > 0; --left) Write();
    StartEpoch();
  }

  Measurer& all() { return all_; }
  Measurer& some() { return some_; }
  uint64_t left_out_shifts() const { return left_out_shifts_; }
  uint64_t refits() const { return refits_; }
  uint64_t epochs() const { return epochs_; }

  void Step(bool changes_share) {
    if (changes_share && random_.Chance(0.2)) Measure(random_.Chance(0.2) ? 1 : random_.Unit());
    Write();
    const Measurer::Need need = some_.NeedOf(*writer_.Current());
    if (need == Measurer::Need::kEpoch || random_.Chance(0.03)) {
      StartEpoch();
    } else if (need == Measurer::Need::kRefit) {
      Refit();
    }
  }

 private:
  inline static const score::Scoring kScoring = ScoringOf(score::Model::kBm25, {2, 1});

  static index::WriterConfig ConfigOf(uint64_t seed) {
    index::WriterConfig config;
    config.fields = kScoring.field_boosts.size();
    config.seed = seed;
    return config;
  }

  bool IsLeftOut(QueryNumber query) const { return !is_left_out_.empty() && is_left_out_[query] != 0; }

  void Measure(double share) {
    share_ = share;
    some_.Measure(share);
    Choose();
  }

  void Choose() {
    is_left_out_ = share_ < 1 ? NaiveLeftOut(queries_, *some_.curves(), share_) : std::vector<uint8_t>();
    for (QueryNumber q = 0; q < queries_.size(); ++q) EXPECT(!IsLeftOut(q) || !some_.changes()[q].is_known());
  }

  void StartEpoch() {
    queries_.clear();
    for (size_t left = 25; left > 0; --left) {
      std::vector<std::string> words = {random_.Pick(vocabulary_)};
      const std::string second = random_.Pick(vocabulary_);
      if (second != words[0] && random_.Chance(0.4)) words.push_back(second);
      queries_.push_back({static_cast<uint32_t>(queries_.size()), 0.1 + 5 * random_.Unit(), words});
    }
    const auto workload = test::MakeWorkload(queries_);
    for (Measurer* measurer : {&all_, &some_})
      measurer->Adopt(FitCurves(measurer->StartEpoch(workload, writer_.Current(), view_, 3)), *writer_.Current());
    EXPECT(std::ranges::equal(all_.stakes(), some_.stakes()));
    stakes_.assign(some_.stakes().begin(), some_.stakes().end());
    // What the pages score today, by a fit of nothing: the answers themselves.
    scores_.clear();
    for (QueryNumber q = 0; q < queries_.size(); ++q) {
      std::vector<Answer> answers;
      FindAnswers(*writer_.Current(), *all_.shared_epoch(), q, &answers);
      for (const Answer& answer : answers) scores_[{q, answer.doc}] = answer.score;
    }
    Choose();
    ++epochs_;
  }

  // Within the epoch, for `some` alone; a share that is given meanwhile waits.
  void Refit() {
    const FitRequest request = some_.StartRefit(writer_.Current());
    for (QueryNumber q : request.queries) EXPECT(!IsLeftOut(q));
    const bool changes_share = random_.Chance(0.3);
    if (changes_share) some_.Measure(share_ = random_.Unit());
    const CurveSet before = *some_.curves();
    FitResult result = FitCurves(request);
    some_.Adopt(std::move(result), *writer_.Current());
    const CurveSet& after = *some_.curves();
    for (const auto& [at, score] : scores_) {
      const auto& [q, doc] = at;
      if (std::ranges::find(request.queries, q) == request.queries.end()) continue;
      stakes_[doc] += queries_[q].weight * (after.scale(q) * StakeIn(after[q], *view_, score) -
                                            before.scale(q) * StakeIn(before[q], *view_, score));
    }
    for (double& stake : stakes_) stake = std::max(0.0, stake);
    if (changes_share) Choose();
    ++refits_;
    CheckStakes();
  }

  void Write() {
    BatchBuilder batch;
    std::vector<std::string> used;
    for (size_t left = random_.Below(8); left > 0; --left) {
      const std::string key = "s" + std::to_string(random_.Below(40));
      if (std::ranges::find(used, key) != used.end()) continue;
      used.push_back(key);
      const auto known = documents_.find(key);
      if (known != documents_.end() && random_.Chance(0.15)) {
        batch.Remove(key);
        documents_.erase(known);
        continue;
      }
      documents_[key] = known == documents_.end() ? RandomDocument(&random_, vocabulary_)
                                                  : NextVersion(&random_, vocabulary_, known->second);
      batch.Put(key, documents_[key].texts, documents_[key].weight, documents_[key].stored);
    }
    EXPECT(writer_.Prepare(batch.Slab(), &both_).ok());
    const BatchMeasure all = all_.Estimate(), some = some_.Estimate();
    if (all_.has_epoch()) Compare(all, some);
    writer_.Publish(&both_);
    if (all_.has_epoch()) CheckStakes();
  }

  void Compare(const BatchMeasure& all, const BatchMeasure& some) {
    EXPECT_EQ(all.pages.size(), some.pages.size());
    EXPECT(some.measured_share == share_ && all.measured_share == 1 && all.skipped_weight == 0);
    double skipped = 0, total = 0;
    for (QueryNumber q = 0; q < queries_.size(); ++q) {
      total += queries_[q].weight;
      if (IsLeftOut(q)) skipped += queries_[q].weight;
    }
    EXPECT(std::abs(some.skipped_weight - skipped / total) < 1e-12);
    // Lines of a word are in another order, so that shifts are, too.
    std::map<std::pair<DocId, QueryNumber>, Shift> measured;
    for (const Shift& shift : some.kept_shifts) measured.emplace(std::pair(shift.doc, shift.query), shift);
    std::map<DocId, double> gains;
    size_t kept = 0;
    for (const Shift& shift : all.kept_shifts) {
      const QueryNumber q = shift.query;
      scores_[{q, shift.doc}] = shift.after;
      left_out_shifts_ += IsLeftOut(q);
      if (IsLeftOut(q)) continue;
      ++kept;
      const auto found = measured.find({shift.doc, q});
      EXPECT(found != measured.end() && found->second.before == shift.before && found->second.after == shift.after);
      const ScoreRankCurve curve = (*some_.curves())[q];
      gains[shift.doc] += queries_[q].weight * some_.drifts()[q].scale *
                          EstimateDeltaQuality(curve, *view_, shift.before, shift.after).delta_quality;
      if (shift.doc >= stakes_.size()) stakes_.resize(shift.doc + 1, 0.0);
      stakes_[shift.doc] += queries_[q].weight * some_.curves()->scale(q) *
                            (StakeIn(curve, *view_, shift.after) - StakeIn(curve, *view_, shift.before));
    }
    EXPECT_EQ(some.kept_shifts.size(), kept);
    for (const PageMeasure& page : some.pages) {
      if (!page.is_reweighted) EXPECT(std::abs(page.delta_quality - gains[page.doc]) <= 1e-6 * gains[page.doc] + 1e-12);
      if (page.doc >= stakes_.size()) stakes_.resize(page.doc + 1, 0.0);
      stakes_[page.doc] = page.is_removed ? 0 : std::max(0.0, stakes_[page.doc]);
    }
  }

  void CheckStakes() const {
    for (size_t doc = 0; doc < some_.stakes().size(); ++doc) {
      const double expected = doc < stakes_.size() ? stakes_[doc] : 0;
      EXPECT(std::abs(some_.stakes()[doc] - expected) <= 1e-9 * std::max(1.0, expected));
    }
    EXPECT(some_.Check().ok());
  }

  Random random_;
  index::IndexWriter writer_;
  Measurer all_, some_;
  Both both_;
  std::vector<std::string> vocabulary_;
  const std::shared_ptr<const ViewLikelihood> view_ = std::make_shared<const ViewLikelihood>();
  test::ModelDocuments documents_;
  std::vector<NaiveQuery> queries_;
  double share_ = 1;
  std::vector<uint8_t> is_left_out_;
  std::map<std::pair<QueryNumber, DocId>, float> scores_;  // of today
  std::vector<double> stakes_;                             // what `some_` should have
  uint64_t left_out_shifts_ = 0, refits_ = 0, epochs_ = 0;
};

TEST(MeasuredQueries, LeavesShiftsOutOfGainsAndStakesUntilAnEpoch) {
  uint64_t left_out = 0, refits = 0, epochs = 0;
  for (uint64_t round = 0; round < test::Rounds(12); ++round) {
    SharedLife life(9000 + round);
    for (size_t step = 0; step < 80; ++step) life.Step(true);
    left_out += life.left_out_shifts();
    refits += life.refits();
    epochs += life.epochs();
  }
  EXPECT(left_out > 1000 && refits > 20 && epochs > 20);
}

TEST(MeasuredQueries, ComesBackStaleAndAsksForAnEpoch) {
  index::WriterConfig config;
  config.fields = 1;
  index::IndexWriter writer(config);
  Measurer measurer(ScoringOf(score::Model::kBm25, {1}));
  const auto view = std::make_shared<const ViewLikelihood>();
  BatchBuilder batch;
  for (int i = 0; i < 20; ++i) batch.Put("s" + std::to_string(i), {i < 6 ? "apple pear" : "apple"});
  EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
  writer.Publish(nullptr);
  // "pear" promises more per shift; "apple" is nearly all of the workload.
  const std::vector<NaiveQuery> queries = {{1, 10, {"apple"}}, {2, 4, {"pear"}}, {3, 1, {"quince"}}};
  measurer.Adopt(FitCurves(measurer.StartEpoch(test::MakeWorkload(queries), writer.Current(), view, 3)),
                 *writer.Current());
  measurer.Measure(0.4);
  EXPECT(!measurer.changes()[0].is_known() && measurer.changes()[1].is_known());
  EXPECT(measurer.NeedOf(*writer.Current()) == Measurer::Need::kNothing);
  EXPECT(measurer.StartRefit(writer.Current()).queries.empty());
  // Not before the fit is over.
  measurer.Measure(1);
  EXPECT(measurer.NeedOf(*writer.Current()) == Measurer::Need::kNothing);
  measurer.Abandon();
  EXPECT(measurer.NeedOf(*writer.Current()) == Measurer::Need::kEpoch);
  EXPECT(measurer.StartRefit(writer.Current()).queries == std::vector<QueryNumber>{0});
  measurer.Abandon();

  // The next process goes on with what was left out.
  measurer.Measure(0.4);
  const std::string changes = EncodeChanges(*measurer.shared_epoch(), measurer.changes(), 5);
  Measurer next(ScoringOf(score::Model::kBm25, {1}));
  next.Resume(
      {measurer.shared_epoch(), measurer.shared_curves(), view, DecodeChanges(changes, *measurer.shared_epoch(), 5),
       std::vector<double>(measurer.stakes().begin(), measurer.stakes().end())},
      *writer.Current());
  EXPECT(next.NeedOf(*writer.Current()) == Measurer::Need::kNothing);
  EXPECT(writer.Prepare(BatchBuilder().Put("s0", {"quince pear apple apple"}).Slab(), &next).ok());
  const BatchMeasure measure = next.Estimate();
  EXPECT_EQ(measure.shifts, 2);
  EXPECT_EQ(*measure.measured_share, MeasuredShare(*next.curves(), {1, 0, 0}));
  EXPECT(std::abs(measure.skipped_weight - 10 / 15.0) < 1e-12);
  writer.Discard(&next);
  // A query that is dropped while it is left out leaves what it had in the stakes of pages that changed meanwhile.
  const std::vector<NaiveQuery> fewer = {queries[1], queries[2]};
  next.Adopt(FitCurves(next.StartExtension(test::MakeWorkload(fewer), 1, writer.Current())), *writer.Current());
  EXPECT(next.NeedOf(*writer.Current()) == Measurer::Need::kEpoch);
}

}  // namespace
}  // namespace freshdex::quality
