#include "native/index/code_packing.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

constexpr size_t kLeastMatch = 4;
constexpr size_t kFarthest = 65535;
constexpr size_t kHalf = 15;  // the largest number in half a byte, which says that there is more
constexpr int kHashBits = 14;
// Places with the same hash that are looked at: more find little that is longer.
constexpr int kMostLooks = 4;
// Within matches of this length, others are not looked for.
constexpr uint32_t kLongMatch = 32;
// Of a match, lengths from the longest down to so much less are weighed.
constexpr uint32_t kWeighed = 8;

// The bytes that two places have in common, at most `most`. REQUIRES: seven bytes readable behind those.
uint32_t CommonBytes(const char* a, const char* b, size_t most) {
  for (size_t at = 0; at < most; at += sizeof(uint64_t)) {
    const uint64_t differs = LoadUnaligned<uint64_t>(a + at) ^ LoadUnaligned<uint64_t>(b + at);
    if (differs != 0)
      return static_cast<uint32_t>(std::min(most, at + static_cast<size_t>(std::countr_zero(differs)) / 8));
  }
  return static_cast<uint32_t>(most);
}

size_t BytesOfMore(size_t count) { return count < kHalf ? 0 : 1 + (count - kHalf) / 255; }

void AppendMore(size_t count, std::string* out) {
  if (count < kHalf) return;
  for (count -= kHalf; count >= 255; count -= 255) out->push_back(static_cast<char>(255));
  out->push_back(static_cast<char>(count));
}

// What is more than kHalf; false at the end of the bytes.
bool ReadMore(const char** at, const char* end, size_t* count) {
  uint8_t byte;
  do {
    if (*at == end) return false;
    byte = static_cast<uint8_t>(*(*at)++);
    *count += byte;
  } while (byte == 255);
  return true;
}

constexpr size_t kCopied = 16;

// Copies at least `bytes` bytes and up to kCopied - 1 more; `from` and `to` are kCopied apart at least.
void CopyInSteps(const char* from, size_t bytes, char* to) {
  for (size_t at = 0; at < bytes; at += kCopied) std::memcpy(to + at, from + at, kCopied);
}

}  // namespace

CodePacker::CodePacker(std::string_view dictionary)
    : text_(dictionary),
      dictionary_bytes_(dictionary.size()),
      dictionary_heads_(size_t{1} << kHashBits, -1),
      heads_(size_t{1} << kHashBits, 0) {
  assert(dictionary.size() <= kMostDictionaryBytes);
  previous_.resize(dictionary_bytes_);
  for (size_t at = 0; at + kLeastMatch <= dictionary_bytes_; ++at) {
    int32_t& head = dictionary_heads_[HashAt(text_.data() + at)];
    previous_[at] = head;
    head = static_cast<int32_t>(at);
  }
}

uint32_t CodePacker::HashAt(const char* bytes) {
  return LoadUnaligned<uint32_t>(bytes) * 2654435761u >> (32 - kHashBits);
}

void CodePacker::Enter(size_t at) {
  const uint32_t hash = HashAt(text_.data() + at);
  const bool is_first = heads_[hash] >> 32 != generation_;
  previous_[at] = is_first ? dictionary_heads_[hash] : static_cast<int32_t>(heads_[hash]);
  heads_[hash] = generation_ << 32 | at;
}

// The places of the dictionary follow those of the codes in one chain.
CodePacker::Match CodePacker::Longest(size_t at, size_t left) const {
  const char* const here = text_.data() + at;
  Match longest;
  int32_t place = previous_[at];
  for (int look = 0; look < kMostLooks && place >= 0 && at - static_cast<size_t>(place) <= kFarthest; ++look) {
    const uint32_t bytes = CommonBytes(here, text_.data() + place, left);
    if (bytes > longest.bytes) longest = {bytes, static_cast<uint32_t>(at - static_cast<size_t>(place))};
    place = previous_[static_cast<size_t>(place)];
  }
  return longest;
}

