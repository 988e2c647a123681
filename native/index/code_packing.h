// Codes of a record (term_codes.h) with repetitions taken out, as compactions leave them: byte strings that stood
// before, in the same codes or in a dictionary, are named by where they stood and how long they are.
//
// Packed codes are steps, each some bytes as they are and then bytes that stood before:
//
//   u8      upper half: number n of bytes as they are; lower half: bytes that stood before, less 4
//   ...     where n is 15, what it is more: bytes of 255 while there is as much left, then one with the rest
//   n       the bytes as they are
//   u16     how far back the others begin, 1 to 65,535, counted from here through the codes before and then through the
//           dictionary, whose last byte comes before the first of the codes
//   ...     as above, where the lower half is 15
//
// The last step ends where the codes are complete: behind the bytes as they are, or behind those that stood before.
// Example: behind an empty dictionary, the codes 41 42 43 44 41 42 43 44 41 are the bytes 41 41 42 43 44 04 00: four as
// they are, then 1 + 4 from four back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace freshdex::index {

// So many bytes must be readable behind packed codes and dictionaries, and writable behind what is unpacked.
inline constexpr size_t kPackedSlack = 32;
// Places in a dictionary must be within reach of the codes behind it.
inline constexpr size_t kMostDictionaryBytes = 32768;

// Packs codes behind one dictionary. Not for two threads at once.
class CodePacker {
 public:
  // REQUIRES: no more than kMostDictionaryBytes.
  explicit CodePacker(std::string_view dictionary);

  // Appends the packed codes, which may be longer than they were.
  void Pack(std::string_view codes, std::string* out);

 private:
  struct Match {
    uint32_t bytes = 0;
    uint32_t back = 0;
  };

  void FindMatches(std::string_view codes);
  Match Longest(size_t at, size_t left) const;
  void Enter(size_t at);
  void ChooseSteps(size_t count);

  static uint32_t HashAt(const char* bytes);

  std::string text_;         // the dictionary, the codes at hand and slack
  size_t dictionary_bytes_;  // of text_
  std::vector<int32_t> dictionary_heads_;
  std::vector<uint64_t> heads_;    // by hash: which codes entered it and the newest place in text_
  std::vector<int32_t> previous_;  // by place in text_: the one before with the same hash, or -1
  uint64_t generation_ = 0;        // of the codes at hand
  std::vector<Match> matches_;     // by place in the codes
  std::vector<uint32_t> costs_;    // of the codes from a place on, in bytes
  std::vector<uint32_t> chosen_;   // by place: bytes that stood before, 0: as it is
};

// Unpacks to exactly `bytes` bytes at `to`; false when the packed bytes make no sense. REQUIRES: kPackedSlack bytes
// readable behind both and writable behind `bytes`.
bool UnpackCodes(std::string_view packed, std::string_view dictionary, size_t bytes, char* to);

// Bytes that stand in many of the codes, at most so many: a dictionary for these and others like them.
std::string ChooseDictionary(const std::vector<std::string_view>& codes, size_t most_bytes);

}  // namespace freshdex::index
