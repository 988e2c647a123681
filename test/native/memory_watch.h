// How much memory a piece of work takes at most, as the sanitizers' allocator counts it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

// Part of every sanitizer runtime, though not every compiler brings a header that says so.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t),
                                                         void (*on_free)(const volatile void*));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void* block);

namespace freshdex::test {

// One at a time, around work of one thread.
class MemoryWatch {
 public:
  MemoryWatch() {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(&OnMalloc, &OnFree);
    is_counting_ = installed > 0;
    live_ = most_ = 0;
  }
  bool is_counting() const { return is_counting_; }
  // Since the watch began, beyond what there was.
  size_t most() const { return static_cast<size_t>(std::max<int64_t>(most_, 0)); }

 private:
  static void OnMalloc(const volatile void*, size_t bytes) {
    const int64_t now = live_ += static_cast<int64_t>(bytes);
    if (now > most_) most_ = now;
  }
  static void OnFree(const volatile void* block) {
    if (block != nullptr) live_ -= static_cast<int64_t>(__sanitizer_get_allocated_size(block));
  }

  static inline std::atomic<int64_t> live_{0};
  static inline std::atomic<int64_t> most_{0};
  bool is_counting_ = false;
};

}  // namespace freshdex::test
