#include "native/score/flat_query.h"

#include <span>

namespace freshdex::score {
namespace {

// Beyond this many leaves few documents can be ruled out.
constexpr size_t kMaxLeaves = 64;

bool IsWord(const QueryNode& node) {
  return node.kind == QueryKind::kWord || (node.kind == QueryKind::kPhrase && node.tokens.size() == 1);
}

class Flattener {
 public:
  Flattener(const index::Snapshot& snapshot, const Scoring& scoring) : snapshot_(snapshot), scoring_(scoring) {}

  bool Add(const QueryNode& word, double boost) {
    for (const QueryToken& token : word.tokens) {
      const size_t before = flat_.leaves.size();
      for (size_t f = 0; f < snapshot_.fields.size(); ++f) {
        if ((word.field_mask >> f & 1) == 0) continue;
        const index::FieldId field = static_cast<index::FieldId>(f);
        const index::TermId term = snapshot_.FindTerm(field, token.text);
        if (term == index::kNoTerm) continue;
        flat_.leaves.push_back({term, field, Capped(boost * scoring_.field_boosts[f]), flat_.tokens, words_});
      }
      if (flat_.leaves.size() == before && flat_.needs_all) flat_.has_answer = false;
      ++flat_.tokens;
    }
    ++words_;
    return flat_.leaves.size() <= kMaxLeaves;
  }

  FlatQuery& flat() { return flat_; }

 private:
  const index::Snapshot& snapshot_;
  const Scoring& scoring_;
  FlatQuery flat_;
  uint32_t words_ = 0;
};

}  // namespace

std::optional<FlatQuery> Flatten(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query) {
  const bool is_word = IsWord(query);
  if (!is_word && query.kind != QueryKind::kAnd && query.kind != QueryKind::kOr) return std::nullopt;
  const std::span<const QueryNode> words = is_word ? std::span(&query, 1) : std::span(query.children);
  Flattener flattener(snapshot, scoring);
  flattener.flat().needs_all = query.kind != QueryKind::kOr;
  const double boost = is_word ? 1 : Capped(1 * query.boost);
  for (const QueryNode& word : words) {
    // Several tokens of a word are all needed, also where any word will do.
    if (!IsWord(word) || (query.kind == QueryKind::kOr && word.tokens.size() > 1)) return std::nullopt;
    if (!flattener.Add(word, Capped(boost * word.boost))) return std::nullopt;
  }
  return std::move(flattener.flat());
}

}  // namespace freshdex::score
