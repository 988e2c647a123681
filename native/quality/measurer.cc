#include "native/quality/measurer.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace freshdex::quality {

using index::DocId;
using index::DocumentChange;

// Which of the page's words are needed depends on what moved: with the page's norms or weight all its scores do,
// otherwise those of queries with a changed word.
bool Measurer::Collect(const DocumentChange& change, bool moves_all) {
  State& state = *state_;
  const bool is_replaced = change.before && change.after;
  if (is_replaced && !moves_all) {
    const auto is_word = [&](const index::PostingDelta& delta) { return state.terms.Has(delta.term); };
    if (std::none_of(change.deltas.begin(), change.deltas.end(), is_word)) return false;
    if (state.epoch->is_single()) {
      state.page.CollectDeltas(change, &words_);
      return true;
    }
  }
  const size_t first = words_.counts.size() + words_.kept.size();
  state.page.Collect(change, &words_);
  return words_.counts.size() + words_.kept.size() > first;
}

// How much of a document was exchanged, from 0 to 1: a document that comes or goes moves the statistics of all its
// words.
double Measurer::ChurnOf(const DocumentChange& change) {
  const uint32_t terms =
      std::max(change.before ? change.before->distinct_terms() : 0, change.after ? change.after->distinct_terms() : 0);
  return std::min(1.0, static_cast<double>(change.deltas.size()) / std::max(1u, terms));
}

void Measurer::OnDocument(const DocumentChange& change) {
  changed_.push_back(change.doc);
  if (!state_) return;
  batch_churn_ += ChurnOf(change);
  State& state = *state_;
  if (!terms_before_) terms_before_ = static_cast<index::TermId>(change.terms->published_size());
  state.terms.Extend(*change.terms);
  const bool is_replaced = change.before && change.after;
  batch_.pages.push_back({.doc = change.doc,
                          .is_removed = !change.after,
                          .is_replaced = is_replaced,
                          .is_reweighted = change.has_same_text,
                          .delta_quality = 0,
                          .stake = change.doc < stakes_.size() ? stakes_[change.doc] : 0,
                          .shifts = 0,
                          .effects_end = 0});

  const bool moves_weight =
      is_replaced && state.epoch->has_page_weights() && change.weight_before != change.weight_after;
  const bool moves_norms = is_replaced && !std::ranges::equal(change.norms_before, change.norms_after);
  const bool has_words = Collect(change, moves_weight || moves_norms);
  state.terms.FollowNew();
  if (!has_words) return;
  collected_.push_back({.page = static_cast<uint32_t>(batch_.pages.size() - 1),
                        .is_replaced = is_replaced,
                        .moves_norms = moves_norms,
                        .moves_weight = moves_weight,
                        .weight_before = change.weight_before,
                        .weight_after = change.weight_after,
                        .counts_end = static_cast<uint32_t>(words_.counts.size()),
                        .kept_end = static_cast<uint32_t>(words_.kept.size())});
  norms_.insert(norms_.end(), change.norms_before.begin(), change.norms_before.end());
  norms_.insert(norms_.end(), change.norms_after.begin(), change.norms_after.end());
  if (words_.counts.size() + words_.kept.size() >= kBufferedWords) MeasureCollected();
}

void Measurer::MeasureCollected() {
  const size_t fields = state_->epoch->fields();
  size_t counts_begin = 0, kept_begin = 0;
  for (size_t i = 0; i < collected_.size(); ++i) {
    const CollectedPage& page = collected_[i];
    const auto norms = std::span<const uint8_t>(norms_).subspan(i * 2 * fields, 2 * fields);
    state_->page.Load(std::span(words_.counts).subspan(counts_begin, page.counts_end - counts_begin),
                      std::span(words_.kept).subspan(kept_begin, page.kept_end - kept_begin),
                      {norms.first(fields), norms.last(fields), page.weight_before, page.weight_after});
    counts_begin = page.counts_end;
    kept_begin = page.kept_end;
    PassPages(page.page);
    FindShifts(page);
    EstimatePage(&batch_.pages[page.page]);
  }
  PassPages(batch_.pages.size());
  collected_.clear();
  words_.Clear();
  norms_.clear();
}

