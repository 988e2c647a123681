#include "native/quality/view_likelihood.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace freshdex::quality {
namespace {

constexpr double kExponent = 1.5;
constexpr size_t kTableRanks = 1024;

// Where the exponent is a larger part of the rank, Euler-Maclaurin leaves more than 2e-7; the terms then fall so fast
// that about a thousand of them are the whole sum.
constexpr double kSteep = 0.05;
constexpr double kNegligible = 1e-17;

// Sum of (r / first)^-exponent, term by term until they do not count any more.
double SteepSum(double exponent, double first, double last) {
  double sum = 0;
  for (double rank = first; rank <= last; ++rank) {
    const double term = std::exp(-exponent * std::log1p((rank - first) / first));
    sum += term;
    if (term < kNegligible) break;
  }
  return sum;
}

}  // namespace

double EulerMaclaurinSum(double exponent, double first, double last) {
  // With x = r / first: the integral of x^-e over r is first (X^(1-e) - 1) / (1-e), X = last / first, written so that
  // it neither cancels for short runs nor divides by zero for e = 1.
  const double log_ratio = std::log1p((last - first) / first);
  const double power = (1 - exponent) * log_ratio;
  const double growth = std::expm1(power);
  const double integral = first * log_ratio * (power == 0 ? 1 : growth / power);
  const double last_term = (growth + 1) * (first / last);
  return integral + (1 + last_term) / 2 + exponent / 12 * (1 / first - last_term / last);
}

ViewLikelihood::ViewLikelihood() : pieces_{{1, 1, kExponent}} { FillTable({}); }

std::optional<ViewLikelihood> ViewLikelihood::Make(std::span<const double> head, std::span<const Support> tail) {
  if (head.empty() || !(head[0] > 0) || head.size() >= std::numeric_limits<uint32_t>::max()) return std::nullopt;
  for (size_t i = 0; i < head.size(); ++i) {
    if (!std::isfinite(head[i]) || head[i] < 0 || (i > 0 && head[i] > head[i - 1])) return std::nullopt;
  }
  std::vector<Piece> pieces;
  if (!MakePieces({static_cast<double>(head.size()), head.back()}, tail, &pieces)) return std::nullopt;
  ViewLikelihood view(std::move(pieces));
  view.FillTable(head);
  if (!std::isfinite(view.sums_[1])) return std::nullopt;
  return view;
}

ViewLikelihood ViewLikelihood::ClosedFrom(uint32_t ranks) {
  ViewLikelihood view;
  view.closed_from_ = ranks;
  return view;
}

bool ViewLikelihood::MakePieces(Support end_of_head, std::span<const Support> tail, std::vector<Piece>* pieces) {
  Support before = end_of_head;
  if (tail.empty()) before.value = 0;
  for (const Support& point : tail) {
    if (!std::isfinite(point.rank) || !(point.rank > before.rank)) return false;
    if (!std::isfinite(point.value) || point.value < 0 || point.value > before.value) return false;
    const bool is_flat = point.value == 0 || point.value == before.value;
    const double exponent =
        is_flat ? 0 : (std::log(before.value) - std::log(point.value)) / std::log(point.rank / before.rank);
    if (!std::isfinite(exponent)) return false;
    pieces->push_back({before.rank, before.value, exponent});
    before = point;
  }
  if (before.value > 0) return pieces->back().exponent > 0;
  pieces->push_back({before.rank, 0, 0});
  return true;
}

void ViewLikelihood::FillTable(std::span<const double> head) {
  const size_t ranks = std::max(kTableRanks, head.size());
  std::vector<double> values(ranks + 1), sums(ranks + 2);
  for (size_t rank = 1; rank <= ranks; ++rank) {
    values[rank] = rank <= head.size() ? head[rank - 1] : BeyondTable(static_cast<uint32_t>(rank));
  }
  for (size_t rank = ranks; rank > 0; --rank) sums[rank] = sums[rank + 1] + values[rank];
  values_ = std::move(values);
  sums_ = std::move(sums);
}

size_t ViewLikelihood::PieceOf(uint32_t rank1) const {
  const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), rank1,
                                     [](uint32_t rank, const Piece& piece) { return rank < piece.rank; });
  return static_cast<size_t>(next - pieces_.begin()) - 1;
}

double ViewLikelihood::BeyondTable(uint32_t rank1) const {
  const Piece& piece = pieces_[PieceOf(rank1)];
  return piece.value * std::pow(rank1 / piece.rank, -piece.exponent);
}

double ViewLikelihood::SumBeyond(uint32_t first, uint32_t last) const {
  if (first > last) return 0;
  if (uint64_t{last} - first + 1 >= closed_from_) return At(first) * EulerMaclaurinSum(kExponent, first, last);
  const auto table_last = static_cast<uint32_t>(values_.size() - 1);
  if (last <= table_last) return sums_[first] - sums_[last + 1];
  if (first > table_last) return SumBeyondTable(first, last);
  return sums_[first] + SumBeyondTable(table_last + 1, last);
}

double ViewLikelihood::SumBeyondTable(uint32_t first, uint32_t last) const {
  double sum = 0;
  double from = first;
  for (size_t i = PieceOf(first); i < pieces_.size() && from <= last; ++i) {
    const Piece& piece = pieces_[i];
    const double to = i + 1 < pieces_.size() ? std::min<double>(last, std::ceil(pieces_[i + 1].rank) - 1) : last;
    if (to < from) continue;
    const double first_term = piece.value * std::pow(from / piece.rank, -piece.exponent);
    if (first_term > 0) {
      sum += first_term * (piece.exponent > kSteep * from ? SteepSum(piece.exponent, from, to)
                                                          : EulerMaclaurinSum(piece.exponent, from, to));
    }
    from = to + 1;
  }
  return sum;
}

}  // namespace freshdex::quality
