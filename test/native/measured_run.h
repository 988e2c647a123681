// A random life of an index whose batches are measured: batches published, discarded and refused, upkeep in between,
// epochs and partial fits that begin, go on beside batches and are adopted or given up. After each step everything
// measured is compared with the twin.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/quality/measurer.h"
#include "native/quality/stake_parts.h"
#include "native/quality/stored_curves.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/naive_measurer.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"

namespace freshdex::test {

struct MeasuredRunConfig {
  index::AnalysisKind analysis = index::AnalysisKind::kStandard;
  score::Scoring scoring;  // field_boosts says how many fields there are
  size_t longest_query = 3;
};

class MeasuredRun {
 public:
  MeasuredRun(uint64_t stream, const MeasuredRunConfig& config)
      : random_(stream),
        config_(config),
        writer_(WriterConfigOf(stream, config)),
        // Counted along with the deltas, or by a walk of its own: both must come to the same.
        measurer_(config.scoring, random_.Chance(0.7) ? &writer_ : nullptr),
        vocabulary_(RandomVocabulary(&random_, 120)) {}

  uint64_t shifts_seen() const { return shifts_seen_; }
  uint64_t norm_shifts_seen() const { return norm_shifts_seen_; }
  uint64_t answers_seen() const { return answers_seen_; }
  uint64_t reweighted_seen() const { return reweighted_seen_; }
  uint64_t refits_adopted() const { return refits_adopted_; }
  uint64_t extensions_adopted() const { return extensions_adopted_; }
  uint64_t resumed() const { return resumed_; }

  void Step() {
    ++step_;
    BatchBuilder batch(config_.analysis);
    const std::vector<Change> changes = FillBatch(&batch);
    if (random_.Chance(0.1)) TryBrokenBatch(batch);
    const bool keeps = random_.Chance(0.9);
    measurer_.KeepShifts(keeps);
    EXPECT(writer_.Prepare(batch.Slab(), &measurer_).ok());
    moved_before_ = moved_;
    CheckMeasure(measurer_.Estimate(), changes, keeps);
    if (random_.Chance(0.1)) Maintain();
    if (random_.Chance(0.15)) {
      writer_.Discard(&measurer_);
      moved_ = moved_before_;
    } else {
      writer_.Publish(&measurer_);
      Apply(changes);
    }
    CheckStakes();
    if (random_.Chance(0.4)) Maintain();
    GoOnFitting();
  }

 private:
  static constexpr size_t kKeys = 30;

  struct Change {
    std::string key;
    std::optional<ModelDocument> after;  // none: removed
  };
  struct Fit {
    quality::FitRequest request;
    std::shared_ptr<const NaiveMeasurer> twin;
    NaivePages pages;  // when it began
  };

  static index::WriterConfig WriterConfigOf(uint64_t seed, const MeasuredRunConfig& config) {
    index::WriterConfig writer;
    writer.fields = config.scoring.field_boosts.size();
    writer.analysis = config.analysis;
    writer.seed = seed;
    writer.fold_floor = 8;
    writer.partition_bytes = 256;
    return writer;
  }

  // Words come into use one after another, so that batches bring words of the workload that the index has never seen.
  std::vector<std::string> WordsInUse() const {
    return {vocabulary_.begin(),
            vocabulary_.begin() + static_cast<std::ptrdiff_t>(std::min(vocabulary_.size(), 20 + 2 * step_))};
  }

  // A change for each document that the batch names, puts first.
  std::vector<Change> FillBatch(BatchBuilder* batch) {
    std::vector<Change> puts, removals;
    std::set<std::string> used;
    const size_t fields = config_.scoring.field_boosts.size();
    const std::vector<std::string> words = WordsInUse();
    // Now and then everything goes, and the index is empty for a while.
    const double chance_of_removal = step_ % 40 > 36 ? 1 : 0.2;
    for (size_t left = chance_of_removal == 1 ? 3 * kKeys : random_.Below(9); left > 0; --left) {
      const std::string key = "s" + std::to_string(random_.Below(kKeys));
      if (!used.insert(key).second) continue;
      const auto known = documents_.find(key);
      if (random_.Chance(chance_of_removal)) {
        batch->Remove(key);
        removals.push_back({key, std::nullopt});
        continue;
      }
      const ModelDocument document = known == documents_.end() ? RandomDocument(&random_, words, fields)
                                                               : NextVersion(&random_, words, known->second);
      batch->Put(key, document.texts, document.weight, document.stored);
      puts.push_back({key, document});
    }
    puts.insert(puts.end(), removals.begin(), removals.end());
    return puts;
  }

