#include "native/score/filter.h"

#include <algorithm>
#include <cmath>

namespace freshdex::score {
namespace {

Status MalformedFilter(const char* what) { return Status(Code::kMalformed, std::string("malformed filter: ") + what); }

class FilterDecoder {
 public:
  FilterDecoder(std::string_view wire, const std::vector<index::Column>& columns) : reader_(wire), columns_(columns) {}

  Status DecodeNode(size_t depth, FilterNode* node) {
    if (depth > kMaxFilterDepth) return Status(Code::kQueryTooComplex, "a filter may be 32 levels deep");
    if (++nodes_ > kMaxFilterNodes) return Status(Code::kQueryTooComplex, "a filter may have 4096 conditions");
    node->kind = static_cast<FilterKind>(reader_.Read<uint8_t>());  // any byte; the switch refuses unknown ones
    switch (node->kind) {
      case FilterKind::kAnd:
      case FilterKind::kOr:
        return DecodeGroup(depth, node);
      case FilterKind::kNot:
        return DecodeNode(depth + 1, &node->children.emplace_back());
      case FilterKind::kAny:
      case FilterKind::kAll:
        return DecodeValues(node);
      case FilterKind::kRange:
        if (!ReadColumn(&reader_, columns_, &node->column) || IsKeyword(*node)) return MalformedFilter("column");
        return ReadRange(&reader_, &node->range) ? Status() : MalformedFilter("range");
      case FilterKind::kExists:
        return ReadColumn(&reader_, columns_, &node->column) ? Status() : MalformedFilter("column");
    }
    return MalformedFilter("kind");
  }

  bool is_at_end() const { return reader_.ok() && reader_.remaining() == 0; }

 private:
  bool IsKeyword(const FilterNode& node) const { return columns_[node.column].kind() == index::ColumnKind::kKeyword; }

  Status DecodeGroup(size_t depth, FilterNode* node) {
    const uint16_t children = reader_.Read<uint16_t>();
    if (!reader_.ok()) return MalformedFilter("end");
    for (uint16_t i = 0; i < children; ++i) {
      Status status = DecodeNode(depth + 1, &node->children.emplace_back());
      if (!status.ok()) return status;
    }
    return {};
  }

  Status DecodeValues(FilterNode* node) {
    if (!ReadColumn(&reader_, columns_, &node->column)) return MalformedFilter("column");
    const uint32_t count = reader_.Read<uint32_t>();
    if (!reader_.ok()) return MalformedFilter("end");
    values_ += count;
    if (values_ > kMaxFilterValues) return Status(Code::kQueryTooComplex, "a filter may have 1048576 values");
    // A value takes at least four bytes: no more are made room for than there can be.
    if (count > reader_.remaining() / sizeof(uint32_t)) return MalformedFilter("values");
    for (uint32_t i = 0; i < count && reader_.ok(); ++i) {
      if (IsKeyword(*node)) {
        node->words.emplace_back(reader_.ReadBytes(reader_.Read<uint32_t>()));
      } else {
        node->numbers.push_back(reader_.Read<double>());
        if (std::isnan(node->numbers.back())) return MalformedFilter("value");
      }
    }
    return reader_.ok() ? Status() : MalformedFilter("values");
  }

  ByteReader reader_;
  const std::vector<index::Column>& columns_;
  size_t nodes_ = 0;
  size_t values_ = 0;
};

}  // namespace

bool ReadColumn(ByteReader* reader, const std::vector<index::Column>& columns, size_t* column) {
  *column = reader->Read<uint16_t>();
  return reader->ok() && *column < columns.size();
}

bool ReadRange(ByteReader* reader, ValueRange* range) {
  range->min = reader->Read<double>();
  range->max = reader->Read<double>();
  const uint8_t open = reader->Read<uint8_t>();
  range->is_min_open = (open & 1) != 0;
  range->is_max_open = (open & 2) != 0;
  return reader->ok() && open <= 3 && !std::isnan(range->min) && !std::isnan(range->max);
}

Result<FilterNode> DecodeFilter(std::string_view wire, const std::vector<index::Column>& columns) {
  FilterDecoder decoder(wire, columns);
  FilterNode root;
  Status status = decoder.DecodeNode(1, &root);
  if (!status.ok()) return status;
  if (!decoder.is_at_end()) return MalformedFilter("length");
  return root;
}

}  // namespace freshdex::score
