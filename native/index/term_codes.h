// Byte codes of term numbers and holes, made so that a sequence of them can be searched as a string of bytes: the
// (s, c)-dense codes of Brisaboa et al. (2003) with c = 64.
//
// A symbol is a number: 0 to 3 for a run of 1 to 4 holes (removed stop words, which take positions; longer runs are
// several symbols), 4 + t for term t. Its code is none to four bytes b below 64, and one byte from 64 on, which ends
// it:
//
//   h = 0; for each b: h = 64 * h + b + 1; symbol = 192 * h + last byte - 64
//
// which gives codes of one byte to the symbols below 192, of two below 12,480, of three below 798,912, of four below
// 51,130,560 and of five below 3,272,356,032. Every symbol has one code. Every byte from 64 on ends a code and every
// code ends with such a byte: a string of whole codes stands in another exactly where its bytes stand behind such a
// byte or at the beginning. Example: the terms 7 and 70,000 with two holes between them are the symbols 11, 1 and
// 70,004 and the bytes 4B 41 04 2B B4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "native/base/simd.h"
#include "native/index/ids.h"

namespace freshdex::index {

using Symbol = uint32_t;

inline constexpr uint32_t kFirstEndByte = 64;
inline constexpr uint32_t kEndBytes = 256 - kFirstEndByte;
inline constexpr Symbol kHoleSymbols = 4;
inline constexpr size_t kMaxCodeBytes = 5;

constexpr Symbol SymbolOf(TermId term) { return term + kHoleSymbols; }
constexpr bool IsHole(Symbol symbol) { return symbol < kHoleSymbols; }
// REQUIRES: no hole.
constexpr TermId TermOf(Symbol symbol) { return symbol - kHoleSymbols; }
constexpr bool EndsCode(char byte) { return static_cast<uint8_t>(byte) >= kFirstEndByte; }

void AppendSymbol(std::string* codes, Symbol symbol);
inline void AppendTerm(std::string* codes, TermId term) { AppendSymbol(codes, SymbolOf(term)); }
void AppendHoles(std::string* codes, uint64_t holes);

// Whether bytes from outside are a sequence of codes: the last is complete, and none is longer than a code can be.
bool AreWholeCodes(std::string_view codes);

// So many bytes are decoded at a time: their symbols stay in the first cache.
inline constexpr size_t kDecodedBytes = 512;
// Symbols of this many bytes at most, and room that decoding may write to.
inline constexpr size_t kDecodedRoom = kDecodedBytes + 16;

// Decodes the codes that end within the first kDecodedBytes, and takes them away from *codes; returns how many there
// were. Bytes that are no codes give wrong symbols, or none, and are all taken away in the end. REQUIRES: room for
// kDecodedRoom symbols.
size_t DecodeSymbols(std::string_view* codes, Symbol* symbols, Simd simd = kSimd);

// Calls visit(symbol) for every code in order. REQUIRES: codes are whole (AreWholeCodes). Others give wrong symbols,
// but are not read behind their end.
template <typename Visit>
inline void VisitSymbols(std::string_view codes, Visit visit) {
  Symbol symbols[kDecodedRoom];
  while (!codes.empty()) {
    const size_t count = DecodeSymbols(&codes, symbols);
    for (size_t i = 0; i < count; ++i) visit(symbols[i]);
  }
}

// Calls visit(term, position) for the tokens of codes; returns the position behind the last token or hole. REQUIRES: as
// VisitSymbols().
template <typename Visit>
uint64_t VisitTokens(std::string_view codes, uint64_t position, Visit visit) {
  VisitSymbols(codes, [&](Symbol symbol) {
    if (IsHole(symbol)) {
      position += symbol + 1;
    } else {
      visit(TermOf(symbol), position++);
    }
  });
  return position;
}

}  // namespace freshdex::index
