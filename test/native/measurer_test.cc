#include "native/quality/measurer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/measured_run.h"
#include "test/native/query_builder.h"
#include "test/native/scorings.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using index::AnalysisKind;
using index::DocId;
using score::Model;
using test::BatchBuilder;
using test::MeasuredRun;
using test::MeasuredRunConfig;
using test::NaiveQuery;
using test::ScoringOf;

void ExpectAgreement(const MeasuredRunConfig& config, uint64_t stream) {
  uint64_t shifts = 0, norm_shifts = 0, refits = 0, answers = 0, reweighted = 0, extensions = 0, resumed = 0;
  for (uint64_t round = 0; round < test::Rounds(12); ++round) {
    MeasuredRun run(1000 * stream + round, config);
    for (size_t step = 0; step < 90; ++step) run.Step();
    shifts += run.shifts_seen();
    norm_shifts += run.norm_shifts_seen();
    refits += run.refits_adopted();
    answers += run.answers_seen();
    reweighted += run.reweighted_seen();
    extensions += run.extensions_adopted();
    resumed += run.resumed();
  }
  // Otherwise there was nothing to compare.
  EXPECT(shifts > 500 && norm_shifts > 20);
  EXPECT(refits > 2);
  EXPECT(answers > 0 && reweighted > 0);
  EXPECT(extensions > 5);
  EXPECT(resumed > 5);
}

TEST(Measurer, AgreesWithATwinUnderBm25) {
  ExpectAgreement({AnalysisKind::kStandard, ScoringOf(Model::kBm25, {2, 1}), 3}, 1);
}

TEST(Measurer, AgreesWithATwinUnderTfIdf) {
  ExpectAgreement({AnalysisKind::kEnglish, ScoringOf(Model::kTfIdf, {1, 0.5}), 3}, 2);
}

TEST(Measurer, AgreesWithATwinOnWordsThatTheCallerCut) {
  ExpectAgreement({AnalysisKind::kTokens, ScoringOf(Model::kBm25, {1, 3}), 2}, 3);
}

TEST(Measurer, AgreesWithATwinWithPageWeights) {
  ExpectAgreement({AnalysisKind::kStandard, ScoringOf(Model::kBm25, {1, 1}, 0.5), 3}, 4);
  ExpectAgreement({AnalysisKind::kStandard, ScoringOf(Model::kTfIdf, {1}, 2), 1}, 5);
}

// More words than lie inline, and a number of fields that is no power of 2.
TEST(Measurer, AgreesWithATwinOnLongQueries) {
  ExpectAgreement({AnalysisKind::kStandard, ScoringOf(Model::kBm25, {2, 1, 1}), 7}, 9);
}

// One field and one word to a query: the words of the deltas are enough.
TEST(Measurer, AgreesWithATwinOnSingleWords) {
  ExpectAgreement({AnalysisKind::kStandard, ScoringOf(Model::kBm25, {1}), 1}, 6);
  ExpectAgreement({AnalysisKind::kStandard, ScoringOf(Model::kTfIdf, {1}), 1}, 7);
}

TEST(Measurer, AgreesWithATwinWhereLengthsDoNotCount) {
  MeasuredRunConfig config{AnalysisKind::kStandard, ScoringOf(Model::kBm25, {2, 1}), 3};
  config.scoring.b = 0;
  uint64_t shifts = 0;
  for (uint64_t round = 0; round < test::Rounds(3); ++round) {
    MeasuredRun run(8000 + round, config);
    for (size_t step = 0; step < 90; ++step) run.Step();
    shifts += run.shifts_seen();
    EXPECT_EQ(run.norm_shifts_seen(), 0);
  }
  EXPECT(shifts > 100);
}

// A small index that is measured, one batch at a time.
class Measured {
 public:
  explicit Measured(const score::Scoring& scoring = ScoringOf(Model::kBm25, {1}))
      : scoring_(scoring), writer_(ConfigOf(scoring)), measurer_(scoring) {
    measurer_.KeepShifts(true);
  }

