#include "native/node/marking.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/base/bytes.h"
#include "native/node/failure.h"
#include "native/node/reader.h"
#include "native/score/distinguishing_terms.h"
#include "native/score/query_marker.h"

namespace freshdex::node {
namespace {

constexpr size_t kMaxTerms = 1024;

// A text's tokens and where they stand in it.
struct PlacedTokens {
  analysis::TokenList list;
  std::vector<analysis::TextPlace> places;

  void Clear() {
    list.Clear();
    places.clear();
  }
};

// Turns offsets in UTF-8 into UTF-16 units. REQUIRES: all are ends of code points of the text; they ascend.
void ToUnits(std::string_view text, std::vector<uint32_t>* offsets) {
  uint32_t at = 0, units = 0;
  for (uint32_t& offset : *offsets) {
    for (; at < offset; ++at) {
      const auto byte = static_cast<uint8_t>(text[at]);
      units += ((byte & 0xC0) != 0x80 ? 1u : 0u) + (byte >= 0xF0 ? 1u : 0u);
    }
    offset = units;
  }
}

// Makes the places of marked tokens those of UTF-16 units.
void PlaceMarks(std::string_view text, const std::vector<score::WordMark>& marks,
                std::vector<analysis::TextPlace>* places) {
  std::vector<uint32_t> offsets;
  for (const score::WordMark& mark : marks) {
    for (const uint32_t token : {mark.token, mark.last}) {
      offsets.push_back((*places)[token].begin);
      offsets.push_back((*places)[token].end);
    }
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  std::vector<uint32_t> units = offsets;
  ToUnits(text, &units);
  const auto unit_of = [&](uint32_t offset) {
    return units[static_cast<size_t>(std::lower_bound(offsets.begin(), offsets.end(), offset) - offsets.begin())];
  };
  std::vector<uint32_t> tokens;
  for (const score::WordMark& mark : marks) tokens.insert(tokens.end(), {mark.token, mark.last});
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  for (const uint32_t token : tokens) {
    analysis::TextPlace& place = (*places)[token];
    place = {unit_of(place.begin), unit_of(place.end)};
  }
}

bool TakeTokens(std::string_view payload, PlacedTokens* tokens) {
  ByteReader reader(payload);
  while (reader.remaining() > 0) {
    analysis::TextPlace place;
    place.begin = reader.Read<uint32_t>();
    place.end = reader.Read<uint32_t>();
    const uint16_t length = reader.Read<uint16_t>();
    const std::string_view text = reader.ReadBytes(length);
    if (!reader.ok() || length == 0 || length > analysis::kMaxTokenBytes || place.end < place.begin) return false;
    tokens->list.tokens.push_back({static_cast<uint32_t>(tokens->list.bytes.size()), static_cast<uint8_t>(length)});
    tokens->list.bytes.append(text);
    tokens->places.push_back(place);
  }
  return true;
}

// Some milliseconds of work.
constexpr size_t kPieceBytes = 32 * 1024;
// Analysing a few bytes costs about as much as scoring a document.
constexpr size_t kBytesPerDocument = 8;

bool IsAsciiSpace(char unit) { return unit == ' ' || (unit >= '\t' && unit <= '\r'); }

// The tokens of a text, piece by piece: analysis is local to white space. False when the budget was spent before.
bool AnalyzeWithin(analysis::Preset preset, std::string_view text, score::SearchBudget* budget, PlacedTokens* tokens) {
  PlacedTokens piece;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(begin + kPieceBytes, text.size());
    while (end < text.size() && !IsAsciiSpace(text[end])) ++end;
    if (!budget->Spend((end - begin) / kBytesPerDocument + 1)) return false;
    piece.Clear();
    analysis::AnalyzeWithPlaces(preset, text.substr(begin, end - begin), &piece.list, &piece.places);
    const uint32_t offset = static_cast<uint32_t>(tokens->list.bytes.size());
    uint32_t holes = tokens->list.trailing_holes;
    for (size_t i = 0; i < piece.list.tokens.size(); ++i) {
      analysis::TokenList::Token token = piece.list.tokens[i];
      token.begin += offset;
      token.holes_before = static_cast<uint16_t>(std::min<uint32_t>(token.holes_before + holes, UINT16_MAX));
      holes = 0;
      tokens->list.tokens.push_back(token);
      const analysis::TextPlace& place = piece.places[i];
      tokens->places.push_back({place.begin + static_cast<uint32_t>(begin), place.end + static_cast<uint32_t>(begin)});
    }
    tokens->list.bytes += piece.list.bytes;
    tokens->list.trailing_holes = holes + piece.list.trailing_holes;
    begin = end;
  }
  return true;
}

}  // namespace

Napi::Value MarkIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view wire, texts;
    if (!BytesOf(info, 0, &wire) || !BytesOf(info, 1, &texts)) return {};
    const auto query = score::DecodeQuery(wire, core.config.analysis);
    if (!query.ok()) return Failure::From(query.status());
    score::SearchBudget budget(EndIn(info[2].IsNumber() ? info[2].As<Napi::Number>().DoubleValue() : 0));
    const score::QueryMarker marker(snapshot, query.value(), &budget);
    ByteReader reader(texts);
    PlacedTokens tokens;
    std::vector<score::WordMark> marks;
    std::string out;
    while (reader.remaining() > 0 && budget.Spend(1)) {
      const uint32_t field = reader.Read<uint32_t>();
      const uint8_t form = reader.Read<uint8_t>();
      const std::string_view payload = reader.ReadBytes(reader.Read<uint32_t>());
      const bool is_text = form == 0;
      if (!reader.ok() || form > 1 || payload.size() > analysis::kMaxTextBytes) return {"INTERNAL", "malformed texts"};
      tokens.Clear();
      marks.clear();
      if (is_text) {
        const index::AnalysisKind analysis = core.config.analysis[field];
        if (analysis == index::AnalysisKind::kTokens) return {"INTERNAL", "text without an analyzer"};
        if (!AnalyzeWithin(index::PresetOf(analysis), payload, &budget, &tokens)) break;
      } else if (!TakeTokens(payload, &tokens)) {
        return {"INTERNAL", "malformed tokens"};
      }
      if (!marker.Mark(field, tokens.list, &budget, &marks)) break;
      if (is_text) PlaceMarks(payload, marks, &tokens.places);
      AppendValue(&out, static_cast<uint32_t>(marks.size()));
      for (const score::WordMark& mark : marks) {
        AppendValue(&out, tokens.places[mark.token].begin);
        AppendValue(&out, tokens.places[mark.token].end);
        AppendValue(&out, mark.part);
        AppendValue(&out, tokens.places[mark.last].end);
      }
    }
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    *value = ToArrayBuffer(info.Env(), out);
    return {};
  });
}

