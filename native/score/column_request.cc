#include "native/score/column_request.h"

#include <cmath>
#include <utility>

namespace freshdex::score {
namespace {

using index::ColumnKind;

class RequestDecoder {
 public:
  RequestDecoder(std::string_view wire, const std::vector<index::Column>& columns) : reader_(wire), columns_(columns) {}

  Status Decode() {
    Status status = DecodeFilterPart();
    if (!status.ok()) return status;
    const uint8_t keys = reader_.Read<uint8_t>();
    if (keys > kMaxSortKeys) return Status(Code::kQueryTooComplex, "a search may be sorted by 8 columns");
    for (uint8_t i = 0; i < keys; ++i) {
      if (!DecodeSortKey()) return Malformed("sort");
    }
    if (request_.sort.empty()) request_.sort.emplace_back();
    for (uint8_t left = reader_.Read<uint8_t>(); left > 0; --left) {
      if (!DecodeFacet(&request_.facets.emplace_back())) return Malformed("facet");
    }
    for (uint8_t left = reader_.Read<uint8_t>(); left > 0; --left) {
      if (!DecodeBoost(&request_.boosts.emplace_back())) return Malformed("boost");
    }
    if (!DecodeAfter()) return Malformed("cursor");
    if (!DecodeGroup()) return Malformed("group");
    return reader_.ok() && reader_.remaining() == 0 ? Status() : Malformed("length");
  }

  ColumnRequest& request() { return request_; }

 private:
  static Status Malformed(const char* what) {
    return Status(Code::kMalformed, std::string("malformed columns of a search: ") + what);
  }

  bool ReadColumnOf(size_t* column) { return ReadColumn(&reader_, columns_, column); }
  bool IsKeyword(size_t column) const { return columns_[column].kind() == ColumnKind::kKeyword; }
  bool ReadFinite(double* number) {
    *number = reader_.Read<double>();
    return reader_.ok() && std::isfinite(*number);
  }

  Status DecodeFilterPart() {
    request_.filter_wire = reader_.ReadBytes(reader_.Read<uint32_t>());
    if (!reader_.ok()) return Malformed("filter");
    if (request_.filter_wire.empty()) return {};
    Result<FilterNode> filter = DecodeFilter(request_.filter_wire, columns_);
    if (!filter.ok()) return filter.status();
    request_.filter = std::move(filter.value());
    return {};
  }

  bool DecodeSortKey() {
    SortKey& key = request_.sort.emplace_back();
    const uint8_t by = reader_.Read<uint8_t>();
    if (by > 2) return false;
    key.by = static_cast<SortKey::By>(by);
    if (key.by != SortKey::By::kScore) return ReadColumnOf(&key.column);
    return reader_.Read<uint16_t>() == 0 && reader_.ok();
  }

  bool DecodeFacet(FacetRequest* facet) {
    const uint8_t kind = reader_.Read<uint8_t>();
    if (!ReadColumnOf(&facet->column)) return false;
    facet->kind = static_cast<FacetRequest::Kind>(kind);
    switch (facet->kind) {
      case FacetRequest::Kind::kValues:
        facet->limit = reader_.Read<uint32_t>();
        return reader_.ok();
      case FacetRequest::Kind::kRanges: {
        const uint16_t ranges = reader_.Read<uint16_t>();
        if (IsKeyword(facet->column) || ranges > kMaxRanges) return false;
        for (uint16_t i = 0; i < ranges; ++i) {
          if (!ReadRange(&reader_, &facet->ranges.emplace_back())) return false;
        }
        return reader_.ok();
      }
      case FacetRequest::Kind::kInterval: {
        const uint8_t interval = reader_.Read<uint8_t>();
        facet->interval = static_cast<DateInterval>(interval);
        return reader_.ok() && interval <= static_cast<uint8_t>(DateInterval::kHour) &&
               columns_[facet->column].kind() == ColumnKind::kDate;
      }
    }
    return false;
  }

  bool DecodeBoost(BoostFunction* boost) {
    const uint8_t kind = reader_.Read<uint8_t>();
    if (!ReadColumnOf(&boost->column) || IsKeyword(boost->column)) return false;
    boost->kind = static_cast<BoostFunction::Kind>(kind);
    switch (boost->kind) {
      case BoostFunction::Kind::kDecay:
        if (!ReadFinite(&boost->origin) || !ReadFinite(&boost->half_life) || !ReadFinite(&boost->floor)) return false;
        return boost->half_life > 0 && boost->floor >= 0 && boost->floor <= 1;
      case BoostFunction::Kind::kLog:
        return ReadFinite(&boost->factor) && boost->factor >= 0;
    }
    return false;
  }

  bool DecodeAfter() {
    const uint8_t has_after = reader_.Read<uint8_t>();
    if (has_after == 0) return reader_.ok();
    CursorPoint point;
    point.document = reader_.Read<uint32_t>();
    const uint8_t values = reader_.Read<uint8_t>();
    if (has_after != 1 || values != request_.sort.size()) return false;
    for (const SortKey& key : request_.sort) {
      if (!DecodeValue(key, &point.values.emplace_back())) return false;
    }
    request_.after = std::move(point);
    return true;
  }

  bool DecodeValue(const SortKey& key, ColumnValue* value) {
    const bool is_score = key.by == SortKey::By::kScore;
    switch (reader_.Read<uint8_t>()) {
      case 0:
        return reader_.ok() && !is_score;
      case 1: {
        double number = 0;
        if ((!is_score && IsKeyword(key.column)) || !ReadFinite(&number)) return false;
        *value = number;
        return true;
      }
      case 2:
        if (is_score || !IsKeyword(key.column)) return false;
        *value = std::string(reader_.ReadBytes(reader_.Read<uint32_t>()));
        return reader_.ok();
      default:
        return false;
    }
  }

  bool DecodeGroup() {
    const uint8_t has_group = reader_.Read<uint8_t>();
    if (has_group == 0) return reader_.ok();
    Grouping group;
    if (has_group != 1 || !ReadColumnOf(&group.column)) return false;
    group.size = reader_.Read<uint32_t>();
    request_.group = group;
    return reader_.ok() && group.size > 0;
  }

  ByteReader reader_;
  const std::vector<index::Column>& columns_;
  ColumnRequest request_;
};

}  // namespace

Result<ColumnRequest> DecodeColumnRequest(std::string_view wire, const std::vector<index::Column>& columns) {
  RequestDecoder decoder(wire, columns);
  Status status = decoder.Decode();
  if (!status.ok()) return status;
  return std::move(decoder.request());
}

}  // namespace freshdex::score
