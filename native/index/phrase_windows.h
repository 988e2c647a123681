// The lists of a registry that the tokens of a field stand for: every two neighbours, and every three, without a hole
// between them.
#pragma once

#include <cstdint>
#include <string_view>

#include "native/index/phrase_registry.h"
#include "native/index/term_codes.h"

namespace freshdex::index {

// Takes the symbols of a field one by one. Symbols of one group, which is not 0, are known to have had the same
// neighbours before: what stands among them alone is not named.
class PhraseWindows {
 public:
  explicit PhraseWindows(const PhraseRegistry& registry) : registry_(registry) {}

  void Restart() { first_ = second_ = Token(); }

  // Calls visit(list) for each list that counts the tokens up to this one.
  template <typename Visit>
  void Push(Symbol symbol, uint32_t group, Visit visit) {
    if (IsHole(symbol)) {
      Restart();
      return;
    }
    Token token{TermOf(symbol), group, kNoList};
    if (second_.term != kNoTerm) {
      const bool is_known = group != 0 && group == second_.group;
      token.pair = registry_.ListOf(second_.term, token.term);
      if (token.pair != kNoList && !is_known) visit(token.pair);
      if (IsRegistered(second_.pair) && IsRegistered(token.pair) && !(is_known && group == first_.group)) {
        const ListId triple = registry_.Registered({first_.term, second_.term, token.term});
        if (triple != kNoList) visit(triple);
      }
    }
    first_ = second_;
    second_ = token;
  }

  // All symbols of codes that are of no group.
  template <typename Visit>
  void PushAll(std::string_view codes, Visit visit) {
    VisitSymbols(codes, [&](Symbol symbol) { Push(symbol, 0, visit); });
  }

  // Codes that are of one group: only their first and last two symbols have other neighbours.
  template <typename Visit>
  void PushGroup(std::string_view codes, uint32_t group, Visit visit) {
    const size_t head = BeginOfThird(codes), tail = BeginOfLastTwo(codes);
    if (tail <= head) {
      VisitSymbols(codes, [&](Symbol symbol) { Push(symbol, group, visit); });
      return;
    }
    VisitSymbols(codes.substr(0, head), [&](Symbol symbol) { Push(symbol, group, visit); });
    Restart();
    VisitSymbols(codes.substr(tail), [&](Symbol symbol) { Push(symbol, group, visit); });
  }

 private:
  struct Token {
    TermId term = kNoTerm;
    uint32_t group = 0;
    ListId pair = kNoList;  // of the token before and this one
  };

  bool IsRegistered(ListId list) const { return list != kNoList && !registry_.IsBucket(list); }

  static size_t BeginOfThird(std::string_view codes) {
    size_t at = 0;
    for (int ended = 0; at < codes.size() && ended < 2; ++at) ended += EndsCode(codes[at]);
    return at;
  }
  static size_t BeginOfLastTwo(std::string_view codes) {
    size_t at = codes.size();
    for (int ends = 0; at > 0; --at) {
      ends += EndsCode(codes[at - 1]);
      if (ends == 3) break;
    }
    return at;
  }

  const PhraseRegistry& registry_;
  Token first_;
  Token second_;
};

}  // namespace freshdex::index
