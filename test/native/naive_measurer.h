// The naive twin of the measurement: whole pages before and after, every query scored anew for each, nothing taken from
// posting deltas. Sums are made in the order that the index makes them, so that scores are equal to the last bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/quality/curve_set.h"
#include "native/quality/view_likelihood.h"
#include "native/score/similarity.h"
#include "test/native/index_model.h"
#include "test/native/naive_postings.h"
#include "test/native/workload_builder.h"

namespace freshdex::test {

struct NaivePage {
  NaiveCounts counts;
  std::vector<size_t> lengths;  // by field
  double weight = 0;
};
using NaivePages = std::map<index::DocId, NaivePage>;

inline NaivePage MakeNaivePage(index::AnalysisKind analysis, const ModelDocument& document) {
  const std::vector<NaiveField> fields = NaiveDocument(analysis, document.texts);
  NaivePage page{CountTerms(fields), {}, document.weight};
  for (const NaiveField& field : fields) page.lengths.push_back(field.size());
  return page;
}

// One page's two scores for one query; not a shift when they are equal.
struct NaiveScoreShift {
  uint32_t query_id;
  float before;
  float after;
  bool operator==(const NaiveScoreShift&) const = default;
};

class NaiveMeasurer {
 public:
  // Freezes the statistics of `pages`.
  NaiveMeasurer(const score::Scoring& scoring, std::vector<NaiveQuery> queries, const NaivePages& pages)
      : scoring_(scoring), queries_(std::move(queries)), field_documents_(fields(), 0), field_tokens_(fields(), 0) {
    for (const auto& [doc, page] : pages) {
      for (const auto& [term, tf] : page.counts) ++df_[term];
      for (size_t f = 0; f < fields(); ++f) {
        field_documents_[f] += page.lengths[f] > 0;
        field_tokens_[f] += static_cast<double>(page.lengths[f]);
      }
    }
  }

  // The same statistics for other queries, but for words that no query of `before` has: they are counted in `pages`.
  NaiveMeasurer(const NaiveMeasurer& before, std::vector<NaiveQuery> queries, const NaivePages& pages)
      : scoring_(before.scoring_),
        queries_(std::move(queries)),
        df_(before.df_),
        field_documents_(before.field_documents_),
        field_tokens_(before.field_tokens_) {
    std::set<std::string> known;
    for (const NaiveQuery& query : before.queries_) known.insert(query.words.begin(), query.words.end());
    std::map<NaiveTerm, uint32_t> now;
    for (const auto& [doc, page] : pages) {
      for (const auto& [term, tf] : page.counts) ++now[term];
    }
    for (const NaiveQuery& query : queries_) {
      for (const std::string& word : query.words) {
        if (known.count(word) == 1) continue;
        for (size_t f = 0; f < fields(); ++f) {
          const NaiveTerm term{static_cast<index::FieldId>(f), word};
          const auto found = now.find(term);
          df_[term] = found == now.end() ? 0 : found->second;
        }
      }
    }
  }

  const std::vector<NaiveQuery>& queries() const { return queries_; }

  // 0 unless all words occur.
  float Score(const NaivePage& page, const NaiveQuery& query) const {
    double sum = 0;
    for (const std::string& word : query.words) {
      double part = 0;
      bool occurs = false;
      for (size_t f = 0; f < fields(); ++f) {
        const auto tf = page.counts.find({static_cast<index::FieldId>(f), word});
        if (tf == page.counts.end()) continue;
        occurs = true;
        part += FieldScore(f, word, tf->second, page.lengths[f]);
      }
      if (!occurs) return 0;
      sum += part;
    }
    return static_cast<float>(scoring_.alpha * sum + scoring_.beta * page.weight);
  }

  // Null: not there. In order of the ids.
  std::vector<NaiveScoreShift> Shifts(const NaivePage* before, const NaivePage* after) const {
    std::vector<NaiveScoreShift> shifts;
    for (const NaiveQuery& query : queries_) {
      const float s1 = before ? Score(*before, query) : 0, s2 = after ? Score(*after, query) : 0;
      if (s1 != s2) shifts.push_back({query.id, s1, s2});
    }
    std::sort(shifts.begin(), shifts.end(), [](const auto& a, const auto& b) { return a.query_id < b.query_id; });
    return shifts;
  }

  // Of Shifts(), those for which nothing but a length has changed.
  uint64_t NormShifts(const NaivePage* before, const NaivePage* after) const {
    if (!before || !after || (scoring_.beta != 0 && before->weight != after->weight)) return 0;
    uint64_t count = 0;
    for (const NaiveQuery& query : queries_) {
      const bool has_changed_word = std::any_of(query.words.begin(), query.words.end(), [&](const std::string& word) {
        for (size_t f = 0; f < fields(); ++f) {
          if (Frequency(*before, f, word) != Frequency(*after, f, word)) return true;
        }
        return false;
      });
      count += !has_changed_word && Score(*before, query) != Score(*after, query);
    }
    return count;
  }

