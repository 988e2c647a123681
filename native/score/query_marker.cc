#include "native/score/query_marker.h"

#include <algorithm>
#include <utility>

#include "native/score/plan.h"

namespace freshdex::score {
namespace {

// As many expansions as a search looks for.
constexpr size_t kMarkedExpansions = 1024;

uint8_t FilterBit(std::string_view token) {
  const auto first = static_cast<uint8_t>(token.front());
  const auto last = static_cast<uint8_t>(token.back());
  return static_cast<uint8_t>(first * 7 + last * 31 + token.size() * 89);
}

}  // namespace

QueryMarker::QueryMarker(const index::Snapshot& snapshot, const QueryNode& query, SearchBudget* budget)
    : fields_(snapshot.fields.size()) {
  Add(snapshot, query, budget);
}

uint32_t QueryMarker::PartOf(QueryKind kind, std::string text) {
  const std::string name = static_cast<char>(kind) + std::move(text);
  return parts_.emplace(name, static_cast<uint32_t>(parts_.size())).first->second;
}

QueryMarker::Wanted& QueryMarker::Want(Field* field, std::string_view token) {
  const uint8_t bit = FilterBit(token);
  field->filter[bit / 64] |= uint64_t{1} << (bit % 64);
  const auto [entry, is_new] = field->wanted.try_emplace(std::string(token));
  if (is_new) entry->second.number = static_cast<uint32_t>(field->wanted.size() - 1);
  return entry->second;
}

void QueryMarker::WantPart(Field* field, std::string_view token, uint32_t part) {
  std::vector<uint32_t>& parts = Want(field, token).parts;
  const auto at = std::lower_bound(parts.begin(), parts.end(), part);
  if (at == parts.end() || *at != part) parts.insert(at, part);
}

void QueryMarker::Add(const index::Snapshot& snapshot, const QueryNode& node, SearchBudget* budget) {
  if (node.kind == QueryKind::kNot || node.kind == QueryKind::kNothing || node.kind == QueryKind::kAll) return;
  if (node.kind == QueryKind::kFields && VanishesInFields(node)) return;
  for (const QueryNode& child : node.children) Add(snapshot, child, budget);
  const bool is_expansion =
      node.kind == QueryKind::kPrefix || node.kind == QueryKind::kFuzzy || node.kind == QueryKind::kNearPrefix;
  if (is_expansion ? node.text.empty() : node.tokens.empty()) return;
  if (!budget->Spend(1 + node.tokens.size())) return;
  for (size_t f = 0; f < fields_.size(); ++f) {
    if ((node.field_mask >> f & 1) == 0) continue;
    Field* const field = &fields_[f];
    if (is_expansion) {
      const uint32_t part = PartOf(node.kind, node.text + static_cast<char>(node.edits));
      if (!expanded_.emplace(f, part).second) continue;
      const auto id = static_cast<index::FieldId>(f);
      const Expansion expansion = ExpansionOf(snapshot, id, node, kMarkedExpansions, budget);
      for (const ExpandedTerm& term : expansion.terms) WantPart(field, snapshot.terms().Text(term.term), part);
    } else if (node.kind == QueryKind::kPhrase && node.tokens.size() > 1) {
      std::string text;
      for (const QueryToken& token : node.tokens) text += std::to_string(token.position) + ' ' + token.text + ' ';
      AddPhrase(field, node, PartOf(QueryKind::kPhrase, text));
    } else {
      for (const QueryToken& token : node.tokens) {
        if (!token.text.empty()) WantPart(field, token.text, PartOf(QueryKind::kWord, token.text));
      }
    }
  }
}

void QueryMarker::AddPhrase(Field* field, const QueryNode& node, uint32_t part) {
  Phrase phrase{part, {}, {}};
  for (const QueryToken& token : node.tokens) {
    if (token.text.empty()) return;
    Wanted& wanted = Want(field, token.text);
    wanted.is_in_phrase = true;
    phrase.tokens.push_back(wanted.number);
    phrase.offsets.push_back(token.position);
  }
  field->phrases.push_back(std::move(phrase));
}

bool QueryMarker::Mark(size_t field_number, const analysis::TokenList& text, SearchBudget* budget,
                       std::vector<WordMark>* marks) const {
  if (field_number >= fields_.size()) return true;
  const Field& field = fields_[field_number];
  const std::ptrdiff_t first = std::ssize(*marks);
  std::vector<Place> places;
  uint64_t position = 0;
  for (uint32_t i = 0; i < text.tokens.size(); ++i, ++position) {
    if (!budget->Spend(1)) return false;
    position += text.tokens[i].holes_before;
    const std::string_view token = text.text(text.tokens[i]);
    const uint8_t bit = FilterBit(token);
    if ((field.filter[bit / 64] >> (bit % 64) & 1) == 0) continue;
    const auto found = field.wanted.find(token);
    if (found == field.wanted.end()) continue;
    for (const uint32_t part : found->second.parts) marks->push_back({i, i, part});
    if (found->second.is_in_phrase) places.push_back({position, i, found->second.number});
  }
  if (places.empty()) return true;
  for (const Phrase& phrase : field.phrases) {
    if (!MarkPhrase(phrase, places, budget, marks)) return false;
  }
  std::sort(marks->begin() + first, marks->end(), [](const WordMark& a, const WordMark& b) {
    return a.token != b.token ? a.token < b.token : a.part != b.part ? a.part < b.part : a.last < b.last;
  });
  return true;
}

bool QueryMarker::MarkPhrase(const Phrase& phrase, std::span<const Place> places, SearchBudget* budget,
                             std::vector<WordMark>* marks) {
  std::vector<uint32_t> tokens(phrase.tokens.size());
  for (size_t begin = 0; begin < places.size(); ++begin) {
    if (!budget->Spend(phrase.tokens.size())) return false;
    size_t at = begin;
    size_t matched = 0;
    for (; matched < phrase.tokens.size(); ++matched) {
      const uint64_t wanted = places[begin].position + phrase.offsets[matched];
      while (at < places.size() && places[at].position < wanted) ++at;
      if (at == places.size() || places[at].position != wanted || places[at].wanted != phrase.tokens[matched]) break;
      tokens[matched] = places[at].token;
    }
    if (matched < phrase.tokens.size()) continue;
    for (size_t i = 0; i < tokens.size(); ++i)
      marks->push_back({tokens[i], tokens.back(), i == 0 ? phrase.part : kNoPart});
  }
  return true;
}

}  // namespace freshdex::score
