// Little-endian reading and writing of byte spans. A reader never trusts a length: every read is checked against the
// end, and after the first failed read all later ones fail too, so callers may test ok() once at the end of a
// structure.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace freshdex {

static_assert(std::endian::native == std::endian::little, "byte layouts are read and written without swapping");

template <typename T>
T LoadUnaligned(const void* from) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  size_t remaining() const { return static_cast<size_t>(end_ - at_); }

  // Returns T{} and turns the reader bad when fewer than sizeof(T) bytes are left.
  template <typename T>
  T Read() {
    if (remaining() < sizeof(T)) {
      Fail();
      return T{};
    }
    T value = LoadUnaligned<T>(at_);
    at_ += sizeof(T);
    return value;
  }

  // A number as AppendVarint() writes it, of at most 32 bits; 0, and the reader turns bad, when there is none.
  uint32_t ReadVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 35 && at_ < end_; shift += 7) {
      const uint8_t byte = static_cast<uint8_t>(*at_++);
      value |= uint64_t{byte & 127u} << shift;
      if (byte < 128 && value <= UINT32_MAX) return static_cast<uint32_t>(value);
    }
    Fail();
    return 0;
  }

  // A view into the bytes given to the constructor: it lives as long as they do.
  std::string_view ReadBytes(size_t length) {
    if (remaining() < length) {
      Fail();
      return {};
    }
    std::string_view view(at_, length);
    at_ += length;
    return view;
  }

 private:
  void Fail() {
    ok_ = false;
    at_ = end_;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

template <typename T>
void AppendValue(std::string* out, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// Seven bits a byte, the lowest first; all bytes but the last have the highest bit set.
inline void AppendVarint(std::string* out, uint32_t value) {
  for (; value >= 128; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

}  // namespace freshdex