  std::vector<float> AnswerScores(const NaivePages& pages, const NaiveQuery& query) const {
    std::vector<float> scores;
    for (const auto& [doc, page] : pages) {
      const float score = Score(page, query);
      if (score > 0) scores.push_back(score);
    }
    std::sort(scores.begin(), scores.end(), std::greater<>());
    return scores;
  }

  // The rank of each score by the curve of its query, the curves being in the order of the queries.
  double Stake(const NaivePage& page, const quality::CurveSet& curves, const quality::ViewLikelihood& view) const {
    double stake = 0;
    for (size_t q = 0; q < queries_.size(); ++q) {
      const float score = Score(page, queries_[q]);
      if (score <= 0) continue;
      const quality::ScoreRankCurve curve = curves[static_cast<quality::QueryNumber>(q)];
      const double rank = curve.n == 0 ? 1 : std::clamp(std::floor(curve.RankOf(score) + 0.5), 1.0, double(curve.n));
      const double weight = queries_[q].weight * curves.scale(static_cast<quality::QueryNumber>(q));
      stake += weight * view.At(static_cast<uint32_t>(rank)) * score;
    }
    return stake;
  }

  // What the statistics of `pages` do to the scores of a query, beside the frozen ones: the factor, and ln of how far
  // it may differ from word to word.
  std::pair<double, double> Drift(const NaivePages& pages, const NaiveQuery& query) const {
    const NaiveMeasurer now(scoring_, queries_, pages);
    double then_sum = 0, now_sum = 0, lowest = INFINITY, highest = -INFINITY, lengths = 0;
    for (size_t f = 0; f < fields(); ++f) lengths = std::max(lengths, std::abs(std::log(LengthFactor(now, f))));
    for (const std::string& word : query.words) {
      double most = 0, then_part = 0, now_part = 0;
      for (size_t f = 0; f < fields(); ++f) most = std::max({most, FrequencyOf(f, word), now.FrequencyOf(f, word)});
      for (size_t f = 0; f < fields() && most > 0; ++f) {
        const double share = std::max(FrequencyOf(f, word), now.FrequencyOf(f, word)) / most;
        then_part += share * scoring_.field_boosts[f] * Idf(f, word);
        now_part += share * scoring_.field_boosts[f] * now.Idf(f, word) * LengthFactor(now, f);
      }
      const bool is_ratio = then_part > 0 && now_part > 0;
      const double ratio = is_ratio ? std::log(now_part / then_part) : 0;
      then_sum += is_ratio ? then_part : 0;
      now_sum += is_ratio ? now_part : 0;
      lowest = std::min(lowest, ratio);
      highest = std::max(highest, ratio);
    }
    const double log_scale = then_sum > 0 ? std::log(now_sum / then_sum) : 0;
    const double half = scoring_.beta == 0 ? 0 : log_scale / 2;
    return {std::exp(log_scale - half), highest - lowest + lengths + std::abs(half)};
  }

 private:
  size_t fields() const { return scoring_.field_boosts.size(); }

  double FrequencyOf(size_t field, const std::string& word) const {
    const auto found = df_.find({static_cast<index::FieldId>(field), word});
    return found == df_.end() ? 0 : found->second;
  }

  double Idf(size_t field, const std::string& word) const {
    const double documents = field_documents_[field];
    // A word may be counted later than the documents.
    const double df = std::min(FrequencyOf(field, word), documents);
    return scoring_.model == score::Model::kTfIdf ? 1 + std::log((documents + 1) / (df + 1))
                                                  : std::log(1 + (documents - df + 0.5) / (df + 0.5));
  }

  // For a page of today's average length that has a word once.
  double LengthFactor(const NaiveMeasurer& now, size_t field) const {
    if (scoring_.model == score::Model::kTfIdf || field_documents_[field] == 0 || now.field_documents_[field] == 0)
      return 1;
    const double relative =
        now.field_tokens_[field] / now.field_documents_[field] / (field_tokens_[field] / field_documents_[field]);
    return (1 + scoring_.k1 * (1 - scoring_.b + scoring_.b * relative)) / (1 + scoring_.k1);
  }

  static uint32_t Frequency(const NaivePage& page, size_t field, const std::string& word) {
    const auto found = page.counts.find({static_cast<index::FieldId>(field), word});
    return found == page.counts.end() ? 0 : found->second;
  }

  double FieldScore(size_t field, const std::string& word, double tf, size_t length) const {
    const double documents = field_documents_[field];
    const double quantized = QuantizedLength(length);
    const double idf = Idf(field, word);
    if (scoring_.model == score::Model::kTfIdf)
      return scoring_.field_boosts[field] * idf * std::sqrt(tf) * (1 / std::sqrt(quantized));
    // A field that no page had has no average: every length counts as one.
    const double relative = documents == 0 ? scoring_.b : scoring_.b * quantized / (field_tokens_[field] / documents);
    return scoring_.field_boosts[field] * idf * (tf / (tf + scoring_.k1 * (1 - scoring_.b + relative)));
  }

  const score::Scoring scoring_;
  const std::vector<NaiveQuery> queries_;
  std::map<NaiveTerm, uint32_t> df_;
  std::vector<double> field_documents_;
  std::vector<double> field_tokens_;
};

}  // namespace freshdex::test
