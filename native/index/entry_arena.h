// Memory for entries that are never freed one by one and never move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace freshdex::index {

class EntryArena {
 public:
  // REQUIRES: bytes <= kFirstBytes.
  char* Allocate(size_t bytes) {
    if (blocks_.empty() || free_ < bytes) {
      const size_t grown = std::clamp(bytes_, kFirstBytes, kMaxBytes);
      blocks_.push_back(std::make_unique<char[]>(grown));
      free_ = grown;
      bytes_ += grown;
    }
    // Blocks are filled from their end downwards, so that the free count alone says where the next entry goes.
    free_ -= bytes;
    return blocks_.back().get() + free_;
  }

  size_t MemoryBytes() const { return bytes_; }

 private:
  static constexpr size_t kFirstBytes = 4096;
  static constexpr size_t kMaxBytes = 1u << 20;

  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t free_ = 0;
  size_t bytes_ = 0;
};

}  // namespace freshdex::index