  index::IndexWriter& writer() { return writer_; }
  Measurer& measurer() { return measurer_; }
  DocId DocOf(std::string_view key) const { return writer_.Current()->FindKey(key); }

  void Fit(const std::vector<NaiveQuery>& queries) {
    AdoptNow(measurer_.StartEpoch(test::MakeWorkload(queries), writer_.Current(), view_, 3));
  }
  void Refit() { AdoptNow(measurer_.StartRefit(writer_.Current())); }
  void AdoptNow(const FitRequest& request) { measurer_.Adopt(FitCurves(request), *writer_.Current()); }

  BatchMeasure Prepare(const BatchBuilder& batch) {
    EXPECT(writer_.Prepare(batch.Slab(), &measurer_).ok());
    return measurer_.Estimate();
  }

  BatchMeasure Write(const BatchBuilder& batch) {
    BatchMeasure measure = Prepare(batch);
    writer_.Publish(&measurer_);
    EXPECT(measurer_.Check().ok());
    return measure;
  }

  Measurer::Need Need() { return measurer_.NeedOf(*writer_.Current()); }

  score::SearchOutcome Search(const score::QueryNode& query) const {
    return score::Search(*writer_.Current(), scoring_, query, {});
  }

 private:
  static index::WriterConfig ConfigOf(const score::Scoring& scoring) {
    index::WriterConfig config;
    config.fields = scoring.field_boosts.size();
    config.seed = 5;
    return config;
  }

  const score::Scoring scoring_;
  index::IndexWriter writer_;
  Measurer measurer_;
  const std::shared_ptr<const ViewLikelihood> view_ = std::make_shared<const ViewLikelihood>();
};

// Pages "s0".."s9" that all have "apple"; page i has "pear" too when i is even, and i words that nobody asks for.
void PutOrchard(Measured* index) {
  BatchBuilder batch;
  for (int i = 0; i < 10; ++i) {
    std::string text = i % 2 == 0 ? "apple pear" : "apple";
    for (int word = 0; word < i; ++word) text += " filler" + std::to_string(word);
    batch.Put("s" + std::to_string(i), {text});
  }
  index->Write(batch);
}

const std::vector<NaiveQuery> kOrchardQueries = {
    {11, 1, {"apple"}}, {12, 2, {"pear"}}, {13, 3, {"apple", "pear"}}, {14, 1, {"quince"}}};

std::vector<uint32_t> QueriesOf(const BatchMeasure& measure) {
  std::vector<uint32_t> queries;
  for (const Shift& shift : measure.kept_shifts) queries.push_back(shift.query);
  std::sort(queries.begin(), queries.end());
  return queries;
}

TEST(Measurer, SaysNothingWithoutAnEpoch) {
  Measured index;
  PutOrchard(&index);
  const BatchMeasure measure = index.Write(BatchBuilder().Put("s0", {"pear"}).Remove("s1"));
  EXPECT(measure.pages.empty() && measure.kept_shifts.empty() && measure.effects.empty());
  EXPECT_EQ(measure.shifts, 0);
  EXPECT(index.measurer().stakes().empty() && index.measurer().curves() == nullptr);
  EXPECT(index.Need() == Measurer::Need::kNothing);
  EXPECT(index.measurer().Check().ok());
}