// Looks for the shifts of the page that is loaded.
void Measurer::FindShifts(const CollectedPage& page) {
  State& state = *state_;
  ++state.page_number;
  shifts_.clear();
  const bool moves_all = page.moves_norms || page.moves_weight;
  const QueryLines& lines = state.lines;
  const auto [present, changed] = std::pair(state.page.present(), state.page.changed());
  // Every query that matches either version has its rarest word in it. Where a frequent word changed that is the
  // shorter way, too.
  if (moves_all || !page.is_replaced ||
      lines.CountByWord(changed) > present.size() + lines.CountByRarestWord(present)) {
    const bool moves_norm = page.moves_norms && !page.moves_weight;
    for (WordNumber word : present) {
      const auto [begin, end] = lines.MeasuredByRarestWord(word);
      for (QueryLines::Line line = begin; line < end; ++line) Consider(line, moves_norm);
    }
    return;
  }
  for (WordNumber word : changed) {
    for (QueryLines::Line line : lines.MeasuredByWord(word)) {
      if (state.seen[line] == state.page_number) continue;
      state.seen[line] = state.page_number;
      Consider(line, false);
    }
  }
}

inline void Measurer::Consider(QueryLines::Line line, bool moves_norm) {
  const PageWords::Scores scores = state_->page.ScoresOf(state_->lines, state_->lines.query(line));
  if (scores.before == scores.after) return;
  state_->lines.Prefetch(line);
  shifts_.push_back({line, scores.before, scores.after});
  batch_.norm_shifts += moves_norm && !scores.has_changed_word;
}

bool Measurer::NoteAnswer(QueryNumber query) {
  if (state_->answered[query] != 0) return false;
  answered_.push_back(query);
  state_->answered[query] = 1;
  return true;
}

void Measurer::KeepEffect(const Effect& effect, size_t first) {
  std::vector<Effect>& effects = batch_.effects;
  if (effects.size() - first == kMaxEffects) {
    if (effects.back().delta_quality >= effect.delta_quality) return;
    effects.pop_back();
  }
  const auto begin = effects.begin() + static_cast<std::ptrdiff_t>(first);
  const auto larger = [](const Effect& a, const Effect& b) { return a.delta_quality > b.delta_quality; };
  effects.insert(std::upper_bound(begin, effects.end(), effect, larger), effect);
}

void Measurer::PassPages(size_t end) {
  for (; estimated_pages_ < end; ++estimated_pages_) {
    batch_.pages[estimated_pages_].effects_end = static_cast<uint32_t>(batch_.effects.size());
    if (batch_.pages[estimated_pages_].is_removed) batch_.pages[estimated_pages_].stake = 0;
  }
}

void Measurer::EstimatePage(PageMeasure* page) {
  const Workload& workload = state_->epoch->workload();
  const ViewLikelihood& view = *state_->view;
  const size_t first = batch_.effects.size();
  for (const LineShift& shift : shifts_) {
    const PreparedCurve& curve = state_->lines.curve(shift.line);
    const QueryNumber query = state_->lines.query(shift.line).number;
    const RankShift ranks = curve.is_short()
                                ? curve.Estimate(view, shift.before, shift.after)
                                : EstimateDeltaQuality((*state_->curves)[query], view, shift.before, shift.after);
    const double weight = curve.weight();
    page->stake += weight * (view.At(ranks.rank1_settled) * shift.after - view.At(ranks.rank1_before) * shift.before);
    NoteChange(query, shift.before, shift.after, ranks);
    if (!is_followed_.empty() && is_followed_[query] != 0)
      followed_.push_back({page->doc, query, shift.before, shift.after});
    if (page->is_reweighted) continue;
    const double gain = weight * curve.gain_ratio() * ranks.delta_quality;
    page->delta_quality += gain;
    if (curve.n() == 0 && NoteAnswer(query) && page->is_replaced)
      batch_.answered_share += workload.weight(query) / workload.total_weight();
    if (ranks.delta_quality > 0) {
      KeepEffect({workload.id(query), shift.before, shift.after, ranks.rank1_before, ranks.rank1_after,
                  static_cast<float>(gain)},
                 first);
    }
  }
  page->shifts = static_cast<uint32_t>(shifts_.size());
  batch_.shifts += shifts_.size();
  // What is left of a stake after all of it was taken away is rounding.
  page->stake = page->is_removed ? 0 : std::max(0.0, page->stake);
  page->effects_end = static_cast<uint32_t>(batch_.effects.size());
  ++estimated_pages_;
  if (!keeps_shifts_) return;
  for (const LineShift& shift : shifts_) {
    const uint32_t id = workload.id(state_->lines.query(shift.line).number);
    batch_.kept_shifts.push_back({page->doc, id, shift.before, shift.after});
  }
}

