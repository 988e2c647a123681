// A growing array whose elements never move: one writer appends while readers use elements that were published to them
// before.
//
// Segment k holds 2^(k+8) elements, so 25 segments cover 2^32 elements and an empty vector owns nothing. A reader needs
// no lock for an element whose index it learnt from a snapshot: the snapshot's publication orders the writes before the
// reads, and later appends touch other memory.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

namespace freshdex::index {

template <typename T>
class SegmentedVector {
 public:
  size_t size() const { return size_; }  // writer only

  const T& operator[](size_t i) const { return segments_[SegmentOf(i)][i - BeginOf(SegmentOf(i))]; }
  T& operator[](size_t i) { return segments_[SegmentOf(i)][i - BeginOf(SegmentOf(i))]; }

  // Strong guarantee: on std::bad_alloc nothing changed.
  void Append(T value) {
    const size_t segment = SegmentOf(size_);
    assert(segment < segments_.size());
    if (!segments_[segment]) segments_[segment] = std::make_unique<T[]>(size_t{1} << (segment + kFirstBits));
    segments_[segment][size_ - BeginOf(segment)] = std::move(value);
    ++size_;
  }

  // Forgets the elements from `size` on. Writer only; REQUIRES: no reader has learnt of them.
  void TruncateTo(size_t size) {
    while (size_ > size) (*this)[--size_] = T();
  }

  size_t MemoryBytes() const {
    size_t bytes = 0;
    for (size_t k = 0; k < segments_.size(); ++k) {
      if (segments_[k]) bytes += sizeof(T) << (k + kFirstBits);
    }
    return bytes;
  }

 private:
  static constexpr size_t kFirstBits = 8;

  static size_t SegmentOf(size_t i) { return static_cast<size_t>(std::bit_width((i >> kFirstBits) + 1)) - 1; }
  static size_t BeginOf(size_t segment) { return ((size_t{1} << segment) - 1) << kFirstBits; }

  std::array<std::unique_ptr<T[]>, 25> segments_;
  size_t size_ = 0;
};

}  // namespace freshdex::index
