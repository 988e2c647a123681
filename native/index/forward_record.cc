#include "native/index/forward_record.h"

#include <algorithm>

namespace freshdex::index {

FieldExtent ForwardView::totals() const {
  FieldExtent sum;
  for (size_t field = 0; field < fields(); ++field) {
    const FieldExtent part = extent(field);
    sum.tokens += part.tokens;
    sum.chunks += part.chunks;
    sum.code_bytes += part.code_bytes;
  }
  return sum;
}

std::string_view ForwardView::codes(size_t field) const {
  size_t begin = 0;
  for (size_t before = 0; before < field; ++before) begin += extent(before).code_bytes;
  return codes().substr(begin, extent(field).code_bytes);
}

bool ForwardView::HasSoundLengths() const {
  if (bytes_.size() < kHeaderBytes || fields() == 0 || fields() > kMaxFields) return false;
  if (bytes_.size() < kHeaderBytes + fields() * sizeof(FieldExtent)) return false;
  uint64_t chunks = 0, code_bytes = 0;
  for (size_t field = 0; field < fields(); ++field) {
    chunks += extent(field).chunks;
    code_bytes += extent(field).code_bytes;
  }
  return bytes_.size() == kHeaderBytes + fields() * sizeof(FieldExtent) + 12 * chunks + code_bytes;
}

bool ForwardView::HasSoundChunks() const {
  if (!HasSoundLengths()) return false;
  const char* sizes = chunk_sizes();
  for (size_t field = 0; field < fields(); ++field) {
    const std::string_view of_field = codes(field);
    uint64_t end = 0;
    for (uint32_t i = 0; i < extent(field).chunks; ++i, sizes += 4) {
      const uint32_t size = LoadUnaligned<uint32_t>(sizes);
      end += size;
      if (end > of_field.size() || (size > 0 && !EndsCode(of_field[end - 1]))) return false;
    }
    if (end != of_field.size() || !AreWholeCodes(of_field)) return false;
  }
  return true;
}

void ForwardBuilder::Start(size_t fields) {
  extents_.assign(fields, {});
  hashes_.clear();
  chunk_sizes_.clear();
  codes_.clear();
}

void ForwardBuilder::AddChunk(size_t field, uint64_t hash, std::string_view codes) {
  extents_[field].chunks += 1;
  extents_[field].code_bytes += static_cast<uint32_t>(codes.size());
  hashes_.push_back(hash);
  chunk_sizes_.push_back(static_cast<uint32_t>(codes.size()));
  codes_.append(codes);
}

std::string ForwardBuilder::Finish(uint64_t text_hash, uint32_t distinct_terms) const {
  std::string out;
  out.reserve(ForwardView::kHeaderBytes + extents_.size() * sizeof(FieldExtent) + hashes_.size() * 12 + codes_.size());
  AppendValue(&out, text_hash);
  AppendValue(&out, distinct_terms);
  AppendValue(&out, static_cast<uint32_t>(extents_.size()));
  out.append(reinterpret_cast<const char*>(extents_.data()), extents_.size() * sizeof(FieldExtent));
  out.append(reinterpret_cast<const char*>(hashes_.data()), hashes_.size() * 8);
  out.append(reinterpret_cast<const char*>(chunk_sizes_.data()), chunk_sizes_.size() * 4);
  out.append(codes_);
  return out;
}

}  // namespace freshdex::index
