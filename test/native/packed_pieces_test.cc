#include "native/index/packed_pieces.h"

#include <string>
#include <string_view>

#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::Random;

std::string RandomBytes(Random* random, size_t most) {
  std::string bytes;
  const size_t count = random->Below(most + 1);
  while (bytes.size() < count) {
    if (bytes.size() > 10 && random->Chance(0.2)) {
      bytes.append(bytes.substr(random->Below(bytes.size()), random->Below(50)));
    } else {
      bytes.push_back(static_cast<char>(random->Below(256)));
    }
  }
  return bytes;
}

TEST(PackedPieces, GiveBackWhatWasPacked) {
  for (size_t round = 0; round < test::Rounds(20); ++round) {
    Random random(round + 1);
    const std::string bytes = RandomBytes(&random, round == 0 ? 400'000 : 5000);
    const test::ExactBlock pieces(PackPieces(bytes) + std::string(kPackedSlack, '\x55'));
    std::string unpacked;
    EXPECT(UnpackPieces(pieces.view().substr(0, pieces.view().size() - kPackedSlack), &unpacked));
    EXPECT(unpacked == bytes);
  }
}

TEST(PackedPieces, AreReadOneByOne) {
  Random random(7);
  PiecePacker packer;
  std::string pieces;
  const std::string first = RandomBytes(&random, 3000), second = first + "x";
  packer.Append(first, &pieces);
  const size_t begin = pieces.size();
  packer.Append(second, &pieces);
  pieces.append(kPackedSlack, '\0');
  std::string_view left(pieces.data() + begin, pieces.size() - kPackedSlack - begin);
  std::string unpacked = "before ";
  EXPECT(UnpackPiece(&left, &unpacked));
  EXPECT(unpacked == "before " + second && left.empty());
}

TEST(PackedPieces, RefuseWhatMakesNoSense) {
  for (size_t round = 0; round < test::Rounds(200); ++round) {
    Random random(round + 1);
    const std::string bytes = RandomBytes(&random, 400);
    std::string pieces = PackPieces(bytes);
    if (pieces.empty()) continue;
    const size_t size = random.Chance(0.5) ? random.Below(pieces.size()) : pieces.size();
    if (size == pieces.size()) pieces[random.Below(8)] ^= static_cast<char>(random.Between(1, 255));
    const test::ExactBlock block(pieces.substr(0, size) + std::string(kPackedSlack, '\x55'));
    std::string unpacked;
    const bool is_empty = size == 0;
    EXPECT_EQ(UnpackPieces(block.view().substr(0, size), &unpacked), is_empty);
    EXPECT(unpacked.empty());
  }
}

}  // namespace
}  // namespace freshdex::index
