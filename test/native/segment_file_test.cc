#include "native/index/segment_file.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/native/harness.h"
#include "test/native/memory_files.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::MemoryFiles;
using test::Random;

constexpr char kPath[] = "index/0000000000000007.seg";
const SegmentName kName{{11, 22}, SegmentKind::kRun, 7};

std::string RandomBytes(uint64_t stream, size_t length) {
  Random random(stream);
  std::string bytes;
  for (size_t i = 0; i < length; ++i) bytes += static_cast<char>(random.Next());
  return bytes;
}

// Writes sections numbered from 1 on.
std::shared_ptr<MemoryFiles> Written(const std::vector<std::string>& sections) {
  auto files = std::make_shared<MemoryFiles>();
  SegmentWriter writer(kName);
  for (size_t i = 0; i < sections.size(); ++i) writer.Add(static_cast<uint32_t>(i + 1), sections[i]);
  EXPECT(writer.WriteTo(files.get(), kPath).ok());
  return files;
}

Result<std::shared_ptr<const SegmentFile>> Open(MemoryFiles* files, const SegmentName& name = kName) {
  return SegmentFile::Open(files, kPath, name, std::make_shared<DamageLog>());
}

// kOk when nothing is noticed, neither by opening nor by verifying everything.
Code CodeOf(const std::string& bytes) {
  MemoryFiles files;
  files.Overwrite(kPath, bytes);
  const auto segment = Open(&files);
  return segment.ok() ? segment.value()->VerifyAll().code() : segment.status().code();
}

TEST(SegmentFile, IsNamedByItsNumber) {
  EXPECT_EQ(SegmentFileName(7), "0000000000000007.seg");
  EXPECT_EQ(SegmentFileName(UINT64_MAX), "ffffffffffffffff.seg");
}

TEST(SegmentFile, ComesBackSectionBySection) {
  const std::vector<std::string> sections = {RandomBytes(1, 13), "", RandomBytes(2, 40000), RandomBytes(3, 8),
                                             RandomBytes(4, 1)};
  const auto files = Written(sections);
  const auto segment = Open(files.get());
  EXPECT(segment.ok());
  for (size_t i = 0; i < sections.size(); ++i) {
    const std::string_view section = segment.value()->Section(static_cast<uint32_t>(i + 1));
    EXPECT(section == sections[i]);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(section.data()) % 8, 0);
    EXPECT(segment.value()->IsSound(section.data(), section.size()));
  }
  EXPECT(segment.value()->Section(0).empty());
  EXPECT(segment.value()->Section(99).empty());
  EXPECT(segment.value()->VerifyAll().ok());
  EXPECT_EQ(segment.value()->size(), files->files().at(kPath)->size());
}

TEST(SegmentFile, ShowsArraysAndLeavesOutHalfElements) {
  MemoryFiles files;
  SegmentWriter writer(kName);
  const std::vector<uint32_t> numbers = {1, 2, 0xFFFFFFFF};
  writer.AddArray(500, std::span<const uint32_t>(numbers));
  writer.Add(4, "0123456789");
  EXPECT(writer.WriteTo(&files, kPath).ok());
  const auto segment = Open(&files);
  const auto read = segment.value()->Array<uint32_t>(500);
  EXPECT(std::vector<uint32_t>(read.begin(), read.end()) == numbers);
  EXPECT_EQ(segment.value()->Array<uint64_t>(4).size(), 1);
  EXPECT_EQ(segment.value()->Array<uint64_t>(3).size(), 0);
}

TEST(SegmentFile, MayHaveNoSections) {
  const auto files = Written({});
  const auto segment = Open(files.get());
  EXPECT(segment.ok() && segment.value()->VerifyAll().ok());
}

