// Changes the columns of one snapshot that no reader has seen yet. Pages shared with older snapshots are copied once,
// at the end, whatever the number of documents that change in them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "native/index/column.h"

namespace freshdex::index {

class ColumnEditor {
 public:
  ColumnEditor(const ColumnKinds& kinds, std::vector<Column>* columns);

  // The values (column_values.h) that the document has from now on. REQUIRES: they are sound, and each document is set
  // once.
  void Set(DocId doc, std::string_view values);
  void Finish();

 private:
  struct Edit {
    DocId doc;
    uint32_t begin, end;  // into `numbers` or `ordinals`
  };
  struct Edits {
    std::vector<Edit> edits;
    std::vector<double> numbers;
    std::vector<uint32_t> ordinals;
  };
  template <typename T>
  static void Rebuild(std::vector<Edit>* edits, const std::vector<T>& values, Column* column);

  const ColumnKinds& kinds_;
  std::vector<Column>* columns_;
  std::vector<Edits> edits_;  // by column
};

}  // namespace freshdex::index