TEST(Measurer, KnowsWhatNobodyAnswersAsOfTheLastFit) {
  Measured index;
  EXPECT_EQ(index.measurer().UnansweredShare(), 0.0);
  PutOrchard(&index);
  EXPECT_EQ(index.measurer().UnansweredShare(), 0.0);
  index.Fit(kOrchardQueries);
  EXPECT_EQ(index.measurer().UnansweredShare(), 1.0 / 7);
  EXPECT_EQ(index.Prepare(BatchBuilder().Put("s0", {"quince"})).answered_share, 1.0 / 7);
  index.writer().Discard(&index.measurer());
  EXPECT_EQ(index.Write(BatchBuilder().Put("s0", {"quince"})).answered_share, 1.0 / 7);
  EXPECT_EQ(index.Write(BatchBuilder().Put("s1", {"quince"})).answered_share, 0.0);
  EXPECT_EQ(index.measurer().UnansweredShare(), 1.0 / 7);
  index.Fit(kOrchardQueries);
  EXPECT_EQ(index.measurer().UnansweredShare(), 0.0);
  index.Fit({{1, 5, {"medlar"}}, {2, 3, {"apple", "medlar"}}});
  EXPECT_EQ(index.measurer().UnansweredShare(), 1.0);
  // A new page says nothing of what refreshes may bring, nor does who repeats it.
  EXPECT_EQ(index.Write(BatchBuilder().Put("snew", {"medlar"})).answered_share, 0.0);
  EXPECT_EQ(index.Write(BatchBuilder().Put("s2", {"apple medlar"})).answered_share, 3.0 / 8);
}

TEST(Measurer, ARefreshWithTheSameTextEmitsNoShifts) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const BatchMeasure measure =
      index.Write(BatchBuilder().Put("s0", {"apple pear"}).Put("s1", {"apple filler0"}, 0, "stored anew"));
  EXPECT(measure.pages.empty());
  EXPECT_EQ(measure.shifts, 0);
  // Another text with the same words in another order moves nothing either.
  const BatchMeasure turned = index.Write(BatchBuilder().Put("s0", {"pear\napple"}));
  EXPECT_EQ(turned.pages.size(), 1);
  EXPECT_EQ(turned.shifts, 0);
  EXPECT_EQ(turned.pages[0].delta_quality, 0.0);
}

TEST(Measurer, APageGoneIsOneShiftToZeroPerMatchingQuery) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const double stake = index.measurer().stakes()[index.DocOf("s0")];
  EXPECT(stake > 0);
  const DocId doc = index.DocOf("s0");
  const BatchMeasure measure = index.Write(BatchBuilder().Remove("s0"));
  EXPECT_EQ(QueriesOf(measure), (std::vector<uint32_t>{11, 12, 13}));
  for (const Shift& shift : measure.kept_shifts) {
    EXPECT_EQ(shift.doc, doc);
    EXPECT(shift.before > 0);
    EXPECT_EQ(shift.after, 0.0f);
  }
  EXPECT(measure.pages[0].is_removed && measure.pages[0].delta_quality > 0);
  EXPECT_EQ(index.measurer().stakes()[doc], 0.0);
  EXPECT_EQ(index.Write(BatchBuilder().Remove("s0")).shifts, 0);
}

TEST(Measurer, APageThatAppearsIsOneShiftFromZeroPerMatchingQuery) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const BatchMeasure measure = index.Write(BatchBuilder().Put("snew", {"pear quince"}));
  EXPECT_EQ(QueriesOf(measure), (std::vector<uint32_t>{12, 14}));
  for (const Shift& shift : measure.kept_shifts) {
    EXPECT_EQ(shift.before, 0.0f);
    EXPECT(shift.after > 0);
  }
  // Alone in the list of "quince": the first rank.
  const auto alone = std::find_if(measure.effects.begin(), measure.effects.end(),
                                  [](const Effect& effect) { return effect.query_id == 14; });
  EXPECT(alone != measure.effects.end());
  EXPECT_EQ(alone->rank1_before, 0);
  EXPECT_EQ(alone->rank1_after, 1);
  EXPECT_EQ(alone->delta_quality, alone->score_after);
}

TEST(Measurer, AChangedLengthAloneShiftsTheScoresOfUnchangedWords) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const BatchMeasure measure = index.Write(BatchBuilder().Put("s0", {"apple pear longer"}));
  EXPECT_EQ(QueriesOf(measure), (std::vector<uint32_t>{11, 12, 13}));
  EXPECT_EQ(measure.norm_shifts, 3);
  for (const Shift& shift : measure.kept_shifts) EXPECT(shift.after > 0 && shift.after < shift.before);
}

