// Cuts a field into chunks, the units of comparison between two versions of a page.
//
// Cuts lie behind ASCII white space only, and no token spans white space, so a chunk's tokens do not depend on its
// neighbours. Where to cut depends on the bytes near the cut and little on what came before: after an insertion the
// cuts fall into step again a few lines later. Lines are joined up to about 64 bytes so that the 12 bytes a chunk costs
// in the forward record stay small beside its tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace freshdex::index {

struct Chunk {
  std::string_view bytes;  // a part of the input
  uint64_t hash;
};

void ChunkText(std::string_view text, uint64_t seed, std::vector<Chunk>* out);

// For token lists given by the caller: a sequence of {u16 length, bytes}. REQUIRES: well formed.
void ChunkTokens(std::string_view tokens, uint64_t seed, std::vector<Chunk>* out);

}  // namespace freshdex::index