void CodePacker::FindMatches(std::string_view codes) {
  text_.resize(dictionary_bytes_);
  text_.append(codes).append(sizeof(uint64_t), '\0');
  previous_.resize(text_.size());
  matches_.assign(codes.size(), {});
  ++generation_;
  for (size_t i = 0; i + kLeastMatch <= codes.size(); ++i) {
    Enter(dictionary_bytes_ + i);
    if (i > 0 && matches_[i - 1].bytes > kLongMatch) {
      matches_[i] = {matches_[i - 1].bytes - 1, matches_[i - 1].back};
    } else {
      matches_[i] = Longest(dictionary_bytes_ + i, codes.size() - i);
    }
  }
}

// From the end: which way takes the fewest bytes, the first byte of a step counted to its match.
void CodePacker::ChooseSteps(size_t count) {
  costs_.assign(count + 1, 0);
  chosen_.assign(count, 0);
  for (size_t i = count; i-- > 0;) {
    costs_[i] = costs_[i + 1] + 1;
    const uint32_t longest = matches_[i].bytes;
    for (uint32_t bytes = longest; bytes >= kLeastMatch && bytes + kWeighed > longest; --bytes) {
      const uint32_t cost = costs_[i + bytes] + 3 + static_cast<uint32_t>(BytesOfMore(bytes - kLeastMatch));
      if (cost >= costs_[i]) continue;
      costs_[i] = cost;
      chosen_[i] = bytes;
    }
  }
}

void CodePacker::Pack(std::string_view codes, std::string* out) {
  FindMatches(codes);
  ChooseSteps(codes.size());
  size_t begin = 0;
  while (begin < codes.size()) {
    size_t at = begin;
    while (at < codes.size() && chosen_[at] == 0) ++at;
    const size_t plain = at - begin;
    const size_t more = at < codes.size() ? chosen_[at] - kLeastMatch : 0;
    out->push_back(static_cast<char>(std::min(plain, kHalf) << 4 | std::min(more, kHalf)));
    AppendMore(plain, out);
    out->append(codes.substr(begin, plain));
    if (at == codes.size()) return;
    AppendValue(out, static_cast<uint16_t>(matches_[at].back));
    AppendMore(more, out);
    begin = at + chosen_[at];
  }
}

bool UnpackCodes(std::string_view packed, std::string_view dictionary, size_t bytes, char* to) {
  const char* at = packed.data();
  const char* const end = at + packed.size();
  const char* const dictionary_end = dictionary.data() + dictionary.size();
  char* const begin = to;
  char* const out_end = to + bytes;
  while (to < out_end) {
    if (at == end) return false;
    const uint8_t step = static_cast<uint8_t>(*at++);
    size_t plain = step >> 4;
    size_t match = step & kHalf;
    // Short steps are the rule. What they copy too much is slack, or overwritten by the steps that follow.
    if (plain < kHalf && match < kHalf && static_cast<size_t>(end - at) >= kHalf + sizeof(uint16_t) &&
        static_cast<size_t>(out_end - to) >= kHalf + kHalf + kLeastMatch) {
      std::memcpy(to, at, kCopied);
      at += plain;
      to += plain;
      const size_t back = LoadUnaligned<uint16_t>(at);
      const size_t written = static_cast<size_t>(to - begin);
      const bool is_own = back <= written;
      const char* from = is_own ? to - back : dictionary_end - (back - written);
      match += kLeastMatch;
      if (is_own ? back >= kCopied : back - written >= match && back - written <= dictionary.size()) [[likely]] {
        std::memcpy(to, from, kCopied);
        std::memcpy(to + kCopied, from + kCopied, kCopied);
        at += sizeof(uint16_t);
        to += match;
        continue;
      }
      match -= kLeastMatch;
    } else {
      if (plain == kHalf && !ReadMore(&at, end, &plain)) return false;
      if (plain > static_cast<size_t>(end - at) || plain > static_cast<size_t>(out_end - to)) return false;
      CopyInSteps(at, plain, to);
      at += plain;
      to += plain;
      if (to == out_end) break;
    }
    if (end - at < 2) return false;
    const size_t back = LoadUnaligned<uint16_t>(at);
    at += sizeof(uint16_t);
    if (match == kHalf && !ReadMore(&at, end, &match)) return false;
    match += kLeastMatch;
    const size_t written = static_cast<size_t>(to - begin);
    if (match > static_cast<size_t>(out_end - to) || back == 0 || back > written + dictionary.size()) return false;
    if (back > written) {
      const size_t from_dictionary = std::min(match, back - written);
      CopyInSteps(dictionary_end - (back - written), from_dictionary, to);
      to += from_dictionary;
      match -= from_dictionary;
    }
    if (back >= kCopied) {
      CopyInSteps(to - back, match, to);
    } else {
      for (size_t i = 0; i < match; ++i) to[i] = to[i - back];
    }
    to += match;
  }
  return at == end;
}

