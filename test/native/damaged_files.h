// Segments (native/index/segment_file.h) with damage: such as checksums show, and such as they do not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/index/segment_file.h"
#include "test/native/effort.h"
#include "test/native/random.h"
#include "test/native/store_run.h"

namespace freshdex::test {

inline constexpr size_t kSegmentHeaderBytes = 40;
inline constexpr size_t kSegmentFooterBytes = 32;

// Calls visit(path, damaged bytes, number of the segment) for flips and cuts of every segment: at each byte in a long
// run, else at about `samples` of them.
template <typename Visit>
void DamageFiles(const StoreRun& run, size_t samples, Visit visit) {
  Random random(520);
  for (const index::SegmentRef& ref : run.durable().manifest) {
    const std::string path = SegmentPath(ref.number);
    const std::string whole = *run.files()->files().at(path);
    const size_t step = IsLong() ? 1 : std::max<size_t>(1, whole.size() / samples);
    for (size_t at = random.Below(step); at < whole.size(); at += random.Between(1, 2 * step - 1)) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ random.Between(1, 255));
      visit(path, flipped, ref.number);
      visit(path, whole.substr(0, at), ref.number);
    }
  }
}

inline bool CanReseal(std::string_view damaged, std::string_view whole) {
  return damaged.size() == whole.size() && damaged.starts_with(whole.substr(0, kSegmentHeaderBytes)) &&
         damaged.ends_with(whole.substr(whole.size() - kSegmentFooterBytes));
}

// The segment with block table and footer made to fit its bytes.
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
