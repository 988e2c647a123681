// The worked examples of docs/file-format.md are what the code writes.
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/code_packing.h"
#include "native/index/delta_row.h"
#include "native/index/document_sketch.h"
#include "native/index/front_coding.h"
#include "native/index/packed_numbers.h"
#include "native/index/packed_pieces.h"
#include "native/index/segment_file.h"
#include "test/native/harness.h"
#include "test/native/memory_files.h"

namespace freshdex::index {
namespace {

bool IsHexPair(const std::string& word) {
  return word.size() == 2 && std::isxdigit(static_cast<unsigned char>(word[0])) &&
         std::isxdigit(static_cast<unsigned char>(word[1]));
}

// The bytes of each code block that begins with a byte: in each line the pairs of digits up to three spaces, behind
// which it says what they are.
std::vector<std::string> DocumentedBytes() {
  std::ifstream page("../../docs/file-format.md");
  std::vector<std::string> blocks;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) blocks.emplace_back();
      continue;
    }
    if (!is_inside) continue;
    std::istringstream words(line.substr(0, line.find("   ")));
    for (std::string word; words >> word && IsHexPair(word);)
      blocks.back().push_back(static_cast<char>(std::stoi(word, nullptr, 16)));
  }
  return blocks;
}

TEST(DocumentedBytes, OfASegment) {
  SegmentWriter writer({{0x1122334455667788, 0x99AABBCCDDEEFF00}, SegmentKind::kTerms, 1});
  std::string range;
  AppendValue(&range, uint64_t{0});
  AppendValue(&range, uint64_t{1});
  AppendValue(&range, uint64_t{0});
  AppendValue(&range, uint64_t{0});
  writer.Add(1, range);
  FrontEncoder words;
  words.Add(std::string_view("\0ferry", 6));
  writer.Add(2, PackPieces(words.bytes()));
  writer.Add(3, PackNumbers(std::vector<uint32_t>{0}, 1));
  writer.Add(8, std::string(4, '\0'));
  writer.Add(4, "\1");
  test::MemoryFiles files;
  EXPECT(writer.WriteTo(&files, "segment").ok());
  const std::vector<std::string> documented = DocumentedBytes();
  EXPECT_EQ(documented.size(), 6);
  EXPECT(documented.at(1) == *files.files().at("segment"));
}

TEST(DocumentedBytes, OfASketch) {
  std::string codes;
  for (TermId term = 1; term <= 5; ++term) AppendTerm(&codes, term);
  ForwardBuilder builder;
  builder.Start(1);
  builder.AddChunk(0, 1, codes);
  builder.SetTokens(0, 5);
  const std::string record = builder.Finish(0, 5);
  const DocumentSketch sketch = SketchOf(ForwardView(record));
  EXPECT(DocumentedBytes().front() == std::string_view(reinterpret_cast<const char*>(sketch.data()), sizeof(sketch)));
}

TEST(DocumentedBytes, OfFrontCoding) {
  FrontEncoder words;
  for (const char* word : {"bus", "busy", "but"}) words.Add(word);
  EXPECT(DocumentedBytes().at(2) == words.bytes());
}

TEST(DocumentedBytes, OfCodes) {
  std::string codes;
  AppendTerm(&codes, 7);
  AppendHoles(&codes, 2);
  AppendTerm(&codes, 70000);
  EXPECT(DocumentedBytes().at(3) == codes);
}

TEST(DocumentedBytes, OfPackedCodes) {
  std::string packed;
  CodePacker("").Pack("ABCDABCDA", &packed);
  EXPECT(DocumentedBytes().at(4) == packed);
}

TEST(DocumentedBytes, OfARow) {
  DeltaRow row;
  row.sequence = 1;
  RowDocument document;
  document.doc = 7;
  document.is_removed = true;
  row.documents.push_back(document);
  EXPECT(DocumentedBytes().back() == EncodeRow(row, 1, 0));
}

}  // namespace
}  // namespace freshdex::index
