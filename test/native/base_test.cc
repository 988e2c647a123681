#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bitpack.h"
#include "native/base/bytes.h"
#include "native/base/status.h"
#include "native/base/xxh64.h"
#include "native/index/length_norm.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex {
namespace {

using index::DecodeLength;
using index::EncodeLength;
using test::ExactBlock;
using test::Random;

constexpr uint64_t kVectorSeed = 2654435761u;

// The buffer over which the reference implementation publishes its vectors.
std::string ReferenceBuffer(size_t size) {
  std::string buffer;
  uint64_t state = 2654435761u;
  for (size_t i = 0; i < size; ++i) {
    buffer += static_cast<char>(state >> 56);
    state *= 11400714785074694797u;
  }
  return buffer;
}

TEST(Xxh64, GivesThePublishedValues) {
  EXPECT_EQ(Xxh64("", 0), 0xEF46DB3751D8E999u);
  EXPECT_EQ(Xxh64("", kVectorSeed), 0xAC75FDA2929B17EFu);
  EXPECT_EQ(Xxh64("a", 0), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(Xxh64("abc", 0), 0x44BC2CF5AD770999u);
  EXPECT_EQ(Xxh64(ReferenceBuffer(1), 0), 0xE934A84ADB052768u);
  EXPECT_EQ(Xxh64(ReferenceBuffer(1), kVectorSeed), 0x5014607643A9B4C3u);
  EXPECT_EQ(Xxh64(ReferenceBuffer(14), 0), 0x8282DCC4994E35C8u);
  EXPECT_EQ(Xxh64(ReferenceBuffer(14), kVectorSeed), 0xC3BD6BF63DEB6DF0u);
  EXPECT_EQ(Xxh64(ReferenceBuffer(222), 0), 0xB641AE8CB691C174u);
  EXPECT_EQ(Xxh64(ReferenceBuffer(222), kVectorSeed), 0x20CB8AB7AE10C14Au);
}

// Each hash seeds the next, so the last one depends on all lengths. The expected value is that of xxhash-wasm.
TEST(Xxh64, AgreesForAllLengthsUpTo100) {
  std::string bytes;
  for (size_t i = 0; i < 100; ++i) bytes += static_cast<char>(i * 167 + 13);
  uint64_t hash = 0;
  for (size_t length = 0; length <= bytes.size(); ++length) {
    const ExactBlock block(std::string_view(bytes).substr(0, length));
    hash = Xxh64(block.view(), hash);
  }
  EXPECT_EQ(hash, 0x5CFAB7683EFAE2F9u);
}

TEST(Bitpack, WidthIsTheSmallestThatHolds) {
  EXPECT_EQ(BitWidth(0), 0);
  for (int bits = 1; bits <= 32; ++bits) {
    const uint64_t smallest = uint64_t{1} << (bits - 1);
    EXPECT_EQ(BitWidth(static_cast<uint32_t>(smallest)), bits);
    EXPECT_EQ(BitWidth(static_cast<uint32_t>(2 * smallest - 1)), bits);
  }
}

TEST(Bitpack, RoundTripsEveryWidthAndCount) {
  Random random;
  for (int bits = 0; bits <= 32; ++bits) {
    const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << bits) - 1);
    for (const size_t count : {0, 1, 2, 3, 7, 8, 9, 31, 127, 128, 129}) {
      std::vector<uint32_t> values(count);
      for (uint32_t& value : values) value = random.Chance(0.2) ? mask : static_cast<uint32_t>(random.Next()) & mask;
      std::string packed = "x";
      Pack(values.data(), count, bits, &packed);
      EXPECT_EQ(packed.size(), 1 + PackedBytes(count, bits));
      const ExactBlock block(packed.substr(1) + std::string(kPackSlack, '\xA5'));
      const uint8_t* from = reinterpret_cast<const uint8_t*>(block.view().data());
      const uint32_t next = static_cast<uint32_t>(random.Next());
      std::vector<uint32_t> plus_one(count), sums(count);
      uint32_t sum = next;
      for (size_t i = 0; i < count; ++i) {
        plus_one[i] = values[i] + 1;
        sums[i] = sum += values[i] + (i > 0);
      }
      for (int level = 0; level <= static_cast<int>(SupportedSimd()); ++level) {
        const Simd simd = static_cast<Simd>(level);
        std::vector<uint32_t> back((count + kUnpackGroup - 1) / kUnpackGroup * kUnpackGroup, 77);
        UnpackPlusOne(from, count, bits, back.data(), simd);
        EXPECT_EQ(std::vector(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(count)), plus_one);
        UnpackSums(from, count, bits, next, back.data(), simd);
        EXPECT_EQ(std::vector(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(count)), sums);
      }
    }
  }
}

