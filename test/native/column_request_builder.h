// Requests of columns for tests: their bytes on the wire (native/score/column_request.h), and random ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "native/base/bytes.h"
#include "native/score/column_request.h"
#include "test/native/naive_columns.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::test {

inline void AppendRange(const score::ValueRange& range, std::string* wire) {
  AppendValue(wire, range.min);
  AppendValue(wire, range.max);
  AppendValue(wire, static_cast<uint8_t>((range.is_min_open ? 1 : 0) | (range.is_max_open ? 2 : 0)));
}

inline void AppendText(const std::string& text, std::string* wire) {
  AppendValue(wire, static_cast<uint32_t>(text.size()));
  *wire += text;
}

inline void AppendFilter(const score::FilterNode& node, std::string* wire) {
  using Kind = score::FilterKind;
  AppendValue(wire, node.kind);
  if (node.kind > Kind::kNot) AppendValue(wire, static_cast<uint16_t>(node.column));
  if (node.kind == Kind::kAnd || node.kind == Kind::kOr) AppendValue(wire, static_cast<uint16_t>(node.children.size()));
  if (node.kind == Kind::kAny || node.kind == Kind::kAll) {
    AppendValue(wire, static_cast<uint32_t>(node.words.size() + node.numbers.size()));
    for (const std::string& word : node.words) AppendText(word, wire);
    for (const double number : node.numbers) AppendValue(wire, number);
  }
  if (node.kind == Kind::kRange) AppendRange(node.range, wire);
  for (const score::FilterNode& child : node.children) AppendFilter(child, wire);
}

inline std::string FilterWire(const score::FilterNode& filter) {
  std::string wire;
  AppendFilter(filter, &wire);
  return wire;
}

inline std::string RequestWire(const score::ColumnRequest& request) {
  std::string wire;
  AppendText(request.filter_wire, &wire);
  AppendValue(&wire, static_cast<uint8_t>(request.sort.size()));
  for (const score::SortKey& key : request.sort) {
    AppendValue(&wire, key.by);
    AppendValue(&wire, static_cast<uint16_t>(key.column));
  }
  AppendValue(&wire, static_cast<uint8_t>(request.facets.size()));
  for (const score::FacetRequest& facet : request.facets) {
    AppendValue(&wire, facet.kind);
    AppendValue(&wire, static_cast<uint16_t>(facet.column));
    if (facet.kind == score::FacetRequest::Kind::kValues) AppendValue(&wire, facet.limit);
    if (facet.kind == score::FacetRequest::Kind::kInterval) AppendValue(&wire, facet.interval);
    if (facet.kind == score::FacetRequest::Kind::kRanges) {
      AppendValue(&wire, static_cast<uint16_t>(facet.ranges.size()));
      for (const score::ValueRange& range : facet.ranges) AppendRange(range, &wire);
    }
  }
  AppendValue(&wire, static_cast<uint8_t>(request.boosts.size()));
  for (const score::BoostFunction& boost : request.boosts) {
    const bool is_log = boost.kind == score::BoostFunction::Kind::kLog;
    AppendValue(&wire, boost.kind);
    AppendValue(&wire, static_cast<uint16_t>(boost.column));
    for (const double number : {boost.origin, boost.half_life, boost.floor}) {
      if (!is_log) AppendValue(&wire, number);
    }
    if (is_log) AppendValue(&wire, boost.factor);
  }
  AppendValue(&wire, uint8_t{request.after.has_value()});
  if (request.after) {
    AppendValue(&wire, request.after->document);
    AppendValue(&wire, static_cast<uint8_t>(request.after->values.size()));
    for (const score::ColumnValue& value : request.after->values) {
      AppendValue(&wire, static_cast<uint8_t>(value.index()));
      if (const double* number = std::get_if<double>(&value)) AppendValue(&wire, *number);
      if (const std::string* text = std::get_if<std::string>(&value)) AppendText(*text, &wire);
    }
  }
  AppendValue(&wire, uint8_t{request.group.has_value()});
  if (request.group) {
    AppendValue(&wire, static_cast<uint16_t>(request.group->column));
    AppendValue(&wire, request.group->size);
  }
  return wire;
}

// Requests whose values are mostly those of documents.
class RandomRequests {
 public:
  RandomRequests(Random* random, const index::ColumnKinds& kinds, const NaiveColumns& columns)
      : random_(*random), kinds_(kinds), columns_(columns) {
    for (const auto& [doc, values] : columns.documents()) docs_.push_back(doc);
  }

  score::FilterNode Filter(size_t depth) {
    score::FilterNode node;
    const uint64_t kind = random_.Below(depth == 0 ? 4 : 9);
    if (kind >= 4) {
      node.kind = kind >= 8 ? score::FilterKind::kNot : kind >= 6 ? score::FilterKind::kOr : score::FilterKind::kAnd;
      for (size_t left = kind >= 8 ? 1 : random_.Below(4); left > 0; --left) node.children.push_back(Filter(depth - 1));
      return node;
    }
    node.column = random_.Below(kinds_.size());
    if (kind == 0) {
      node.kind = score::FilterKind::kExists;
    } else if (kind == 1 && !IsKeyword(node.column)) {
      node.kind = score::FilterKind::kRange;
      node.range = Range(node.column);
    } else {
      node.kind = random_.Chance(0.7) ? score::FilterKind::kAny : score::FilterKind::kAll;
      for (size_t left = random_.Chance(0.1) ? random_.Below(40) : random_.Between(1, 3); left > 0; --left)
        AddValue(&node);
    }
    return node;
  }

