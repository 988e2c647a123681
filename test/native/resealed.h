// Damage that checksums do not show: the bytes of a segment (native/index/segment_file.h) with block table and footer made to fit again.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/index/segment_file.h"

namespace freshdex::test {

inline constexpr size_t kSegmentHeaderBytes = 40;
inline constexpr size_t kSegmentFooterBytes = 32;

// REQUIRES: the bytes of a segment, damaged at most between header and footer.
inline std::string Resealed(std::string bytes, uint64_t number) {
  const size_t footer = bytes.size() - kSegmentFooterBytes;
  const size_t data_bytes = LoadUnaligned<uint64_t>(bytes.data() + footer);
  const uint32_t sections = LoadUnaligned<uint32_t>(bytes.data() + footer + 8);
  const std::string_view data = std::string_view(bytes).substr(0, data_bytes);
  std::string hashes;
  for (size_t at = 0; at < data_bytes; at += index::kSegmentBlockBytes) {
    AppendValue(&hashes, static_cast<uint32_t>(Xxh64(data.substr(at, index::kSegmentBlockBytes), number)));
  }
  bytes.replace(data_bytes + 24 * sections, hashes.size(), hashes);
  const uint64_t tail = Xxh64(std::string_view(bytes).substr(data_bytes, footer + 16 - data_bytes), number);
  std::memcpy(bytes.data() + footer + 16, &tail, sizeof(tail));
  return bytes;
}

}  // namespace freshdex::test