TEST(SegmentFile, IsKnownByItsWholeName) {
  const auto files = Written({"section"});
  EXPECT(Open(files.get()).ok());
  for (const SegmentName& other :
       {SegmentName{{11, 22}, SegmentKind::kRun, 8}, SegmentName{{11, 22}, SegmentKind::kTerms, 7},
        SegmentName{{12, 22}, SegmentKind::kRun, 7}, SegmentName{{11, 23}, SegmentKind::kRun, 7}}) {
    EXPECT_EQ(Open(files.get(), other).status().code(), Code::kCorrupt);
  }
  EXPECT_EQ(SegmentFile::Open(files.get(), "index/none.seg", kName, std::make_shared<DamageLog>()).status().code(),
            Code::kIo);
}

TEST(SegmentFile, NoticesEveryChangedByte) {
  const std::string bytes = *Written({RandomBytes(5, 30), RandomBytes(6, 17)})->files().at(kPath);
  EXPECT_EQ(CodeOf(bytes), Code::kOk);
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      EXPECT_EQ(CodeOf(damaged), Code::kCorrupt);
    }
  }
}

TEST(SegmentFile, NoticesEveryCutAndEveryAddition) {
  const std::string bytes = *Written({RandomBytes(5, 30), RandomBytes(6, 17)})->files().at(kPath);
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(CodeOf(bytes.substr(0, length)), Code::kCorrupt);
    std::string zeroed = bytes;
    zeroed.replace(length, std::string::npos, bytes.size() - length, '\0');
    EXPECT_EQ(CodeOf(zeroed), Code::kCorrupt);
    EXPECT_EQ(CodeOf(bytes.substr(length + 1)), Code::kCorrupt);
  }
  EXPECT_EQ(CodeOf(bytes + '\0'), Code::kCorrupt);
  EXPECT_EQ(CodeOf(bytes + bytes), Code::kCorrupt);
}

TEST(SegmentFile, VerifiesOnlyTheBlocksAsked) {
  const auto files = Written({RandomBytes(7, 5 * kSegmentBlockBytes)});
  std::string damaged = *files->files().at(kPath);
  damaged[3 * kSegmentBlockBytes + 100] ^= 1;
  files->Overwrite(kPath, damaged);
  const auto damage = std::make_shared<DamageLog>();
  const auto segment = SegmentFile::Open(files.get(), kPath, kName, damage);
  EXPECT(segment.ok());
  const char* begin = segment.value()->Section(1).data() - 40;
  EXPECT(segment.value()->IsSound(begin + 40, 3 * kSegmentBlockBytes - 40));
  EXPECT(segment.value()->IsSound(begin + 4 * kSegmentBlockBytes, kSegmentBlockBytes));
  EXPECT(!damage->has_damage());
  EXPECT(damage->first().ok());
  // One byte into the damaged block is enough, from either side; asking twice does not make it sound.
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(segment.value()->Verify({begin + 3 * kSegmentBlockBytes - 1, 2}).code(), Code::kCorrupt);
    EXPECT_EQ(segment.value()->Verify({begin + 4 * kSegmentBlockBytes - 1, 2}).code(), Code::kCorrupt);
    EXPECT_EQ(segment.value()->VerifyAll().code(), Code::kCorrupt);
  }
  EXPECT(!damage->has_damage());
  EXPECT(!segment.value()->IsSound(begin + 3 * kSegmentBlockBytes, 1));
  EXPECT(damage->has_damage());
  EXPECT(damage->first().message().find(kPath) != std::string::npos);
  EXPECT(segment.value()->IsSound(begin, 0));
}

TEST(SegmentFile, SaysSoWhenItCannotBeWritten) {
  for (const bool writes_short : {false, true}) {
    for (uint64_t n = 0; n < 4; ++n) {
      MemoryFiles files;
      files.Fail({n, false, writes_short});
      SegmentWriter writer(kName);
      writer.Add(1, "section");
      EXPECT_EQ(writer.WriteTo(&files, kPath).code(), Code::kIo);
      EXPECT_EQ(files.operations(), n + 1);
    }
  }
  const auto files = Written({"section"});
  EXPECT_EQ(SegmentWriter(kName).WriteTo(files.get(), kPath).code(), Code::kIo);
  EXPECT(Open(files.get()).ok());
}

}  // namespace
}  // namespace freshdex::index