namespace {

constexpr size_t kSegmentBytes = 64;  // pieces of which a dictionary is made
constexpr size_t kWindowBytes = 6;    // what is counted
constexpr int kCountBits = 18;

uint32_t WindowAt(const char* bytes) {
  return static_cast<uint32_t>((LoadUnaligned<uint64_t>(bytes) << 16) * 0x9E3779B97F4A7C15ULL >> (64 - kCountBits));
}

// In how many of the codes each window stands, by its hash.
std::vector<uint32_t> CountWindows(const std::string& text, const std::vector<size_t>& ends) {
  std::vector<uint32_t> counts(size_t{1} << kCountBits, 0), last(size_t{1} << kCountBits, 0);
  size_t at = 0;
  for (uint32_t i = 0; i < ends.size(); ++i) {
    for (; at + kWindowBytes <= ends[i]; ++at) {
      const uint32_t window = WindowAt(text.data() + at);
      if (last[window] == i + 1) continue;
      last[window] = i + 1;
      ++counts[window];
    }
    at = ends[i];
  }
  return counts;
}

}  // namespace

// The codes are cut into as many stretches as the dictionary has room for segments, and the best of each is taken: the
// one whose windows, each counted once, stand in most codes. What is in the dictionary by then counts no more.
std::string ChooseDictionary(const std::vector<std::string_view>& codes, size_t most_bytes) {
  std::string text;
  std::vector<size_t> ends;
  for (const std::string_view of_one : codes) {
    text.append(of_one);
    ends.push_back(text.size());
  }
  const size_t segments = std::min(most_bytes, text.size() / 2) / kSegmentBytes;
  if (segments == 0) return {};
  const size_t stretch = text.size() / segments;
  text.append(sizeof(uint64_t), '\0');
  std::vector<uint32_t> counts = CountWindows(text, ends);
  const auto worth = [&](uint32_t window) { return counts[window] > 1 ? uint64_t{counts[window]} : 0; };
  constexpr size_t kWindows = kSegmentBytes - kWindowBytes + 1;
  struct Chosen {
    uint64_t worth;
    size_t at;
  };
  std::vector<Chosen> chosen;
  std::vector<uint8_t> active(size_t{1} << kCountBits, 0);
  for (size_t s = 0; s < segments; ++s) {
    const size_t first = s * stretch, last = first + stretch - kSegmentBytes;
    Chosen best{0, first};
    uint64_t sum = 0;
    for (size_t end = first; end < last + kWindows; ++end) {
      const uint32_t entering = WindowAt(text.data() + end);
      if (active[entering]++ == 0) sum += worth(entering);
      if (end + 1 < first + kWindows) continue;
      const size_t at = end + 1 - kWindows;
      if (sum > best.worth) best = {sum, at};
      const uint32_t leaving = WindowAt(text.data() + at);
      if (--active[leaving] == 0) sum -= worth(leaving);
    }
    for (size_t at = last; at < last + kWindows; ++at) active[WindowAt(text.data() + at)] = 0;
    for (size_t at = best.at; at < best.at + kWindows; ++at) counts[WindowAt(text.data() + at)] = 0;
    if (best.worth > 0) chosen.push_back(best);
  }
  std::string dictionary;
  for (const Chosen& segment : chosen) dictionary.append(text, segment.at, kSegmentBytes);
  return dictionary;
}

}  // namespace freshdex::index