TEST(Measurer, AChangedWordThatNobodyAsksForEmitsNoShifts) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const BatchMeasure measure = index.Write(BatchBuilder().Put("s3", {"apple other words here"}));
  EXPECT_EQ(measure.pages.size(), 1);
  EXPECT_EQ(measure.shifts, 0);
}

// Lengths are kept with four significant bits: a long page that grows by a word keeps its norm.
TEST(Measurer, AWordMoreInALongPageMovesNothingElse) {
  Measured index;
  PutOrchard(&index);
  std::string text = "apple pear";
  for (int word = 0; word < 200; ++word) text += " long" + std::to_string(word);
  index.Write(BatchBuilder().Put("slong", {text}));
  index.Fit(kOrchardQueries);
  EXPECT_EQ(index.Write(BatchBuilder().Put("slong", {text + " more"})).shifts, 0);
  EXPECT_EQ(QueriesOf(index.Write(BatchBuilder().Put("slong", {text + " pear"}))), (std::vector<uint32_t>{12, 13}));
}

TEST(Measurer, CompactionAndSearchEmitNoShifts) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  index.Write(BatchBuilder().Put("s4", {"apple"}));
  const std::vector<double> before(index.measurer().stakes().begin(), index.measurer().stakes().end());
  EXPECT_EQ(index.Search(test::Word("apple")).total, 10);
  while (index.writer().MaintainStep()) {
  }
  index.writer().Compact();
  EXPECT_EQ(index.Search(test::Word("pear")).total, 4);
  EXPECT(std::ranges::equal(index.measurer().stakes(), before));
  // What had been emitted would be in the next batch.
  EXPECT_EQ(index.Write(BatchBuilder().Put("s3", {"apple three words more"})).shifts, 0);
}

TEST(Measurer, ADiscardedBatchLeavesStakesAndCurves) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const std::vector<double> before(index.measurer().stakes().begin(), index.measurer().stakes().end());
  const BatchBuilder batch = BatchBuilder().Put("s0", {"quince"}).Put("snew", {"quince apple newword"}).Remove("s2");
  const BatchMeasure first = index.Prepare(batch);
  index.writer().Discard(&index.measurer());
  EXPECT(std::ranges::equal(index.measurer().stakes(), before));
  // Words that the batch would have added have other numbers now.
  index.Write(BatchBuilder().Put("sother", {"first second third"}));
  const BatchMeasure second = index.Write(batch);
  EXPECT_EQ(second.shifts, first.shifts);
  for (size_t i = 0; i < first.kept_shifts.size(); ++i) {
    EXPECT_EQ(second.kept_shifts[i].query, first.kept_shifts[i].query);
    EXPECT_EQ(second.kept_shifts[i].before, first.kept_shifts[i].before);
    EXPECT_EQ(second.kept_shifts[i].after, first.kept_shifts[i].after);
  }
}

TEST(Measurer, KeepsShiftsOnlyForWhoWantsThem) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  index.measurer().KeepShifts(false);
  const BatchMeasure measure = index.Write(BatchBuilder().Remove("s0"));
  EXPECT_EQ(measure.shifts, 3);
  EXPECT(measure.kept_shifts.empty() && measure.kept_shifts.capacity() == 0);
}

