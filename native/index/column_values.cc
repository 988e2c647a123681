#include "native/index/column_values.h"

#include <algorithm>
#include <cmath>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

// NaN, which no column has, where there is no boolean.
double ReadBoolean(ByteReader* reader) {
  const uint8_t value = reader->Read<uint8_t>();
  return value <= 1 ? value : NAN;
}

double ReadNumber(ByteReader* reader, ColumnKind kind) {
  return kind == ColumnKind::kBoolean ? ReadBoolean(reader) : reader->Read<double>();
}

template <typename T>
void SortOnce(std::vector<T>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

template <typename T>
bool AscendsOnce(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), [](const T& a, const T& b) { return !(a < b); }) ==
         values.end();
}

bool IsFinite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

void AppendValues(const ColumnValues& values, ColumnKind kind, std::string* out) {
  AppendVarint(out, static_cast<uint32_t>(values.numbers.size() + values.words.size()));
  for (const std::string_view word : values.words) {
    AppendVarint(out, static_cast<uint32_t>(word.size()));
    out->append(word);
  }
  for (const double number : values.numbers) {
    if (kind == ColumnKind::kBoolean) {
      out->push_back(static_cast<char>(number));
    } else {
      AppendValue(out, number);
    }
  }
}

}  // namespace

std::optional<std::string> ValuesOfPayload(std::string_view payload, const ColumnKinds& kinds, std::string_view before,
                                           bool* keeps) {
  const auto kept = ReadValues(before, kinds);
  if (!kept) return std::nullopt;
  ByteReader reader(payload);
  std::string bytes;
  size_t end = 0;  // behind the last column with a value
  for (size_t c = 0; c < kinds.size(); ++c) {
    const ColumnKind kind = kinds[c];
    uint32_t count = reader.Read<uint32_t>();
    ColumnValues values;
    if (count == kKeptValues && reader.ok()) {
      *keeps = true;
      values = (*kept)[c];
      count = 0;
    }
    if (count > kMaxValuesPerDocument) return std::nullopt;
    for (uint32_t i = 0; i < count && reader.ok(); ++i) {
      if (kind == ColumnKind::kKeyword) {
        values.words.push_back(reader.ReadBytes(reader.Read<uint32_t>()));
        if (values.words.back().size() > kMaxKeywordBytes) return std::nullopt;
      } else {
        // Of the two zeros there is one.
        values.numbers.push_back(ReadNumber(&reader, kind) + 0.0);
      }
    }
    if (!reader.ok() || !IsFinite(values.numbers)) return std::nullopt;
    SortOnce(&values.words);
    SortOnce(&values.numbers);
    AppendValues(values, kind, &bytes);
    if (!values.numbers.empty() || !values.words.empty()) end = bytes.size();
  }
  if (reader.remaining() != 0 || bytes.size() > UINT32_MAX) return std::nullopt;
  bytes.resize(end);
  return bytes;
}

std::optional<std::vector<ColumnValues>> ReadValues(std::string_view bytes, const ColumnKinds& kinds) {
  std::vector<ColumnValues> all(kinds.size());
  ByteReader reader(bytes);
  bool has_last = true;
  for (size_t c = 0; c < kinds.size() && reader.remaining() > 0; ++c) {
    ColumnValues& values = all[c];
    const uint32_t count = reader.ReadVarint();
    if (count > kMaxValuesPerDocument) return std::nullopt;
    for (uint32_t i = 0; i < count && reader.ok(); ++i) {
      if (kinds[c] == ColumnKind::kKeyword) {
        values.words.push_back(reader.ReadBytes(reader.ReadVarint()));
        if (values.words.back().size() > kMaxKeywordBytes) return std::nullopt;
      } else {
        values.numbers.push_back(ReadNumber(&reader, kinds[c]));
        if (values.numbers.back() == 0 && std::signbit(values.numbers.back())) return std::nullopt;
      }
    }
    if (!reader.ok() || !IsFinite(values.numbers) || !AscendsOnce(values.words) || !AscendsOnce(values.numbers))
      return std::nullopt;
    has_last = count > 0;
  }
  if (!reader.ok() || reader.remaining() != 0 || !has_last) return std::nullopt;
  return all;
}

}  // namespace freshdex::index
