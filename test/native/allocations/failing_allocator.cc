#include "test/native/allocations/failing_allocator.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace freshdex::test {
namespace {

struct Supply {
  bool is_watched = false;
  bool has_failed = false;
  Lack lack = Lack::kOnce;
  uint64_t left = 0;
};
thread_local Supply supply;

bool Refuses() {
  if (!supply.is_watched) return false;
  if (supply.left > 1) {
    --supply.left;
    return false;
  }
  if (supply.left == 0 && supply.lack == Lack::kOnce) return false;
  supply.left = 0;
  supply.has_failed = true;
  return true;
}

void* Allocate(size_t bytes, size_t alignment) {
  if (Refuses()) return nullptr;
  if (bytes == 0) bytes = 1;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* AllocateOrThrow(size_t bytes, size_t alignment = 1) {
  void* const block = Allocate(bytes, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

LackOfMemory::LackOfMemory(uint64_t nth, Lack lack) { supply = {true, false, lack, nth}; }
LackOfMemory::~LackOfMemory() { supply.is_watched = false; }
bool LackOfMemory::has_failed() const { return supply.has_failed; }

}  // namespace freshdex::test

using freshdex::test::Allocate;
using freshdex::test::AllocateOrThrow;

void* operator new(size_t bytes) { return AllocateOrThrow(bytes); }
void* operator new[](size_t bytes) { return AllocateOrThrow(bytes); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return AllocateOrThrow(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return AllocateOrThrow(bytes, static_cast<size_t>(alignment));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 1); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 1); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