const BatchMeasure& Measurer::Estimate() {
  if (!state_) return batch_;
  MeasureCollected();
  batch_.measured_share = share_;
  const double total = state_->epoch->workload().total_weight();
  batch_.skipped_weight = total > 0 ? std::clamp(state_->left_out_weight / total, 0.0, 1.0) : 0;
  return batch_;
}

void Measurer::OnPublish() {
  try {
    NotePublished();
  } catch (const std::bad_alloc&) {
    // The batch is published: what could not be noted of it is for the next epoch to find.
    has_lost_track_ = true;
  }
  churn_since_drift_ += batch_churn_;
  ForgetBatch();
}

void Measurer::NotePublished() {
  for (const PageMeasure& page : batch_.pages) {
    if (page.doc >= stakes_.size()) stakes_.resize(std::max<size_t>(page.doc + 1, stakes_.size() * 5 / 4), 0.0);
    stakes_[page.doc] = page.stake;
  }
  if (!is_fitting_) return;
  changed_while_fitting_.insert(changed_.begin(), changed_.end());
  if (shifts_while_fitting_.size() < kFollowedShifts)
    shifts_while_fitting_.insert(shifts_while_fitting_.end(), followed_.begin(), followed_.end());
}

void Measurer::OnDiscard() {
  if (state_) {
    for (QueryNumber query : answered_) state_->answered[query] = 0;
  }
  if (state_ && terms_before_) state_->terms.Truncate(*terms_before_);
  ForgetBatch();
}

void Measurer::OnRenumber(const index::Snapshot& now) {
  if (state_) state_->terms.Renumber(now.terms(), now.term_count);
}

void Measurer::ForgetBatch() {
  batch_ = BatchMeasure();
  collected_.clear();
  words_.Clear();
  norms_.clear();
  changed_.clear();
  answered_.clear();
  followed_.clear();
  batch_churn_ = 0;
  estimated_pages_ = 0;
  terms_before_.reset();
}

Status Measurer::Check() const {
  if (!state_) return {};
  for (QueryNumber q = 0; q < state_->curves->size(); ++q) {
    const ScoreRankCurve curve = (*state_->curves)[q];
    if (curve.n > 0 && !curve.IsWellFormed()) {
      return Status(Code::kCorrupt,
                    "the curve of query " + std::to_string(state_->epoch->workload().id(q)) + " does not decrease");
    }
  }
  for (size_t doc = 0; doc < stakes_.size(); ++doc) {
    if (!(stakes_[doc] >= 0) || std::isinf(stakes_[doc]))
      return Status(Code::kCorrupt, "the stake of document " + std::to_string(doc) + " is no amount");
  }
  return {};
}

size_t Measurer::MemoryBytes() const {
  size_t bytes = sizeof(*this) + stakes_.capacity() * 8 + shifts_.capacity() * sizeof(LineShift) +
                 words_.MemoryBytes() + collected_.capacity() * sizeof(CollectedPage) + norms_.capacity();
  if (!state_) return bytes;
  const size_t queries = state_->epoch->workload().queries();
  return bytes + state_->epoch->MemoryBytes() + state_->curves->MemoryBytes() + state_->terms.MemoryBytes() +
         state_->lines.MemoryBytes() + state_->page.MemoryBytes() + queries * 26 +
         (followed_.capacity() + shifts_while_fitting_.capacity()) * sizeof(Shift);
}

}  // namespace freshdex::quality