// Frequencies saturate: a page with more occurrences than can be counted scores the same whether it is read as a whole
// or from deltas.
TEST(Measurer, CountsNoFurtherThanPostingsDo) {
  Measured index(ScoringOf(Model::kTfIdf, {1}));
  std::string text;
  for (uint32_t i = 0; i < index::kMaxTf + 10; ++i) text += "apple\n";
  index.Write(BatchBuilder().Put("sbig", {text}));
  index.Fit({{1, 1, {"apple"}}, {2, 1, {"apple", "pear"}}});
  EXPECT_EQ(index.Write(BatchBuilder().Put("sbig", {text + "apple\n"})).shifts, 0);
  // Alone in its list, a page has its score at stake; that of the fit comes from postings.
  const double stake = index.measurer().stakes()[index.DocOf("sbig")];
  std::string longer = text;
  for (uint32_t i = 0; i < index::kMaxTf; ++i) longer += "other\n";
  const BatchMeasure measure = index.Write(BatchBuilder().Put("sbig", {longer}));
  EXPECT_EQ(QueriesOf(measure), std::vector<uint32_t>{1});
  EXPECT_EQ(measure.norm_shifts, 1);
  EXPECT_EQ(measure.kept_shifts[0].before, static_cast<float>(stake));
}

// A batch of pages with a thousand words each, all of them queries.
BatchMeasure WriteManyWords(int pages) {
  Measured index;
  std::vector<NaiveQuery> queries;
  std::string text;
  for (uint32_t i = 0; i < 1000; ++i) {
    queries.push_back({i, 1, {"w" + std::to_string(i)}});
    text += "w" + std::to_string(i) + " ";
  }
  index.Write(BatchBuilder().Put("sfirst", {"nothing"}));
  index.Fit(queries);
  BatchBuilder batch;
  for (int page = 0; page < pages; ++page) batch.Put("s" + std::to_string(page), {text});
  BatchMeasure measure = index.Write(batch);
  EXPECT_EQ(measure.pages.size(), static_cast<size_t>(pages));
  for (const PageMeasure& page : measure.pages) {
    EXPECT_EQ(page.shifts, 1000);
    // All were alone in their lists when the curves were fitted.
    EXPECT(page.delta_quality > 0 && std::abs(page.delta_quality - page.stake) < 1e-9 * page.stake);
  }
  return measure;
}

