// Cuts a field into chunks, the units of comparison between two versions of a page.
//
// Cuts lie behind ASCII white space only, and no token spans white space, so a chunk's tokens do not depend on its
// neighbours. Where to cut depends on the bytes near the cut and little on what came before: after an insertion the
// cuts fall into step again a few lines later. Lines are joined up to about 200 bytes so that the 7 bytes a chunk costs
// in the forward record stay small beside its tokens: docs/decisions/0013-chunks-of-about-200-bytes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace freshdex::index {

struct Chunk {
  std::string_view bytes;  // a part of the input
  uint64_t hash;           // of kChunkHashBytes
};

// Hashes of chunks are compared within one document only, and nobody outside knows their seed: 48 bits tell chunks
// apart for more refreshes than any index sees.
inline constexpr size_t kChunkHashBytes = 6;
inline constexpr uint64_t kChunkHashMask = (uint64_t{1} << 48) - 1;

inline void AppendChunkHash(std::string* out, uint64_t hash) {
  out->append(reinterpret_cast<const char*>(&hash), kChunkHashBytes);
}

void ChunkText(std::string_view text, uint64_t seed, std::vector<Chunk>* out);

// For token lists given by the caller: a sequence of {u16 length, bytes}. REQUIRES: well formed.
void ChunkTokens(std::string_view tokens, uint64_t seed, std::vector<Chunk>* out);

}  // namespace freshdex::index
