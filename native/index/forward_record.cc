#include "native/index/forward_record.h"

#include <algorithm>

namespace freshdex::index {

ForwardView::ForwardView(std::string_view bytes) : bytes_(bytes) {
  has_sound_lengths_ = ReadHead();
  if (has_sound_lengths_) return;
  fields_ = 0;
  totals_ = {};
}

bool ForwardView::ReadHead() {
  if (!ReadExtents()) return false;
  const uint64_t chunk_bytes = (kChunkHashBytes + 1) * uint64_t{totals_.chunks};
  return chunk_bytes + totals_.code_bytes <= bytes_.size() - head_bytes_;
}

// Sums of lengths from outside are kept in 64 bits until they are known to be small.
bool ForwardView::ReadExtents() {
  ByteReader reader(bytes_);
  reader.Read<uint64_t>();
  distinct_terms_ = reader.ReadVarint();
  fields_ = reader.ReadVarint();
  extents_begin_ = static_cast<uint32_t>(bytes_.size() - reader.remaining());
  if (!reader.ok() || fields_ == 0 || fields_ > kMaxFields || bytes_.size() > UINT32_MAX) return false;
  uint64_t chunks = 0, code_bytes = 0;
  for (uint32_t field = 0; field < fields_; ++field) {
    totals_.tokens += reader.ReadVarint();
    chunks += reader.ReadVarint();
    code_bytes += reader.ReadVarint();
  }
  if (!reader.ok() || (kChunkHashBytes + 1) * chunks > reader.remaining() || code_bytes > UINT32_MAX) return false;
  totals_.chunks = static_cast<uint32_t>(chunks);
  totals_.code_bytes = static_cast<uint32_t>(code_bytes);
  head_bytes_ = static_cast<uint32_t>(bytes_.size() - reader.remaining());
  return true;
}

std::optional<PackedHead> ForwardView::HeadOfPacked(std::string_view bytes) {
  ForwardView view{std::string_view()};
  view.bytes_ = bytes;
  if (!view.ReadExtents()) return std::nullopt;
  ByteReader sizes(bytes.substr(view.head_bytes_ + kChunkHashBytes * size_t{view.totals_.chunks}));
  for (uint32_t i = view.totals_.chunks; i > 0; --i) {
    if (sizes.Read<uint8_t>() == ChunkReader::kLongSize) sizes.Read<uint32_t>();
  }
  if (!sizes.ok()) return std::nullopt;
  return PackedHead{bytes.size() - sizes.remaining(), view.totals_.code_bytes};
}

FieldExtent ForwardView::extent(size_t field) const {
  // Written before the index had the field.
  if (field >= fields()) return {};
  ByteReader reader(bytes_.substr(extents_begin_));
  for (size_t before = 0; before < 3 * field; ++before) reader.ReadVarint();
  FieldExtent extent;
  extent.tokens = reader.ReadVarint();
  extent.chunks = reader.ReadVarint();
  extent.code_bytes = reader.ReadVarint();
  return extent;
}

std::string_view ForwardView::codes(size_t field) const {
  size_t begin = 0;
  for (size_t before = 0; before < field; ++before) begin += extent(before).code_bytes;
  return codes().substr(begin, extent(field).code_bytes);
}

bool ForwardView::HasSoundChunks() const {
  if (!HasSoundLengths()) return false;
  ByteReader sizes(
      bytes_.substr(head_bytes_ + kChunkHashBytes * size_t{totals_.chunks},
                    bytes_.size() - totals_.code_bytes - head_bytes_ - kChunkHashBytes * size_t{totals_.chunks}));
  for (size_t field = 0; field < fields(); ++field) {
    const std::string_view of_field = codes(field);
    uint64_t end = 0;
    for (uint32_t i = extent(field).chunks; i > 0; --i) {
      uint32_t size = sizes.Read<uint8_t>();
      if (size == ChunkReader::kLongSize) size = sizes.Read<uint32_t>();
      end += size;
      if (!sizes.ok() || end > of_field.size() || (size > 0 && !EndsCode(of_field[end - 1]))) return false;
    }
    if (end != of_field.size() || !AreWholeCodes(of_field)) return false;
  }
  return sizes.remaining() == 0;
}

void ForwardBuilder::Start(size_t fields) {
  extents_.assign(fields, {});
  hashes_.clear();
  sizes_.clear();
  codes_.clear();
}

void ForwardBuilder::AddChunk(size_t field, uint64_t hash, std::string_view codes) {
  extents_[field].chunks += 1;
  extents_[field].code_bytes += static_cast<uint32_t>(codes.size());
  AppendChunkHash(&hashes_, hash);
  if (codes.size() < ChunkReader::kLongSize) {
    sizes_.push_back(static_cast<char>(codes.size()));
  } else {
    sizes_.push_back(static_cast<char>(ChunkReader::kLongSize));
    AppendValue(&sizes_, static_cast<uint32_t>(codes.size()));
  }
  codes_.append(codes);
}

std::string ForwardBuilder::Finish(uint64_t text_hash, uint32_t distinct_terms) const {
  std::string head;
  AppendValue(&head, text_hash);
  AppendVarint(&head, distinct_terms);
  AppendVarint(&head, static_cast<uint32_t>(extents_.size()));
  for (const FieldExtent& extent : extents_) {
    AppendVarint(&head, extent.tokens);
    AppendVarint(&head, extent.chunks);
    AppendVarint(&head, extent.code_bytes);
  }
  std::string out;
  out.reserve(head.size() + hashes_.size() + sizes_.size() + codes_.size());
  return out.append(head).append(hashes_).append(sizes_).append(codes_);
}

}  // namespace freshdex::index
