// An array that is built in memory or shown from mapped memory, and read the same way in both cases.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace freshdex::index {

template <typename T>
class FlatArray {
 public:
  FlatArray() = default;
  // Shows memory that the owner of the array keeps alive.
  explicit FlatArray(std::span<const T> mapped) : mapped_(mapped), is_mapped_(true) {}

  std::span<const T> values() const { return is_mapped_ ? mapped_ : std::span<const T>(built_); }
  size_t size() const { return is_mapped_ ? mapped_.size() : built_.size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return is_mapped_ ? mapped_.data() : built_.data(); }
  const T& operator[](size_t i) const { return data()[i]; }
  size_t MemoryBytes() const { return built_.capacity() * sizeof(T); }

  // REQUIRES: not mapped.
  std::vector<T>& built() { return built_; }

 private:
  std::vector<T> built_;
  std::span<const T> mapped_;
  bool is_mapped_ = false;
};

}  // namespace freshdex::index