  score::ColumnRequest Request() {
    score::ColumnRequest request;
    if (random_.Chance(0.6)) {
      request.filter = Filter(random_.Below(4));
      request.filter_wire = FilterWire(request.filter);
    }
    request.sort = Sort();
    for (size_t left = random_.Chance(0.5) ? 0 : random_.Below(4); left > 0; --left) request.facets.push_back(Facet());
    for (size_t left = random_.Chance(0.7) ? 0 : random_.Below(3); left > 0; --left) request.boosts.push_back(Boost());
    if (random_.Chance(0.2))
      request.group = {random_.Below(kinds_.size()), static_cast<uint32_t>(random_.Between(1, 3))};
    return request;
  }

  // A point anywhere, mostly of no document.
  score::CursorPoint Point(const std::vector<score::SortKey>& sort) {
    score::CursorPoint point;
    point.document = static_cast<index::DocId>(random_.Below(docs_.empty() ? 1 : 2 * docs_.size()));
    for (const score::SortKey& key : sort) {
      score::ColumnValue& value = point.values.emplace_back();
      if (key.by == score::SortKey::By::kScore) {
        value = random_.Unit() * 10;
      } else if (random_.Chance(0.9)) {
        if (IsKeyword(key.column)) {
          value = Word(key.column);
        } else {
          value = Number(key.column);
        }
      }
    }
    return point;
  }

 private:
  bool IsKeyword(size_t column) const { return kinds_[column] == index::ColumnKind::kKeyword; }

  std::vector<score::SortKey> Sort() {
    std::vector<score::SortKey> sort;
    for (size_t left = random_.Chance(0.4) ? 1 : random_.Between(1, 4); left > 0; --left) {
      score::SortKey& key = sort.emplace_back();
      if (random_.Chance(0.4)) continue;
      key.by = random_.Chance(0.5) ? score::SortKey::By::kAscending : score::SortKey::By::kDescending;
      key.column = random_.Below(kinds_.size());
    }
    return sort;
  }

  score::FacetRequest Facet() {
    score::FacetRequest facet;
    facet.column = random_.Below(kinds_.size());
    facet.limit = static_cast<uint32_t>(random_.Chance(0.5) ? 1000 : random_.Between(1, 5));
    if (kinds_[facet.column] == index::ColumnKind::kDate && random_.Chance(0.6)) {
      facet.kind = score::FacetRequest::Kind::kInterval;
      facet.interval = static_cast<score::DateInterval>(random_.Below(6));
    } else if (!IsKeyword(facet.column) && random_.Chance(0.5)) {
      facet.kind = score::FacetRequest::Kind::kRanges;
      for (size_t left = random_.Below(5); left > 0; --left) facet.ranges.push_back(Range(facet.column));
    }
    return facet;
  }

  score::BoostFunction Boost() {
    score::BoostFunction boost;
    do {
      boost.column = random_.Below(kinds_.size());
    } while (IsKeyword(boost.column));
    boost.kind = random_.Chance(0.5) ? score::BoostFunction::Kind::kDecay : score::BoostFunction::Kind::kLog;
    boost.factor = random_.Unit() * 3;
    boost.origin = Number(boost.column);
    boost.half_life = random_.Chance(0.5) ? 1e10 : 0.1 + random_.Unit() * 3;
    boost.floor = random_.Chance(0.3) ? 0 : random_.Unit();
    return boost;
  }

  score::ValueRange Range(size_t column) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    score::ValueRange range{Number(column), Number(column), random_.Chance(0.5), random_.Chance(0.5)};
    if (range.min > range.max && random_.Chance(0.9)) std::swap(range.min, range.max);
    if (random_.Chance(0.3)) range.min = -kInfinity;
    if (random_.Chance(0.3)) range.max = kInfinity;
    return range;
  }

  void AddValue(score::FilterNode* node) {
    if (IsKeyword(node->column)) {
      node->words.push_back(Word(node->column));
    } else {
      node->numbers.push_back(Number(node->column));
    }
  }

  const ModelColumn* Column(size_t column) {
    if (docs_.empty()) return nullptr;
    const ModelValues& values = columns_.documents().at(random_.Pick(docs_));
    return column < values.size() ? &values[column] : nullptr;
  }
  std::string Word(size_t column) {
    const ModelColumn* values = Column(column);
    if (!values || values->words.empty() || random_.Chance(0.1)) return RandomWord(&random_, "abcd", 3);
    return *values->words.begin();
  }
  double Number(size_t column) {
    const ModelColumn* values = Column(column);
    if (!values || values->numbers.empty() || random_.Chance(0.1)) return std::floor(random_.Unit() * 8) / 2;
    return random_.Chance(0.5) ? *values->numbers.begin() : *values->numbers.rbegin();
  }

  Random& random_;
  const index::ColumnKinds kinds_;
  const NaiveColumns& columns_;
  std::vector<index::DocId> docs_;
};

}  // namespace freshdex::test
