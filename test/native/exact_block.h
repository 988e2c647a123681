// Bytes in a heap block of exactly their size, so that a sanitizer sees any access past the end.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

namespace freshdex::test {

class ExactBlock {
 public:
  explicit ExactBlock(std::string_view bytes) : block_(std::make_unique<char[]>(bytes.size())), size_(bytes.size()) {
    if (size_ > 0) std::memcpy(block_.get(), bytes.data(), size_);
  }

  std::string_view view() const { return {block_.get(), size_}; }

 private:
  std::unique_ptr<char[]> block_;
  size_t size_;
};

}  // namespace freshdex::test
