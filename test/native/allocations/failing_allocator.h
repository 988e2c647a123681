// Memory that ends when a test says so: operator new is replaced in this binary (failing_allocator.cc), and of the
// allocations of the code under test the n-th fails, or all from the n-th on.
#pragma once

#include <cstdint>
#include <new>

namespace freshdex::test {

enum class Lack { kOnce, kFromThenOn };

// While it lives, the n-th allocation of its thread fails, the first being 1.
class LackOfMemory {
 public:
  LackOfMemory(uint64_t nth, Lack lack);
  ~LackOfMemory();
  LackOfMemory(const LackOfMemory&) = delete;
  LackOfMemory& operator=(const LackOfMemory&) = delete;

  // Whether any allocation has failed.
  bool has_failed() const;
};

}  // namespace freshdex::test