Napi::Value TermsIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view key;
    if (!BytesOf(info, 0, &key)) return {};
    if (!info[1].IsNumber() || !info[2].IsNumber()) return {"INTERNAL", "expected a mask of fields and a limit"};
    const uint32_t mask = info[1].As<Napi::Number>().Uint32Value();
    const size_t limit = std::min<size_t>(info[2].As<Napi::Number>().Uint32Value(), kMaxTerms);
    const index::DocId doc = snapshot.FindKey(key);
    if (doc == index::kNoDoc) return {};
    score::SearchBudget budget(EndIn(info[3].IsNumber() ? info[3].As<Napi::Number>().DoubleValue() : 0));
    std::string out;
    for (const auto& term : score::DistinguishingTerms(snapshot, core.scoring, doc, mask, limit, &budget)) {
      const std::string_view text = snapshot.terms().Text(term.term);
      AppendValue(&out, static_cast<uint8_t>(snapshot.terms().FieldOf(term.term)));
      AppendValue(&out, static_cast<uint8_t>(text.size()));
      AppendValue(&out, term.score);
      AppendValue(&out, term.tf);
      AppendValue(&out, term.df);
      out.append(text);
    }
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    *value = ToBytes(info.Env(), out);
    return {};
  });
}

Napi::Value CompleteIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot,
                       score::CompletionCache* kept) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view given;
    if (!BytesOf(info, 0, &given)) return {};
    if (!info[1].IsNumber() || !info[2].IsNumber() || !info[3].IsNumber())
      return {"INTERNAL", "expected a mask of fields, edits and a limit"};
    const uint32_t mask = info[1].As<Napi::Number>().Uint32Value();
    const uint32_t edits = info[2].As<Napi::Number>().Uint32Value();
    const size_t limit = std::min<size_t>(info[3].As<Napi::Number>().Uint32Value(), kMaxTerms);
    const bool is_whole = info[4].ToBoolean().Value();
    if (edits > 2 || (is_whole && edits == 0) || given.size() > analysis::kMaxTokenBytes)
      return {"INTERNAL", "no word that can be completed"};
    const index::AnalysisKind analysis = core.config.analysis[static_cast<size_t>(std::countr_zero(mask))];
    const bool is_ready = analysis == index::AnalysisKind::kTokens;
    const std::string word = is_ready ? std::string(given) : analysis::Normalize(given, index::PresetOf(analysis));
    score::SearchBudget budget(EndIn(info[5].IsNumber() ? info[5].As<Napi::Number>().DoubleValue() : 0));
    std::string out;
    for (const auto& completion :
         kept->Complete(snapshot, mask, word, static_cast<int>(edits), is_whole, limit, &budget)) {
      AppendValue(&out, completion.df);
      AppendValue(&out, static_cast<uint8_t>(completion.edits));
      AppendValue(&out, static_cast<uint8_t>(completion.text.size()));
      out.append(completion.text);
    }
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    *value = ToBytes(info.Env(), out);
    return {};
  });
}

Napi::Value TokensIn(const Napi::CallbackInfo& info, const Core& core) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view text;
    if (!BytesOf(info, 0, &text)) return {};
    if (!info[1].IsNumber()) return {"INTERNAL", "expected the number of a field"};
    const index::AnalysisKind analysis = core.config.analysis[info[1].As<Napi::Number>().Uint32Value()];
    if (analysis == index::AnalysisKind::kTokens) return {"INTERNAL", "this field has no analyzer of its own"};
    if (text.size() > analysis::kMaxTextBytes) return {"DOCUMENT_TOO_LARGE", "the text is too long to analyse"};
    PlacedTokens tokens;
    analysis::AnalyzeWithPlaces(index::PresetOf(analysis), text, &tokens.list, &tokens.places);
    std::vector<score::WordMark> all;
    for (uint32_t i = 0; i < tokens.list.tokens.size(); ++i) all.push_back({i, i, 0});
    PlaceMarks(text, all, &tokens.places);
    std::string out;
    for (size_t i = 0; i < tokens.places.size(); ++i) {
      const analysis::TokenList::Token& token = tokens.list.tokens[i];
      AppendValue(&out, tokens.places[i].begin);
      AppendValue(&out, tokens.places[i].end);
      AppendValue(&out, uint16_t{token.length});
      AppendValue(&out, token.holes_before);
      out.append(tokens.list.text(token));
    }
    *value = ToBytes(info.Env(), out);
    return {};
  });
}

}  // namespace freshdex::node
