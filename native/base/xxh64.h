// XXH64, the 64-bit hash by Yann Collet, written from its specification. Used for terms, keys, chunks and pages; the
// TypeScript side uses the same function through xxhash-wasm, and a test compares the two.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshdex {

uint64_t Xxh64(std::string_view bytes, uint64_t seed);

}  // namespace freshdex
