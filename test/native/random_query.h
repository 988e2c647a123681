// Random query trees over a vocabulary: words that are in it and words that are not, all kinds of nodes, all kinds of
// boosts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::test {

class RandomQueries {
 public:
  RandomQueries(Random* random, const std::vector<std::string>& vocabulary, size_t fields)
      : random_(*random), vocabulary_(vocabulary), fields_(fields) {}

  QueryNode Tree(size_t depth) {
    if (depth == 0 || random_.Chance(0.25)) return Leaf();
    switch (random_.Below(5)) {
      case 0:
        return Not(Tree(depth - 1));
      case 1:
        return random_.Chance(0.1) ? Nothing() : random_.Chance(0.1) ? All(Boost()) : Leaf();
      case 2:
      case 3:
        return And(Children(depth), Boost());
      default:
        return Or(Children(depth), Boost());
    }
  }

  QueryNode Leaf() {
    switch (random_.Below(6)) {
      case 0:
        return Words();
      case 1:
        return PhraseOf(random_.Between(1, 3));
      case 2:
        return Prefix(Token().substr(0, random_.Below(4)), Mask(), Boost());
      case 3:
        return Fuzzy(Token(), random_.Chance(0.5) ? 1 : 2, Mask(), Boost());
      default:
        return Word(Token(), Mask(), Boost());
    }
  }

 private:
  double Boost() { return random_.Chance(0.6) ? 1 : random_.Chance(0.1) ? 0 : random_.Unit() * 4; }
  uint32_t Mask() {
    return random_.Chance(0.5) ? kAllFields : static_cast<uint32_t>(random_.Below(uint64_t{1} << fields_));
  }

  std::string Token() {
    return random_.Chance(0.05) ? RandomWord(&random_, "abcdefgh", 7) : FrequentWord(&random_, vocabulary_);
  }

  QueryNode Words() {
    std::vector<std::string> tokens;
    for (size_t left = random_.Below(4); left > 0; --left) tokens.push_back(Token());
    return TokensNode(QueryKind::kWord, tokens, Mask(), Boost());
  }

  QueryNode PhraseOf(size_t length) {
    std::vector<std::string> tokens;
    for (size_t left = length; left > 0; --left) tokens.push_back(Token());
    QueryNode node = Phrase(tokens, Mask(), Boost());
    uint32_t holes = 0;
    for (score::QueryToken& token : node.tokens) {
      token.position += holes;
      holes += random_.Chance(0.15) ? 1 : 0;
    }
    return node;
  }

  std::vector<QueryNode> Children(size_t depth) {
    std::vector<QueryNode> children;
    for (size_t left = random_.Chance(0.1) ? random_.Between(9, 12) : random_.Below(4); left > 0; --left) {
      children.push_back(Tree(depth - 1));
    }
    return children;
  }

  Random& random_;
  const std::vector<std::string>& vocabulary_;
  const size_t fields_;
};

}  // namespace freshdex::test
