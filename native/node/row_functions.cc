#include "native/node/row_functions.h"

#include <cstdint>
#include <span>
#include <vector>

#include "native/base/column_rows.h"
#include "native/node/failure.h"
#include "native/node/typed_arrays.h"

namespace freshdex::node {
namespace {

// Numbers of one column in the layout: section, offset, width (0: the number of the document), and 1 for a column that
// is widened.
constexpr size_t kLayoutNumbers = 4;
// Numbers of one section: begin and stride.
constexpr size_t kSectionNumbers = 2;

bool KindOf(napi_typedarray_type type, ElementKind* kind) {
  switch (type) {
    case napi_uint8_array:
      *kind = ElementKind::kUint8;
      return true;
    case napi_uint16_array:
      *kind = ElementKind::kUint16;
      return true;
    case napi_uint32_array:
      *kind = ElementKind::kUint32;
      return true;
    case napi_float32_array:
      *kind = ElementKind::kFloat32;
      return true;
    case napi_float64_array:
      *kind = ElementKind::kFloat64;
      return true;
    default:
      return false;
  }
}

struct RowArguments {
  std::vector<RowColumn> columns;
  std::vector<RowSection> sections;
  std::span<uint32_t> documents;
  std::span<uint8_t> bytes;

  // (columns, layout, sections, documents, bytes). False for arguments of which some place would lie outside.
  bool Read(const Napi::CallbackInfo& info) {
    std::span<uint32_t> layout, places;
    if (!info[0].IsArray() || !SpanOf(info.Env(), info[1], napi_uint32_array, &layout) ||
        !SpanOf(info.Env(), info[2], napi_uint32_array, &places) ||
        !SpanOf(info.Env(), info[3], napi_uint32_array, &documents) ||
        !SpanOf(info.Env(), info[4], napi_uint8_array, &bytes) || places.size() % kSectionNumbers != 0) {
      return false;
    }
    for (size_t at = 0; at < places.size(); at += kSectionNumbers) sections.push_back({places[at], places[at + 1]});
    const Napi::Array arrays = info[0].As<Napi::Array>();
    if (arrays.Length() * kLayoutNumbers != layout.size()) return false;
    columns.resize(arrays.Length());
    for (uint32_t at = 0; at < columns.size(); ++at) {
      napi_value array = nullptr;
      if (napi_get_element(info.Env(), arrays, at, &array) != napi_ok) return false;
      TypedArray values;
      if (!TypedArrayOf(info.Env(), array, &values) || !KindOf(values.type, &columns[at].kind)) return false;
      columns[at].values = static_cast<uint8_t*>(values.data);
      columns[at].count = values.count;
      const auto numbers = layout.subspan(at * kLayoutNumbers, kLayoutNumbers);
      columns[at].section = numbers[0];
      columns[at].offset = numbers[1];
      columns[at].is_number = numbers[2] == 0;
      columns[at].width = columns[at].is_number ? 1 : numbers[2];
      columns[at].is_widened = numbers[3] != 0;
    }
    return AreWithin(columns, sections, documents.size(), bytes.size());
  }
};

Failure BadRows() {
  return {"INTERNAL", "expected columns, their layout, sections, documents and bytes that fit them"};
}

Napi::Value Gather(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    RowArguments rows;
    if (!rows.Read(info)) return BadRows();
    GatherRows(rows.columns, rows.sections, rows.documents, rows.bytes);
    return {};
  });
}

Napi::Value Scatter(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    RowArguments rows;
    if (!rows.Read(info)) return BadRows();
    for (const RowColumn& column : rows.columns) {
      if (column.is_widened) return BadRows();
    }
    ScatterRows(rows.columns, rows.sections, rows.documents, rows.bytes);
    return {};
  });
}

}  // namespace

void DefineRowFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("gatherRows", Napi::Function::New<Gather>(env, "gatherRows"));
  exports.Set("scatterRows", Napi::Function::New<Scatter>(env, "scatterRows"));
}

}  // namespace freshdex::node