TEST(Bitpack, PutsTheLeastSignificantBitsFirst) {
  const uint32_t values[] = {1, 2, 3, 4};
  std::string packed;
  Pack(values, 4, 3, &packed);
  EXPECT_EQ(packed, std::string_view("\xD1\x08", 2));
}

TEST(ByteReader, ReadsWhatWasWritten) {
  std::string bytes;
  AppendValue(&bytes, uint8_t{7});
  AppendValue(&bytes, uint16_t{0x1234});
  AppendValue(&bytes, 2.5);
  bytes += "tail";
  const ExactBlock block(bytes);
  ByteReader reader(block.view());
  EXPECT_EQ(reader.Read<uint8_t>(), 7);
  EXPECT_EQ(reader.Read<uint16_t>(), 0x1234);
  EXPECT_EQ(reader.Read<double>(), 2.5);
  EXPECT_EQ(reader.remaining(), 4);
  EXPECT_EQ(reader.ReadBytes(0), "");
  EXPECT_EQ(reader.ReadBytes(4), "tail");
  EXPECT(reader.ok());
  EXPECT_EQ(reader.ReadBytes(0), "");
  EXPECT(reader.ok());
}

TEST(ByteReader, StaysBadAfterTheFirstReadPastTheEnd) {
  const ExactBlock block("abc");
  ByteReader reader(block.view());
  EXPECT_EQ(reader.Read<uint32_t>(), 0);
  EXPECT(!reader.ok());
  EXPECT_EQ(reader.remaining(), 0);
  EXPECT_EQ(reader.Read<uint8_t>(), 0);
  EXPECT_EQ(reader.ReadBytes(1), "");
  EXPECT(!reader.ok());
}

TEST(ByteReader, RefusesLengthsFarBeyondTheEnd) {
  const ExactBlock block("abcdef");
  for (const size_t length : {size_t{7}, size_t{1} << 32, SIZE_MAX - 1, SIZE_MAX}) {
    ByteReader reader(block.view());
    EXPECT_EQ(reader.ReadBytes(length), "");
    EXPECT(!reader.ok());
  }
  ByteReader empty{std::string_view()};
  EXPECT(empty.ok());
  EXPECT_EQ(empty.Read<uint8_t>(), 0);
  EXPECT(!empty.ok());
}

TEST(Status, NamesItsCodes) {
  EXPECT_EQ(std::string(CodeName(Status().code())), "OK");
  EXPECT_EQ(std::string(CodeName(Code::kDuplicateKey)), "DUPLICATE_KEY");
  EXPECT_EQ(std::string(CodeName(Code::kMalformed)), "INTERNAL");
  const Result<int> good(7);
  EXPECT(good.ok() && good.value() == 7);
  const Result<int> bad(Status(Code::kInvalidKey, "why"));
  EXPECT(!bad.ok());
  EXPECT_EQ(bad.status().message(), "why");
}

TEST(LengthNorm, IsExactBelow40) {
  for (uint32_t length = 0; length <= 40; ++length) EXPECT_EQ(DecodeLength(EncodeLength(length)), length);
  EXPECT_EQ(DecodeLength(EncodeLength(41)), 40);
}

TEST(LengthNorm, RoundTripsAll256Codes) {
  for (uint32_t code = 0; code < 256; ++code) {
    EXPECT_EQ(EncodeLength(DecodeLength(static_cast<uint8_t>(code))), code);
    if (code > 0) EXPECT(DecodeLength(static_cast<uint8_t>(code)) > DecodeLength(static_cast<uint8_t>(code - 1)));
  }
}

TEST(LengthNorm, RoundsDownToFourSignificantBits) {
  Random random;
  const auto check = [](uint32_t length) {
    const uint32_t decoded = DecodeLength(EncodeLength(length));
    EXPECT(decoded <= length);
    EXPECT(length - decoded <= (length - 24) / 8);
    EXPECT(EncodeLength(length) <= EncodeLength(length + 1));
  };
  for (uint32_t length = 24; length < 100000; ++length) check(length);
  for (size_t i = 0; i < test::Rounds(20000); ++i) {
    check(24 + static_cast<uint32_t>(random.Next() >> random.Between(33, 60)));
  }
  EXPECT_EQ(EncodeLength(0x7FFFFFFF), 255);
  EXPECT_EQ(EncodeLength(0xFFFFFFFF), 255);
}

}  // namespace
}  // namespace freshdex
