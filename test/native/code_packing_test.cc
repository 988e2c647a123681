#include "native/index/code_packing.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native/index/term_codes.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::ExactBlock;
using test::Random;

// Bytes as UnpackCodes() may read them: exactly kPackedSlack follow in the heap block.
class WithSlack {
 public:
  explicit WithSlack(std::string_view bytes) : block_(std::string(bytes) + std::string(kPackedSlack, '\x55')) {}
  std::string_view view() const { return block_.view().substr(0, block_.view().size() - kPackedSlack); }

 private:
  ExactBlock block_;
};

// In a block of exactly the size that it may write to; false where it does not unpack.
bool Unpacks(std::string_view packed, std::string_view dictionary, size_t bytes, std::string* codes) {
  const WithSlack from(packed), behind(dictionary);
  const auto room = std::make_unique<char[]>(bytes + kPackedSlack);
  if (!UnpackCodes(from.view(), behind.view(), bytes, room.get())) return false;
  codes->assign(room.get(), bytes);
  return true;
}

// The same byte by byte, from the table of bytes alone.
bool UnpacksNaively(std::string_view packed, std::string_view dictionary, size_t bytes, std::string* codes) {
  std::string all(dictionary);
  const size_t end = all.size() + bytes;
  size_t at = 0;
  const auto number = [&](size_t half) {
    if (half < 15) return half;
    for (uint8_t byte = 255; byte == 255;) {
      if (at == packed.size()) return SIZE_MAX / 2;
      byte = static_cast<uint8_t>(packed[at++]);
      half += byte;
    }
    return half;
  };
  while (all.size() < end) {
    if (at == packed.size()) return false;
    const uint8_t step = static_cast<uint8_t>(packed[at++]);
    const size_t plain = number(step >> 4);
    if (plain > packed.size() - at || plain > end - all.size()) return false;
    all.append(packed.substr(at, plain));
    at += plain;
    if (all.size() == end) break;
    if (packed.size() - at < 2) return false;
    const size_t back = static_cast<uint8_t>(packed[at]) + 256u * static_cast<uint8_t>(packed[at + 1]);
    at += 2;
    const size_t match = number(step & 15) + 4;
    if (back == 0 || back > all.size() || match > end - all.size()) return false;
    for (size_t i = 0; i < match; ++i) all.push_back(all[all.size() - back]);
  }
  codes->assign(all, dictionary.size());
  return at == packed.size();
}

// Codes with repetitions near and far, long and short.
std::string RandomCodes(Random* random) {
  std::string codes;
  const size_t terms = random->Between(1, random->Chance(0.3) ? 3 : 2000);
  for (size_t i = random->Below(random->Chance(0.1) ? 40'000 : 400); i > 0; --i) {
    if (!codes.empty() && random->Chance(0.05)) {
      const size_t at = random->Below(codes.size());
      codes.append(codes.substr(at, random->Below(random->Chance(0.1) ? 2000 : 40)));
    } else {
      AppendTerm(&codes, static_cast<TermId>(random->Below(terms)));
    }
  }
  return codes;
}

TEST(CodePacking, UnpacksWhatWasPacked) {
  for (size_t round = 0; round < test::Rounds(40); ++round) {
    Random random(round + 1);
    std::vector<std::string> many;
    for (int i = 0; i < 12; ++i) many.push_back(RandomCodes(&random));
    const std::vector<std::string_view> views(many.begin(), many.end());
    const std::string dictionary = ChooseDictionary(views, random.Below(kMostDictionaryBytes + 1));
    EXPECT(dictionary.size() <= kMostDictionaryBytes);
    CodePacker packer(dictionary);
    for (const std::string& codes : many) {
      std::string packed, unpacked, naively;
      packer.Pack(codes, &packed);
      // One byte more for each 255 that are as they are, and the first of the step.
      EXPECT(packed.size() <= codes.size() + codes.size() / 255 + 2);
      EXPECT(Unpacks(packed, dictionary, codes.size(), &unpacked));
      EXPECT(unpacked == codes);
      EXPECT(UnpacksNaively(packed, dictionary, codes.size(), &naively) && naively == codes);
      EXPECT(!Unpacks(packed, dictionary, codes.size() + 1, &unpacked));
    }
  }
}

TEST(CodePacking, MakesRepetitionsShort) {
  std::string codes, packed;
  for (int i = 0; i < 1000; ++i) {
    for (TermId term = 0; term < 10; ++term) AppendTerm(&codes, 1000 * term);
  }
  CodePacker("").Pack(codes, &packed);
  EXPECT(packed.size() < 150);
  std::string next, packed_next;
  AppendTerm(&next, 7);
  next.append(codes.substr(0, 19));
  CodePacker(codes.substr(0, 1000)).Pack(next, &packed_next);
  EXPECT_EQ(packed_next.size(), 1 + 1 + 2 + 1);
}

TEST(CodePacking, DamagedBytesAreRefusedOrAsTheTableSays) {
  for (size_t round = 0; round < test::Rounds(300); ++round) {
    Random random(round + 1);
    const std::string codes = RandomCodes(&random);
    const std::string dictionary = RandomCodes(&random).substr(0, 300);
    std::string packed;
    CodePacker(dictionary).Pack(codes, &packed);
    for (int i = 0; i < 20 && !packed.empty(); ++i) {
      std::string damaged = packed;
      for (size_t changes = random.Between(1, 3); changes > 0; --changes)
        damaged[random.Below(damaged.size())] = static_cast<char>(random.Below(256));
      if (random.Chance(0.3)) damaged.resize(random.Below(damaged.size() + 1));
      const size_t bytes = random.Chance(0.8) ? codes.size() : random.Below(2 * codes.size() + 2);
      std::string unpacked, naively;
      const bool unpacks = Unpacks(damaged, dictionary, bytes, &unpacked);
      EXPECT_EQ(unpacks, UnpacksNaively(damaged, dictionary, bytes, &naively));
      EXPECT(!unpacks || unpacked == naively);
    }
  }
}

TEST(CodePacking, DictionaryHasWhatManyHave) {
  Random random(1);
  std::vector<std::string> many;
  std::string common;
  for (TermId term = 5000; term < 5060; ++term) AppendTerm(&common, term);
  for (int i = 0; i < 200; ++i) many.push_back(RandomCodes(&random).substr(0, 500) + common);
  const std::string dictionary = ChooseDictionary({many.begin(), many.end()}, 4096);
  EXPECT(dictionary.size() <= 4096 && dictionary.find(common.substr(40, 20)) != std::string::npos);
  EXPECT(ChooseDictionary({}, 4096).empty());
  EXPECT(ChooseDictionary({common}, 0).empty());
}

}  // namespace
}  // namespace freshdex::index