  void TryBrokenBatch(const BatchBuilder& batch) {
    BatchBuilder broken = batch;
    broken.Remove("sbroken").Remove("sbroken");
    EXPECT(!writer_.Prepare(broken.Slab(), &measurer_).ok());
    CheckStakes();
  }

  void Apply(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      const auto known = docs_.find(change.key);
      if (known != docs_.end()) pages_.erase(known->second);
      if (change.after) {
        const index::DocId doc = writer_.Current()->FindKey(change.key);
        docs_[change.key] = doc;
        documents_[change.key] = *change.after;
        pages_[doc] = MakeNaivePage(config_.analysis, *change.after);
      } else {
        docs_.erase(change.key);
        documents_.erase(change.key);
      }
    }
  }

  const NaivePage* PageOf(const std::string& key) const {
    const auto known = docs_.find(key);
    return known == docs_.end() ? nullptr : &pages_.at(known->second);
  }

  void CheckMeasure(const quality::BatchMeasure& measure, const std::vector<Change>& changes, bool keeps) {
    if (!twin_) {
      EXPECT(measure.pages.empty() && measure.shifts == 0);
      return;
    }
    size_t at = 0, kept_at = 0, effects_at = 0;
    uint64_t shifts = 0, norm_shifts = 0;
    double answered_weight = 0;
    const auto& named = writer_.prepared_documents();
    EXPECT_EQ(named.size(), changes.size());
    for (size_t i = 0; i < changes.size(); ++i) {
      using index::Outcome;
      const NaivePage* before = PageOf(changes[i].key);
      const bool is_removal = !changes[i].after;
      if (named[i].outcome == Outcome::kSame || named[i].outcome == Outcome::kMissing) {
        EXPECT(is_removal ? before == nullptr : before != nullptr);
        continue;
      }
      EXPECT(at < measure.pages.size());
      if (at >= measure.pages.size()) return;
      const quality::PageMeasure& page = measure.pages[at++];
      EXPECT_EQ(page.doc, named[i].doc);
      EXPECT_EQ(page.is_removed, is_removal);
      const NaivePage after = is_removal ? NaivePage() : MakeNaivePage(config_.analysis, *changes[i].after);
      const std::vector<NaiveScoreShift> expected = twin_->Shifts(before, is_removal ? nullptr : &after);
      EXPECT_EQ(page.shifts, expected.size());
      if (keeps) CheckKept(measure, page.doc, expected, &kept_at);
      EXPECT_EQ(page.is_reweighted, named[i].outcome == Outcome::kReweighted);
      if (page.is_reweighted) {
        EXPECT(page.delta_quality == 0 && page.effects_end == effects_at);
        ++reweighted_seen_;
      } else {
        CheckGain(measure, page, expected, effects_at);
      }
      effects_at = page.effects_end;
      shifts += expected.size();
      norm_shifts += twin_->NormShifts(before, is_removal ? nullptr : &after);
      EXPECT_EQ(page.is_replaced, before != nullptr && !is_removal);
      if (!page.is_reweighted) answered_weight += AnsweredWeight(expected, page.is_replaced);
    }
    EXPECT_EQ(at, measure.pages.size());
    EXPECT_EQ(measure.effects.size(), effects_at);
    EXPECT_EQ(measure.shifts, shifts);
    EXPECT_EQ(measure.norm_shifts, norm_shifts);
    EXPECT(std::abs(measure.answered_share * TotalWeight() - answered_weight) <= 1e-9 * TotalWeight());
    answers_seen_ += answered_weight > 0;
    EXPECT_EQ(measure.kept_shifts.size(), keeps ? shifts : 0);
    shifts_seen_ += shifts;
    norm_shifts_seen_ += norm_shifts;
  }

