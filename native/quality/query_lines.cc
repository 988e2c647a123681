#include "native/quality/query_lines.h"

#include <algorithm>

namespace freshdex::quality {

void QueryLines::AddLine(QueryNumber number) {
  const auto no_word = static_cast<WordNumber>(epoch_->workload().words());
  const std::span<const WordNumber> words = epoch_->workload().words(number);
  const size_t inlined = std::min(words.size(), kInlineWords);
  Query query{{no_word, no_word, no_word, no_word}, number, static_cast<uint32_t>(words.size() - inlined)};
  std::copy_n(words.begin(), inlined, query.words.begin());
  lines_[number] = static_cast<Line>(queries_.size());
  queries_.push_back(query);
}

QueryLines::QueryLines(const Epoch& epoch, const CurveSet& curves, std::span<const uint8_t> is_left_out)
    : epoch_(&epoch) {
  const Workload& workload = epoch.workload();
  const auto is_measured = [&](QueryNumber query) { return is_left_out.empty() || is_left_out[query] == 0; };
  queries_.reserve(workload.queries());
  lines_.resize(workload.queries());
  for (WordNumber word = 0; word < workload.words(); ++word) {
    rarest_begins_.push_back(static_cast<Line>(queries_.size()));
    for (QueryNumber number : epoch.by_rarest_word()[word]) {
      if (is_measured(number)) AddLine(number);
    }
    measured_ends_.push_back(static_cast<Line>(queries_.size()));
    for (QueryNumber number : epoch.by_rarest_word()[word]) {
      if (!is_measured(number)) AddLine(number);
    }
  }
  rarest_begins_.push_back(static_cast<Line>(queries_.size()));
  for (WordNumber word = 0; word < workload.words(); ++word) {
    by_word_begins_.push_back(static_cast<uint32_t>(by_word_.size()));
    for (QueryNumber number : epoch.by_word()[word]) {
      if (is_measured(number)) by_word_.push_back(lines_[number]);
    }
  }
  by_word_begins_.push_back(static_cast<uint32_t>(by_word_.size()));
  curves_.reserve(queries_.size());
  for (const Query& query : queries_) {
    curves_.emplace_back(curves[query.number], workload.weight(query.number) * curves.scale(query.number));
  }
}

void QueryLines::TakeCurves(const CurveSet& curves, std::span<const QueryNumber> queries) {
  for (QueryNumber query : queries)
    curves_[lines_[query]] = PreparedCurve(curves[query], epoch_->workload().weight(query) * curves.scale(query));
}

void QueryLines::TakeDrifts(const CurveSet& curves, std::span<const QueryDrift> drifts) {
  for (QueryNumber query = 0; query < drifts.size(); ++query)
    curves_[lines_[query]].set_gain_ratio(drifts[query].scale / curves.scale(query));
}

}  // namespace freshdex::quality
