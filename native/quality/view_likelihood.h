// I(r): how likely a result at rank r of an answer list is viewed (User-centric crawling, section 2: I(r) = c r^-3/2,
// with c = 1 here).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace freshdex::quality {

// Sum of (r / first)^-exponent over the ranks first..last, by Euler-Maclaurin up to the first derivative. The relative
// error is about exponent^3 / (720 first^3): 7e-4 from rank 2 and 1e-6 from rank 10 on for the exponent 3/2, nothing
// for a single rank. REQUIRES: 1 <= first <= last, exponent >= 0.
double EulerMaclaurinSum(double exponent, double first, double last);

// Non-increasing, >= 0, I(1) > 0, I(infinity) = 0. Immutable.
class ViewLikelihood {
 public:
  // r^-3/2.
  ViewLikelihood();

  struct Support {
    double rank;
    double value;
  };
  // `head` has the values at ranks 1..head.size(). Beyond it, power laws join the end of the head and the points of
  // `tail`, whose ranks grow strictly from above head.size(); the last of them goes on for ever. A point of value 0
  // ends the curve: up to it the value before holds, from it on I is 0. Without a tail I is 0 beyond the head. nullopt
  // unless all of it is finite, >= 0 and non-increasing, I(1) > 0, and the end of the curve falls.
  static std::optional<ViewLikelihood> Make(std::span<const double> head, std::span<const Support> tail);

  // r^-3/2, but Sum() takes the closed form of every run of at least `ranks` ranks, however near the top: how much that
  // costs can be compared with this.
  static ViewLikelihood ClosedFrom(uint32_t ranks);

  // Rank 0 stands for infinity.
  double At(uint32_t rank1) const { return rank1 < values_.size() ? values_[rank1] : BeyondTable(rank1); }

  // Sum of I(r) over first..last; 0 when first > last. Exact up to rank 1024 and in the head, relative error below 1e-6
  // beyond (1e-10 for r^-3/2). REQUIRES: first >= 1.
  double Sum(uint32_t first, uint32_t last) const {
    const bool is_in_table = last < values_.size() && closed_from_ == kNeverClosed;
    return is_in_table && first <= last ? sums_[first] - sums_[last + 1] : SumBeyond(first, last);
  }

 private:
  static constexpr uint64_t kNeverClosed = std::numeric_limits<uint64_t>::max();

  // I(r) = value (r / rank)^-exponent from `rank` to the rank of the next piece.
  struct Piece {
    double rank;
    double value;
    double exponent;
  };

  explicit ViewLikelihood(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}
  static bool MakePieces(Support end_of_head, std::span<const Support> tail, std::vector<Piece>* pieces);
  void FillTable(std::span<const double> head);
  size_t PieceOf(uint32_t rank1) const;
  double BeyondTable(uint32_t rank1) const;
  double SumBeyond(uint32_t first, uint32_t last) const;
  double SumBeyondTable(uint32_t first, uint32_t last) const;

  std::vector<double> values_;  // by rank, [0] = 0
  // sums_[r] = I(r) + I(r + 1) + ... up to the end of the table. Summing from the end keeps small values from being
  // lost in large sums.
  std::vector<double> sums_;
  std::vector<Piece> pieces_;  // by rank, the first at or before the first rank beyond the head
  uint64_t closed_from_ = kNeverClosed;
};

}  // namespace freshdex::quality