  // Of queries that no page has answered since their lists were found empty, until this one, if that is no new page.
  double AnsweredWeight(const std::vector<NaiveScoreShift>& shifts, bool is_replaced) {
    double weight = 0;
    for (const NaiveScoreShift& shift : shifts) {
      const size_t q = number_of_.at(shift.query_id);
      const bool is_first = moved_.insert(shift.query_id).second;
      if (is_replaced && is_first && (*measurer_.curves())[static_cast<quality::QueryNumber>(q)].n == 0)
        weight += twin_->queries()[q].weight;
    }
    return weight;
  }

  double TotalWeight() const {
    double sum = 0;
    for (const NaiveQuery& query : twin_->queries()) sum += query.weight;
    return sum;
  }

  static void CheckKept(const quality::BatchMeasure& measure, index::DocId doc,
                        const std::vector<NaiveScoreShift>& expected, size_t* at) {
    std::vector<NaiveScoreShift> kept;
    for (; *at < measure.kept_shifts.size() && measure.kept_shifts[*at].doc == doc; ++*at) {
      const quality::Shift& shift = measure.kept_shifts[*at];
      kept.push_back({shift.query, shift.before, shift.after});
    }
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.query_id < b.query_id; });
    EXPECT(kept == expected);
  }

  void CheckGain(const quality::BatchMeasure& measure, const quality::PageMeasure& page,
                 const std::vector<NaiveScoreShift>& shifts, size_t first) const {
    double sum = 0;
    std::map<uint32_t, quality::RankShift> by_id;
    std::vector<float> gains;
    for (const NaiveScoreShift& shift : shifts) {
      const size_t q = number_of_.at(shift.query_id);
      const quality::RankShift ranks = quality::EstimateDeltaQuality(
          (*measurer_.curves())[static_cast<quality::QueryNumber>(q)], view_, shift.before, shift.after);
      by_id[shift.query_id] = ranks;
      const double gain = GainWeight(q) * ranks.delta_quality;
      sum += gain;
      if (ranks.delta_quality > 0) gains.push_back(static_cast<float>(gain));
    }
    EXPECT(std::abs(page.delta_quality - sum) <= 1e-9 * std::max(1.0, sum));
    std::sort(gains.begin(), gains.end(), std::greater<>());
    gains.resize(std::min(gains.size(), quality::Measurer::kMaxEffects));
    std::vector<float> kept;
    for (size_t i = first; i < page.effects_end; ++i) {
      const quality::Effect& effect = measure.effects[i];
      kept.push_back(effect.delta_quality);
      EXPECT(by_id.count(effect.query_id) == 1);
      EXPECT_EQ(effect.rank1_before, by_id[effect.query_id].rank1_before);
      EXPECT_EQ(effect.rank1_after, by_id[effect.query_id].rank1_after);
    }
    EXPECT_EQ(kept, gains);
  }

  // Gains go by the drift as it was last looked at, stakes by that of the curves.
  double GainWeight(size_t q) const {
    const auto query = static_cast<quality::QueryNumber>(q);
    const float scale = measurer_.curves()->scale(query);
    return twin_->queries()[q].weight * scale * (measurer_.drifts()[query].scale / scale);
  }

  void CheckStakes() const {
    EXPECT(measurer_.Check().ok());
    if (!twin_) return;
    const std::span<const double> stakes = measurer_.stakes();
    for (index::DocId doc = 0; doc < std::max<size_t>(stakes.size(), writer_.Current()->doc_limit); ++doc) {
      const auto page = pages_.find(doc);
      const double expected = page == pages_.end() ? 0 : twin_->Stake(page->second, *measurer_.curves(), view_);
      const double stake = doc < stakes.size() ? stakes[doc] : 0;
      // A page that lost nearly all of its stake keeps the rounding of what it had.
      if (std::abs(stake - expected) > 1e-6 * std::max(expected, 1e-3)) EXPECT_EQ(stake, expected);
    }
  }

  // Shifts that this caused would turn up in the next batch.
  void Maintain() {
    const std::vector<double> before(measurer_.stakes().begin(), measurer_.stakes().end());
    if (random_.Chance(0.2)) writer_.Compact(&measurer_);
    for (size_t steps = random_.Below(5); steps > 0 && writer_.MaintainStep(); --steps) {
    }
    EXPECT(std::ranges::equal(before, measurer_.stakes()));
  }

  void GoOnFitting() {
    EXPECT_EQ(measurer_.is_fitting(), fit_.has_value());
    if (fit_) {
      EXPECT(measurer_.NeedOf(*writer_.Current()) == quality::Measurer::Need::kNothing);
      if (random_.Chance(0.1)) {
        measurer_.Abandon();
        fit_.reset();
        is_extending_ = false;
      } else if (random_.Chance(0.4)) {
        Adopt();
      }
    } else if (!twin_ || random_.Chance(0.1)) {
      StartEpoch();
    } else if (random_.Chance(0.15)) {
      StartExtension();
    } else if (random_.Chance(0.1)) {
      Resume();
    } else if (measurer_.NeedOf(*writer_.Current()) != quality::Measurer::Need::kNothing || random_.Chance(0.1)) {
      fit_ = Fit{measurer_.StartRefit(writer_.Current()), twin_, pages_};
    }
  }

  void StartEpoch() {
    const std::vector<NaiveQuery> queries = RandomQueries();
    fit_ = Fit{measurer_.StartEpoch(MakeWorkload(queries), writer_.Current(),
                                    std::make_shared<const quality::ViewLikelihood>(view_),
                                    static_cast<uint32_t>(random_.Between(1, 4))),
               std::make_shared<const NaiveMeasurer>(config_.scoring, queries, pages_), pages_};
  }

  // Some queries go, some come, and some are weighed anew; a small move of a weight does not count.
  void StartExtension() {
    const double scale = random_.Chance(0.5) ? 1 : 0.2 + random_.Unit();
    std::vector<NaiveQuery> given, expected;
    for (NaiveQuery query : twin_->queries()) {
      if (random_.Chance(0.2)) continue;
      query.weight *= scale;
      expected.push_back(query);
      if (random_.Chance(0.3)) {
        query.weight *= random_.Chance(0.5) ? 1.04 : 0.97;
      } else if (random_.Chance(0.3)) {
        query.weight *= random_.Chance(0.5) ? 3 : 0.5;
        expected.back() = query;
      }
      given.push_back(query);
    }
    for (NaiveQuery query : RandomQueries()) {
      query.id += 100000 * static_cast<uint32_t>(++extensions_);
      if (given.size() >= 60) break;
      // Anywhere among the others: numbers move.
      const auto at = static_cast<std::ptrdiff_t>(random_.Below(given.size() + 1));
      given.insert(given.begin() + at, query);
      expected.insert(expected.begin() + at, query);
    }
    const auto request = measurer_.StartExtension(MakeWorkload(given), scale, writer_.Current());
    // A weight that is kept for staleness alone is the new one or the old one: what the measurer says.
    for (size_t q = 0; q < expected.size(); ++q) {
      const double weight = request.epoch->workload().weight(static_cast<quality::QueryNumber>(q));
      EXPECT(std::abs(weight - expected[q].weight) <= 1e-12 * expected[q].weight);
      expected[q].weight = weight;
    }
    fit_ = Fit{request, std::make_shared<const NaiveMeasurer>(*twin_, expected, pages_), pages_};
    is_extending_ = true;
  }

  // As the next process would, from the bytes that this one kept, of which some are damaged.
  void Resume() {
    const auto epoch = measurer_.shared_epoch();
    const auto curves = measurer_.shared_curves();
    constexpr uint64_t kSeed = 99;
    std::vector<std::string> kept;
    quality::CurveRows rows;
    std::vector<NaiveQuery> left;
    std::vector<quality::ListChange> changes;
    const bool damages = random_.Chance(0.3);
    for (quality::QueryNumber q = 0; q < curves->size(); ++q) kept.push_back(EncodeCurve(*epoch, *curves, q, kSeed));
    for (quality::QueryNumber q = 0; q < curves->size(); ++q) {
      const bool is_damaged = damages && random_.Chance(0.2);
      if (is_damaged) kept[q][random_.Below(kept[q].size())] ^= static_cast<char>(1 << random_.Below(8));
      rows.emplace(twin_->queries()[q].id, kept[q]);
      if (!is_damaged) {
        left.push_back(twin_->queries()[q]);
        changes.push_back(measurer_.changes()[q]);
      }
    }
    const auto decoded = DecodeCurves(EncodeStatistics(*epoch, kSeed), rows, epoch->workload(), curves->pieces(),
                                      config_.scoring, kSeed);
    EXPECT_EQ(decoded.has_value(), !left.empty());
    if (!decoded) return;
    // Without the queries that were lost, as if the stakes had been kept without them.
    const auto twin = std::make_shared<const NaiveMeasurer>(*twin_, left, pages_);
    std::vector<double> stakes(writer_.Current()->doc_limit, 0.0);
    for (const auto& [doc, page] : pages_) stakes[doc] = twin->Stake(page, *decoded->curves, view_);
    const auto known = DecodeChanges(EncodeChanges(*epoch, measurer_.changes(), kSeed), *decoded->epoch, kSeed);
    EXPECT(known == changes);
    measurer_.Stop();
    measurer_.Resume({decoded->epoch, decoded->curves, std::make_shared<const quality::ViewLikelihood>(view_), known,
                      std::move(stakes)},
                     *writer_.Current());
    CheckDrifts();
    twin_ = twin;
    number_of_.clear();
    for (size_t q = 0; q < left.size(); ++q) number_of_[left[q].id] = q;
    // Which lists have been answered since they were found empty is not kept.
    moved_.clear();
    ++resumed_;
    CheckStakes();
    CheckParts();
  }

  // Right after they were looked at.
  void CheckDrifts() const {
    for (size_t q = 0; q < measurer_.drifts().size(); ++q) {
      const uint32_t id = measurer_.shared_epoch()->workload().id(static_cast<quality::QueryNumber>(q));
      const auto [scale, spread] = twin_->Drift(pages_, twin_->queries()[number_of_.at(id)]);
      EXPECT(std::abs(measurer_.drifts()[q].scale - scale) <= 1e-6 * scale);
      EXPECT(std::abs(measurer_.drifts()[q].spread - spread) <= 1e-6 * std::max(1.0, spread));
    }
  }

  // What the stakes are made of adds up to them.
  void CheckParts() const {
    const quality::MeasuringState state{measurer_.shared_epoch(), measurer_.shared_curves(), measurer_.shared_view()};
    for (const auto& [doc, page] : pages_) {
      const quality::StakeParts all = quality::StakePartsOf(state, *writer_.Current(), doc, SIZE_MAX);
      const double expected = twin_->Stake(page, *measurer_.curves(), view_);
      EXPECT(std::abs(all.total - expected) <= 1e-9 * std::max(1.0, expected));
      double sum = 0;
      for (const quality::StakePart& part : all.parts) {
        const NaiveQuery& query = twin_->queries()[number_of_.at(part.query_id)];
        EXPECT_EQ(part.score, twin_->Score(page, query));
        EXPECT_EQ(part.weight, query.weight);
        sum += part.stake;
      }
      EXPECT(std::abs(sum - all.total) <= 1e-9 * std::max(1.0, sum));
      const quality::StakeParts few = quality::StakePartsOf(state, *writer_.Current(), doc, 2);
      EXPECT_EQ(few.parts.size(), std::min<size_t>(2, all.parts.size()));
      EXPECT(few.total == all.total && (few.parts.empty() || few.parts[0].stake == all.parts[0].stake));
    }
  }

  std::vector<NaiveQuery> RandomQueries() {
    std::vector<NaiveQuery> queries;
    for (size_t left = random_.Chance(0.05) ? 0 : random_.Between(1, 40); left > 0; --left) {
      std::vector<std::string> words;
      for (size_t more = random_.Between(1, config_.longest_query); more > 0; --more) {
        // Some words are known from the first batch on, some come late, some never.
        const std::string text = random_.Chance(0.05) ? "never" : FrequentWord(&random_, vocabulary_);
        for (const NaiveToken& token : NaiveTokens(config_.analysis, text)) {
          if (std::find(words.begin(), words.end(), token.text) == words.end()) words.push_back(token.text);
        }
      }
      if (!words.empty())
        queries.push_back({static_cast<uint32_t>(1000 + 7 * queries.size()), 0.01 + 5 * random_.Unit(), words});
    }
    return queries;
  }

  // Curves are those of the index when the fit began; the pages changed since are valued by them.
  void Adopt() {
    quality::FitResult result = quality::FitCurves(fit_->request);
    const bool is_partial = fit_->request.before != nullptr;
    const std::vector<quality::QueryNumber> refitted = fit_->request.queries;
    const quality::CurveSet* before = measurer_.curves();
    const std::optional<quality::CurveSet> old = before ? std::optional(*before) : std::nullopt;
    const std::vector<quality::QueryNumber> number_before = fit_->request.number_before;
    measurer_.Adopt(std::move(result), *writer_.Current());
    twin_ = fit_->twin;
    number_of_.clear();
    if (!is_partial) moved_.clear();
    for (size_t q = 0; q < twin_->queries().size(); ++q) number_of_[twin_->queries()[q].id] = q;
    const quality::CurveSet& curves = *measurer_.curves();
    EXPECT_EQ(curves.size(), twin_->queries().size());
    for (quality::QueryNumber q = 0; q < curves.size(); ++q) {
      const bool is_fitted = !is_partial || std::find(refitted.begin(), refitted.end(), q) != refitted.end();
      if (is_fitted) {
        moved_.erase(twin_->queries()[q].id);
        const std::vector<float> scores = twin_->AnswerScores(fit_->pages, twin_->queries()[q]);
        std::vector<float> values(curves.pieces() + 2, 0.0f);
        if (!scores.empty()) quality::FitCurve(scores, curves.pieces(), values);
        EXPECT_EQ(curves[q].n, scores.size());
        EXPECT(std::ranges::equal(curves[q].values, values));
      } else {
        const quality::ScoreRankCurve known = (*old)[number_before[q]];
        EXPECT(curves[q].n == known.n && std::ranges::equal(curves[q].values, known.values));
      }
    }
    refits_adopted_ += is_partial && !is_extending_;
    extensions_adopted_ += is_extending_;
    is_extending_ = false;
    fit_.reset();
    CheckStakes();
  }

  Random random_;
  const MeasuredRunConfig config_;
  index::IndexWriter writer_;
  quality::Measurer measurer_;
  const quality::ViewLikelihood view_;
  std::vector<std::string> vocabulary_;
  size_t step_ = 0;
  ModelDocuments documents_;
  std::map<std::string, index::DocId> docs_;  // by key
  NaivePages pages_;
  std::shared_ptr<const NaiveMeasurer> twin_;  // of the epoch in use
  std::map<uint32_t, size_t> number_of_;       // of its queries, by id
  std::optional<Fit> fit_;
  std::set<uint32_t> moved_before_;  // the batch
  std::set<uint32_t> moved_;         // queries with shifts since they were fitted, by id
  uint64_t answers_seen_ = 0;        // batches that answered something
  uint64_t shifts_seen_ = 0;
  uint64_t norm_shifts_seen_ = 0;
  uint64_t reweighted_seen_ = 0;
  uint64_t refits_adopted_ = 0;
  bool is_extending_ = false;
  uint64_t extensions_ = 0;
  uint64_t extensions_adopted_ = 0;
  uint64_t resumed_ = 0;
};

}  // namespace freshdex::test
