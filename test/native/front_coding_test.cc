// What tables of keys and words are packed by: front coding, packed numbers and rows, against plain vectors.
#include "native/index/front_coding.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "native/index/entry_rows.h"
#include "native/index/packed_numbers.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::Random;

std::vector<std::string> Decoded(std::string_view bytes, bool* ok) {
  std::vector<std::string> strings;
  FrontDecoder decoder(bytes);
  while (decoder.Next()) strings.emplace_back(decoder.string());
  *ok = decoder.ok();
  return strings;
}

// Strings that share long and short beginnings, of all lengths, with bytes above 127 too.
std::vector<std::string> RandomStrings(Random* random) {
  std::set<std::string> strings;
  std::vector<std::string> beginnings{""};
  for (size_t count = random->Below(60); count > 0; --count) {
    std::string string = beginnings[random->Below(beginnings.size())];
    for (size_t length = random->Below(random->Below(8) == 0 ? 300 : 12); length > 0; --length)
      string.push_back(static_cast<char>(random->Below(4) == 0 ? random->Below(256) : 'a' + random->Below(3)));
    beginnings.push_back(string);
    strings.insert(string);
  }
  std::vector<std::string> sorted(strings.begin(), strings.end());
  std::ranges::sort(sorted, [](std::string_view a, std::string_view b) { return a < b; });
  if (!sorted.empty() && sorted.front().empty()) sorted.erase(sorted.begin());
  return sorted;
}

TEST(FrontCoding, GivesBackWhatItWasGiven) {
  Random random(2201);
  for (size_t round = 0; round < test::Rounds(400); ++round) {
    const std::vector<std::string> strings = RandomStrings(&random);
    const size_t group = random.Between(1, 20);
    FrontEncoder encoder;
    std::vector<size_t> begins;
    for (size_t i = 0; i < strings.size(); ++i) {
      if (i % group == 0) {
        encoder.StartGroup();
        begins.push_back(encoder.bytes().size());
      }
      encoder.Add(strings[i]);
    }
    bool ok = false;
    EXPECT(Decoded(encoder.bytes(), &ok) == strings);
    EXPECT(ok);
    // Each group by itself.
    for (size_t g = 0; g < begins.size(); ++g) {
      const size_t end = g + 1 < begins.size() ? begins[g + 1] : encoder.bytes().size();
      const auto of_group = Decoded(std::string_view(encoder.bytes()).substr(begins[g], end - begins[g]), &ok);
      EXPECT(ok);
      EXPECT(std::ranges::equal(of_group,
                                std::span(strings).subspan(g * group, std::min(group, strings.size() - g * group))));
    }
  }
}

// Damaged bytes are refused, or are strings in ascending order.
TEST(FrontCoding, NeverGivesStringsOutOfOrder) {
  Random random(2202);
  size_t refused = 0;
  for (size_t round = 0; round < test::Rounds(3000); ++round) {
    FrontEncoder encoder;
    for (const std::string& string : RandomStrings(&random)) encoder.Add(string);
    std::string bytes = encoder.bytes();
    if (bytes.empty()) continue;
    for (size_t flips = random.Between(1, 3); flips > 0; --flips) {
      const size_t at = random.Below(bytes.size());
      bytes[at] = static_cast<char>(bytes[at] ^ random.Between(1, 255));
    }
    if (random.Below(3) == 0) bytes.resize(random.Below(bytes.size() + 1));
    bool ok = false;
    const std::vector<std::string> strings = Decoded(bytes, &ok);
    for (size_t i = 1; i < strings.size(); ++i) EXPECT(std::string_view(strings[i - 1]) < strings[i]);
    refused += !ok;
  }
  EXPECT(refused > 100);
}

TEST(PackedNumbers, GiveBackWhatTheyWereGiven) {
  Random random(2203);
  for (size_t round = 0; round < test::Rounds(300); ++round) {
    const size_t limit = round == 0 ? 0 : random.Between(1, size_t{1} << random.Between(0, 31));
    std::vector<uint32_t> numbers;
    for (size_t count = limit == 0 ? 0 : random.Below(100); count > 0; --count)
      numbers.push_back(static_cast<uint32_t>(random.Below(limit)));
    const std::string bytes = PackNumbers(numbers, limit);
    EXPECT_EQ(bytes.size(), PackedNumberBytes(numbers.size(), limit));
    EXPECT(UnpackNumbers(bytes, numbers.size(), limit) == numbers);
  }
}

TEST(EntryRows, GiveBackWhatTheyWereGiven) {
  using Rows = EntryRows<5>;
  Random random(2204);
  for (size_t round = 0; round < test::Rounds(300); ++round) {
    std::array<size_t, 5> bits;
    for (size_t& of_column : bits) of_column = random.Below(33);
    std::vector<Rows::Row> rows(random.Below(40));
    for (Rows::Row& row : rows) {
      for (size_t c = 0; c < row.size(); ++c) row[c] = static_cast<uint32_t>(random.Below(uint64_t{1} << bits[c]));
    }
    const std::string bytes = Rows::Pack(rows);
    const auto read = Rows::Of(bytes, rows.size());
    EXPECT(read.has_value());
    if (!read) continue;
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t c = 0; c < 5; ++c) EXPECT_EQ(read->Get(i, c), rows[i][c]);
    }
    EXPECT(!Rows::Of(std::string_view(bytes).substr(0, bytes.size() - 1), rows.size()).has_value());
    EXPECT(!Rows::Of(bytes + '\0', rows.size()).has_value());
  }
}

// A width of more than 32 bits, and more rows than there are bytes.
TEST(EntryRows, RefuseWhatMakesNoSense) {
  using Rows = EntryRows<2>;
  const std::vector<Rows::Row> rows{{1, 2}, {3, 4}};
  std::string bytes = Rows::Pack(rows);
  EXPECT(Rows::Of(bytes, 2).has_value());
  EXPECT(!Rows::Of(bytes, SIZE_MAX / 2).has_value());
  bytes[0] = 33;
  EXPECT(!Rows::Of(bytes, 2).has_value());
  EXPECT(!Rows::Of("\1", 0).has_value());
}

}  // namespace
}  // namespace freshdex::index
