#include "native/index/forward_record.h"

#include <algorithm>

namespace freshdex::index {

void AppendTermUnits(std::vector<uint16_t>* units, TermId term) {
  if (term < kFirstHoleUnit) {
    units->push_back(static_cast<uint16_t>(term));
    return;
  }
  units->push_back(kEscapeUnit);
  units->push_back(static_cast<uint16_t>(term & 0xFFFF));
  units->push_back(static_cast<uint16_t>(term >> 16));
}

void AppendHoleUnits(std::vector<uint16_t>* units, uint64_t holes) {
  while (holes > 0) {
    const uint32_t run = static_cast<uint32_t>(std::min<uint64_t>(holes, kMaxHoleRun));
    units->push_back(static_cast<uint16_t>(kFirstHoleUnit + run - 1));
    holes -= run;
  }
}

FieldExtent ForwardView::totals() const {
  FieldExtent sum;
  for (size_t field = 0; field < fields(); ++field) {
    const FieldExtent part = extent(field);
    sum.tokens += part.tokens;
    sum.chunks += part.chunks;
    sum.units += part.units;
  }
  return sum;
}

bool ForwardView::HasSoundLengths() const {
  if (bytes_.size() < kHeaderBytes || fields() == 0 || fields() > kMaxFields) return false;
  if (bytes_.size() < kHeaderBytes + fields() * sizeof(FieldExtent)) return false;
  uint64_t chunks = 0, units = 0;
  for (size_t field = 0; field < fields(); ++field) {
    chunks += extent(field).chunks;
    units += extent(field).units;
  }
  return bytes_.size() == kHeaderBytes + fields() * sizeof(FieldExtent) + 12 * chunks + 2 * units;
}

bool ForwardView::IsWellFormed() const {
  if (!HasSoundLengths()) return false;
  const char* chunk_units_at = chunk_units();
  const char* at = units();
  size_t chunk = 0;
  for (size_t field = 0; field < fields(); ++field) {
    uint64_t field_units = 0, field_tokens = 0;
    for (uint32_t i = 0; i < extent(field).chunks; ++i, ++chunk) {
      const uint64_t count = LoadUnaligned<uint32_t>(chunk_units_at + 4 * chunk);
      field_units += count;
      if (field_units > extent(field).units) return false;
      for (uint64_t u = 0; u < count; ++u, at += 2) {
        const uint16_t unit = LoadUnaligned<uint16_t>(at);
        if (unit >= kFirstHoleUnit && unit != kEscapeUnit) continue;
        ++field_tokens;
        if (unit != kEscapeUnit) continue;
        if (count - u < 3) return false;  // the escaped number would run over the chunk's end
        u += 2;
        at += 4;
      }
    }
    if (field_units != extent(field).units || field_tokens != extent(field).tokens) return false;
  }
  return true;
}

void ForwardBuilder::Start(size_t fields) {
  extents_.assign(fields, {});
  hashes_.clear();
  chunk_units_.clear();
  units_.clear();
}

void ForwardBuilder::AddChunk(size_t field, uint64_t hash, const char* units, size_t unit_count) {
  extents_[field].chunks += 1;
  extents_[field].units += static_cast<uint32_t>(unit_count);
  hashes_.push_back(hash);
  chunk_units_.push_back(static_cast<uint32_t>(unit_count));
  units_.append(units, 2 * unit_count);
}

std::string ForwardBuilder::Finish(uint64_t text_hash, uint32_t distinct_terms) const {
  std::string out;
  out.reserve(ForwardView::kHeaderBytes + extents_.size() * sizeof(FieldExtent) + hashes_.size() * 12 + units_.size());
  AppendValue(&out, text_hash);
  AppendValue(&out, distinct_terms);
  AppendValue(&out, static_cast<uint32_t>(extents_.size()));
  out.append(reinterpret_cast<const char*>(extents_.data()), extents_.size() * sizeof(FieldExtent));
  out.append(reinterpret_cast<const char*>(hashes_.data()), hashes_.size() * 8);
  out.append(reinterpret_cast<const char*>(chunk_units_.data()), chunk_units_.size() * 4);
  out.append(units_);
  return out;
}

}  // namespace freshdex::index
