#include "native/index/chunker.h"

#include <algorithm>
#include <cstring>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::index {
namespace {

// A line end closes a chunk of at least kFullBytes, and one in four closes a shorter chunk of at least kShortBytes:
// that one is chosen by the bytes before it, which is what brings two versions into step after an insertion.
constexpr size_t kShortBytes = 64;
constexpr size_t kFullBytes = 192;
// Lines longer than this are cut at spaces: one in sixteen by the bytes before it, any once kLongBytes are reached.
constexpr size_t kLineBytes = 384;
constexpr size_t kLongBytes = 2048;

constexpr size_t kShortTokens = 8;
constexpr size_t kLongTokens = 64;

// One in `one_in` (a power of two) of the places, judged by the four bytes before the cut.
bool IsChosen(const char* cut, uint32_t one_in) {
  const uint32_t mixed = LoadUnaligned<uint32_t>(cut - 4) * 0x9E3779B1u;
  return (mixed >> 16 & (one_in - 1)) == 0;
}

uint64_t ChunkHash(std::string_view bytes, uint64_t seed) { return Xxh64(bytes, seed) & kChunkHashMask; }

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Cuts [begin, end), the rest of a chunk that holds one long line, at spaces; returns where the last cut left off.
const char* CutLongLine(const char* begin, const char* end, uint64_t seed, std::vector<Chunk>* out) {
  const char* at = begin + kLineBytes;
  while (at < end) {
    if (!IsSpace(*at++)) continue;
    const size_t length = static_cast<size_t>(at - begin);
    if (length < kLongBytes && !IsChosen(at, 16)) continue;
    if (static_cast<size_t>(end - at) < kFullBytes) break;
    const std::string_view bytes(begin, length);
    out->push_back({bytes, ChunkHash(bytes, seed)});
    begin = at;
    at = begin + std::min<size_t>(kLineBytes, static_cast<size_t>(end - begin));
  }
  return begin;
}

}  // namespace

void ChunkText(std::string_view text, uint64_t seed, std::vector<Chunk>* out) {
  const char* begin = text.data();
  const char* at = begin;
  const char* end = begin + text.size();
  while (at < end) {
    const void* newline = std::memchr(at, '\n', static_cast<size_t>(end - at));
    at = newline ? static_cast<const char*>(newline) + 1 : end;
    if (static_cast<size_t>(at - begin) > kLineBytes) begin = CutLongLine(begin, at, seed, out);
    const size_t length = static_cast<size_t>(at - begin);
    if (at < end && (length < kShortBytes || (length < kFullBytes && !IsChosen(at, 4)))) continue;
    const std::string_view bytes(begin, length);
    out->push_back({bytes, ChunkHash(bytes, seed)});
    begin = at;
  }
}

void ChunkTokens(std::string_view tokens, uint64_t seed, std::vector<Chunk>* out) {
  const char* begin = tokens.data();
  const char* at = begin;
  const char* end = begin + tokens.size();
  size_t count = 0;
  while (at < end) {
    at += sizeof(uint16_t) + LoadUnaligned<uint16_t>(at);
    ++count;
    const bool is_cut = count >= kLongTokens || (count >= kShortTokens && IsChosen(at, 16));
    if (at < end && !is_cut) continue;
    const std::string_view bytes(begin, static_cast<size_t>(at - begin));
    out->push_back({bytes, ChunkHash(bytes, seed)});
    begin = at;
    count = 0;
  }
}

}  // namespace freshdex::index