TEST(Measurer, MeasuresManyShifts) {
  const BatchMeasure measure = WriteManyWords(300);
  EXPECT_EQ(measure.shifts, 300'000);
  EXPECT_EQ(measure.kept_shifts.size(), 300'000);
  EXPECT_EQ(measure.effects.size(), 300 * Measurer::kMaxEffects);
}

// More words than are kept until the end of a batch.
TEST(Measurer, MeasuresAlongTheWayWhenABatchHasManyWords) {
  const BatchMeasure measure = WriteManyWords(1100);
  EXPECT(1'100'000 > Measurer::kBufferedWords);
  EXPECT_EQ(measure.shifts, 1'100'000);
  EXPECT_EQ(measure.effects.size(), 1100 * Measurer::kMaxEffects);
}

// A page with "apple" once among `length` words.
std::string ApplePage(int length, const char* apple = "apple") {
  std::string text = apple;
  for (int word = 1; word < length; ++word) text += " filler" + std::to_string(word);
  return text;
}

// Pages "s0" to "s999", the ten shortest of which are the top ten of "apple".
void PutThousand(Measured* index) {
  BatchBuilder batch;
  for (int i = 0; i < 1000; ++i) batch.Put("s" + std::to_string(i), {ApplePage(i < 10 ? 10 : 20)});
  index->Write(batch);
}

TEST(Measurer, AsksForAFitWhenTheTopOfAListWasReplacedHoweverLongItIs) {
  Measured index;
  PutThousand(&index);
  index.Fit({{11, 1, {"apple"}}});
  BatchBuilder deep, top;
  for (int i = 900; i < 1000; ++i) deep.Put("s" + std::to_string(i), {ApplePage(20, "pear")});
  for (int i = 0; i < 10; ++i) top.Put("s" + std::to_string(i), {ApplePage(10, "pear")});
  index.Write(deep);
  EXPECT(index.Need() == Measurer::Need::kNothing);
  index.Write(top);
  EXPECT(index.Need() == Measurer::Need::kRefit);
  const FitRequest request = index.measurer().StartRefit(index.writer().Current());
  EXPECT_EQ(request.queries, std::vector<QueryNumber>{0});
  EXPECT(index.Need() == Measurer::Need::kNothing);
  index.AdoptNow(request);
  EXPECT(index.Need() == Measurer::Need::kNothing);
  EXPECT_EQ((*index.measurer().curves())[0].n, 890);
}

TEST(Measurer, AsksForAFitWhenAListHasGrownPastItsCurve) {
  Measured index;
  BatchBuilder batch;
  for (int i = 0; i < 200; ++i) batch.Put("s" + std::to_string(i), {ApplePage(20, i < 8 ? "apple" : "pear")});
  index.Write(batch);
  index.Fit({{11, 1, {"apple"}}});
  // Behind all others, where few look.
  const auto add = [&](int from, int to) {
    BatchBuilder more;
    for (int i = from; i < to; ++i) more.Put("s" + std::to_string(i), {ApplePage(24)});
    index.Write(more);
  };
  add(8, 12);
  EXPECT(index.Need() == Measurer::Need::kNothing);
  add(12, 13);
  EXPECT(index.Need() == Measurer::Need::kRefit);
  index.Refit();
  EXPECT_EQ((*index.measurer().curves())[0].n, 13);
  EXPECT(index.Need() == Measurer::Need::kNothing);
}

TEST(Measurer, AsksForAFitOnlyWhenStaleCurvesAreAPartOfTheWorkload) {
  Measured index;
  PutOrchard(&index);
  index.Fit({{11, 199.5, {"apple"}}, {12, 1.5, {"quince"}}, {13, 1, {"pear", "medlar"}}});
  // Of the same length, so that nothing else moves.
  index.Write(BatchBuilder().Put("s3", {"apple quince filler0 filler1"}));
  EXPECT(index.Need() == Measurer::Need::kNothing);
  index.Write(BatchBuilder().Put("s2", {"apple pear medlar filler0"}));
  EXPECT(index.Need() == Measurer::Need::kRefit);
  EXPECT_EQ(index.measurer().StartRefit(index.writer().Current()).queries, (std::vector<QueryNumber>{1, 2}));
}

// What N and the document frequency do to the scores of a word is a factor, by which gains and stakes go.
TEST(Measurer, ValuesAsAFreshEpochWouldWhileStatisticsMove) {
  const score::Scoring scoring = ScoringOf(Model::kTfIdf, {1});
  Measured old_epoch(scoring), fresh(scoring);
  const std::vector<NaiveQuery> queries = {{11, 2, {"apple"}}};
  for (Measured* index : {&old_epoch, &fresh}) {
    BatchBuilder batch;
    for (int i = 0; i < 60; ++i) batch.Put("s" + std::to_string(i), {ApplePage(4 + i, i < 20 ? "apple" : "pear")});
    index->Write(batch);
  }
  old_epoch.Fit(queries);
  BatchBuilder others;
  for (int i = 0; i < 300; ++i) others.Put("other" + std::to_string(i), {"none of these"});
  old_epoch.Write(others);
  EXPECT(old_epoch.Need() == Measurer::Need::kNothing);
  const float scale = old_epoch.measurer().drifts()[0].scale;
  EXPECT(std::abs(scale - (1 + std::log(361.0 / 21)) / (1 + std::log(61.0 / 21))) < 1e-6);
  fresh.Write(others);
  fresh.Fit(queries);
  const BatchBuilder change = BatchBuilder().Put("s15", {ApplePage(5)});
  const double gain = old_epoch.Write(change).pages[0].delta_quality;
  const double fresh_gain = fresh.Write(change).pages[0].delta_quality;
  EXPECT(gain > 0 && std::abs(gain - fresh_gain) < 1e-5 * fresh_gain);
  // Stakes keep the scale of the epoch until their list is walked through.
  const auto stake = [](Measured& index) { return index.measurer().stakes()[index.DocOf("s3")]; };
  EXPECT(std::abs(stake(old_epoch) * scale - stake(fresh)) < 1e-5 * stake(fresh));
}

// A mean over all queries would not show it.
TEST(Measurer, AsksForAnEpochWhenAWordOfSomeQueriesHasComeUp) {
  Measured index;
  BatchBuilder batch;
  for (int i = 0; i < 200; ++i) batch.Put("s" + std::to_string(i), {ApplePage(4, i < 100 ? "apple" : "pear")});
  index.Write(batch);
  index.Fit({{11, 85, {"apple"}}, {12, 15, {"pear", "filler1"}}, {13, 15, {"quince", "filler1"}}});
  BatchBuilder quinces;
  for (int i = 140; i < 200; ++i) quinces.Put("s" + std::to_string(i), {ApplePage(4, "quince")});
  index.Write(quinces);
  EXPECT(index.Need() == Measurer::Need::kEpoch);
  EXPECT(index.measurer().drifts()[0].spread < 0.01);
  EXPECT(index.measurer().drifts()[2].spread > 1);
}

TEST(Measurer, AsksForAnEpochWhenScoresHaveDrifted) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const uint64_t epoch = index.measurer().epoch_number();
  index.Write(BatchBuilder().Put("s9", {"apple a b c d e f g h i j k l m n o p q r s t u v w x y z"}));
  EXPECT(index.Need() == Measurer::Need::kEpoch);
  index.Fit(kOrchardQueries);
  EXPECT(index.Need() == Measurer::Need::kNothing);
  EXPECT_EQ(index.measurer().epoch_number(), epoch + 1);
}

TEST(Measurer, AFitThatIsGivenUpChangesNothing) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const std::vector<double> before(index.measurer().stakes().begin(), index.measurer().stakes().end());
  const CurveSet* curves = index.measurer().curves();
  index.measurer().StartEpoch(test::MakeWorkload({{1, 1, {"filler0"}}}), index.writer().Current(),
                              std::make_shared<const ViewLikelihood>(), 2);
  EXPECT(index.measurer().is_fitting());
  index.measurer().Abandon();
  EXPECT(!index.measurer().is_fitting());
  EXPECT(index.measurer().curves() == curves && std::ranges::equal(index.measurer().stakes(), before));
  EXPECT_EQ(index.measurer().queries(), kOrchardQueries.size());
}

