#include "native/index/front_coding.h"

#include <algorithm>
#include <cassert>

namespace freshdex::index {

void FrontEncoder::Add(std::string_view string) {
  assert(bytes_.empty() || last_.empty() || last_ < string);
  const size_t most = std::min(last_.size(), string.size());
  const size_t shared = static_cast<size_t>(
      std::mismatch(string.begin(), string.begin() + static_cast<std::ptrdiff_t>(most), last_.begin()).first -
      string.begin());
  const size_t rest = string.size() - shared;
  constexpr size_t kLong = FrontDecoder::kLongHalf;
  bytes_.push_back(static_cast<char>(std::min(shared, kLong) << 4 | std::min(rest, kLong)));
  if (shared >= kLong) AppendVarint(&bytes_, static_cast<uint32_t>(shared - kLong));
  if (rest >= kLong) AppendVarint(&bytes_, static_cast<uint32_t>(rest - kLong));
  bytes_.append(string.substr(shared));
  last_.resize(shared);
  last_.append(string.substr(shared));
}

bool FrontDecoder::Next() {
  if (reader_.remaining() == 0) return false;
  const uint32_t head = reader_.Read<uint8_t>();
  const size_t shared = ReadLength(head >> 4);
  const std::string_view rest = reader_.ReadBytes(ReadLength(head & 15));
  if (!reader_.ok()) return false;
  // What follows is behind what the string before has there, or the string before ends there.
  const bool is_behind = shared == string_.size()
                             ? !rest.empty()
                             : shared < string_.size() && !rest.empty() &&
                                   static_cast<uint8_t>(rest[0]) > static_cast<uint8_t>(string_[shared]);
  if (!is_first_ && !is_behind) {
    // The first of a group: nothing is shared, though something may be the same.
    const bool starts_group = shared == 0 && std::string_view(string_) < rest;
    is_ascending_ = starts_group;
    if (!starts_group) return false;
  }
  if (is_first_ && shared != 0) {
    is_ascending_ = false;
    return false;
  }
  is_first_ = false;
  string_.resize(shared);
  string_.append(rest);
  return true;
}

}  // namespace freshdex::index
