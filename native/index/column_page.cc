#include "native/index/column_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

constexpr size_t kPageHead = 8;
constexpr size_t kPageBegins = (ColumnPage::kDocs + 1) * sizeof(uint32_t) + 4;

constexpr uint64_t PadToEight(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

template <typename T>
bool DocumentsAscend(const ColumnPage& page) {
  for (size_t nth = 0; nth < ColumnPage::kDocs; ++nth) {
    const std::span<const T> values = page.Values<T>(nth);
    for (size_t i = 1; i < values.size(); ++i) {
      if (!(values[i - 1] < values[i])) return false;
    }
  }
  return true;
}

}  // namespace

ColumnPage::ColumnPage(std::span<const uint32_t> begins, std::string_view values, uint32_t count) : count_(count) {
  bool is_dense = count == kDocs;
  for (size_t nth = 0; nth <= kDocs && is_dense; ++nth) is_dense = begins[nth] == nth;
  const size_t head = kPageHead + (is_dense ? 0 : kPageBegins);
  own_.resize(PadToEight(head + values.size()) / 8, 0);
  char* bytes = reinterpret_cast<char*>(own_.data());
  const uint32_t words[2] = {count, is_dense ? 1u : 0u};
  std::memcpy(bytes, words, sizeof(words));
  if (!is_dense) std::memcpy(bytes + kPageHead, begins.data(), begins.size_bytes());
  if (!values.empty()) std::memcpy(bytes + head, values.data(), values.size());
  bytes_ = {bytes, own_.size() * 8};
  begins_ = is_dense ? nullptr : reinterpret_cast<const uint32_t*>(bytes + kPageHead);
  values_ = bytes + head;
}

std::shared_ptr<const ColumnPage> ColumnPage::Open(std::string_view at, ColumnKind kind, uint32_t ordinals,
                                                   std::shared_ptr<const SegmentFile> segment) {
  ByteReader reader(at);
  const uint32_t count = reader.Read<uint32_t>();
  const uint32_t dense = reader.Read<uint32_t>();
  const uint64_t value_bytes = kind == ColumnKind::kKeyword ? sizeof(uint32_t) : sizeof(double);
  const uint64_t head = kPageHead + (dense == 1 ? 0 : kPageBegins);
  const uint64_t bytes = PadToEight(head + value_bytes * count);
  if (!reader.ok() || dense > 1 || (dense == 1 && count != kDocs) || bytes > at.size()) return nullptr;
  std::shared_ptr<ColumnPage> page(new ColumnPage());
  page->segment_ = std::move(segment);
  page->bytes_ = at.substr(0, bytes);
  page->count_ = count;
  page->begins_ = dense == 1 ? nullptr : reinterpret_cast<const uint32_t*>(at.data() + kPageHead);
  page->values_ = at.data() + head;
  if (!page->MakesSense(kind, ordinals)) return nullptr;
  return page;
}

bool ColumnPage::MakesSense(ColumnKind kind, uint32_t ordinals) const {
  if (begins_) {
    if (begins_[0] != 0 || begins_[kDocs] != count_ || !std::is_sorted(begins_, begins_ + kDocs + 1)) return false;
  }
  if (kind == ColumnKind::kKeyword) {
    const auto all = All<uint32_t>();
    const bool are_known = std::all_of(all.begin(), all.end(), [&](uint32_t ordinal) { return ordinal < ordinals; });
    return are_known && DocumentsAscend<uint32_t>(*this);
  }
  const auto all = All<double>();
  const bool is_boolean = kind == ColumnKind::kBoolean;
  const auto is_value = [&](double v) { return is_boolean ? v == 0 || v == 1 : std::isfinite(v); };
  return std::all_of(all.begin(), all.end(), is_value) && DocumentsAscend<double>(*this);
}

}  // namespace freshdex::index