TEST(Measurer, MeasuresNothingOnceStoppedAndGoesOnWithTheNextEpoch) {
  Measured index;
  PutOrchard(&index);
  index.Fit(kOrchardQueries);
  const uint64_t epoch = index.measurer().epoch_number();
  index.measurer().Stop();
  EXPECT(!index.measurer().has_epoch() && index.measurer().stakes().empty());
  EXPECT(index.Write(BatchBuilder().Put("s0", {"quince"})).pages.empty());
  index.Fit(kOrchardQueries);
  EXPECT_EQ(index.measurer().epoch_number(), epoch + 1);
  // Who wants shifts still does.
  EXPECT_EQ(QueriesOf(index.Write(BatchBuilder().Remove("s0"))), std::vector<uint32_t>{14});
}

TEST(Measurer, StartsOnAnEmptyIndexAndWithoutQueries) {
  for (const Model model : {Model::kBm25, Model::kTfIdf}) {
    Measured index(ScoringOf(model, {1, 2}));
    index.Fit(kOrchardQueries);
    const BatchMeasure measure = index.Write(BatchBuilder().Put("sa", {"apple", "pear"}));
    EXPECT_EQ(QueriesOf(measure), (std::vector<uint32_t>{11, 12, 13}));
    EXPECT(measure.pages[0].delta_quality > 0);
    index.Fit({});
    const BatchMeasure nothing = index.Write(BatchBuilder().Put("sa", {"apple", "quince"}));
    EXPECT_EQ(nothing.pages.size(), 1);
    EXPECT_EQ(nothing.shifts, 0);
    EXPECT(index.Need() == Measurer::Need::kNothing || index.Need() == Measurer::Need::kEpoch);
  }
}

}  // namespace
}  // namespace freshdex::quality
