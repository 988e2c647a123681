#include "native/index/column_editor.h"

#include <algorithm>

namespace freshdex::index {

ColumnEditor::ColumnEditor(const ColumnKinds& kinds, std::vector<Column>* columns)
    : kinds_(kinds), columns_(columns), edits_(kinds.size()) {}

void ColumnEditor::Set(DocId doc, std::string_view bytes) {
  const auto values = ReadValues(bytes, kinds_);
  if (!values) return;
  for (size_t c = 0; c < edits_.size(); ++c) {
    Edits& of = edits_[c];
    Column& column = (*columns_)[c];
    if (column.kind() == ColumnKind::kKeyword) {
      const auto begin = static_cast<uint32_t>(of.ordinals.size());
      for (const std::string_view word : (*values)[c].words) of.ordinals.push_back(column.TakeWord(word));
      std::sort(of.ordinals.begin() + begin, of.ordinals.end());
      of.edits.push_back({doc, begin, static_cast<uint32_t>(of.ordinals.size())});
    } else {
      const auto begin = static_cast<uint32_t>(of.numbers.size());
      of.numbers.insert(of.numbers.end(), (*values)[c].numbers.begin(), (*values)[c].numbers.end());
      of.edits.push_back({doc, begin, static_cast<uint32_t>(of.numbers.size())});
    }
  }
}

template <typename T>
void ColumnEditor::Rebuild(std::vector<Edit>* edits, const std::vector<T>& values, Column* column) {
  const auto given = [&](const Edit& edit) { return std::span(values).subspan(edit.begin, edit.end - edit.begin); };
  const auto present = [&](DocId doc) {
    const ColumnPage* page = column->page(doc / ColumnPage::kDocs);
    return page ? page->Values<T>(doc % ColumnPage::kDocs) : std::span<const T>();
  };
  // Most documents of a batch keep most of their values.
  std::erase_if(*edits, [&](const Edit& edit) { return std::ranges::equal(given(edit), present(edit.doc)); });
  std::sort(edits->begin(), edits->end(), [](const Edit& a, const Edit& b) { return a.doc < b.doc; });
  std::vector<uint32_t> begins(ColumnPage::kDocs + 1);
  std::vector<T> all;
  for (size_t i = 0; i < edits->size();) {
    const size_t number = (*edits)[i].doc / ColumnPage::kDocs;
    all.clear();
    for (size_t nth = 0; nth < ColumnPage::kDocs; ++nth) {
      const auto doc = static_cast<DocId>(number * ColumnPage::kDocs + nth);
      begins[nth] = static_cast<uint32_t>(all.size());
      const bool is_edited = i < edits->size() && (*edits)[i].doc == doc;
      const std::span<const T> of = is_edited ? given((*edits)[i++]) : present(doc);
      all.insert(all.end(), of.begin(), of.end());
    }
    begins.back() = static_cast<uint32_t>(all.size());
    column->SetPage(number, all.empty() ? nullptr : ColumnPage::Build<T>(begins, all));
  }
}

void ColumnEditor::Finish() {
  for (size_t c = 0; c < edits_.size(); ++c) {
    Column* column = &(*columns_)[c];
    if (column->kind() == ColumnKind::kKeyword) {
      Rebuild(&edits_[c].edits, edits_[c].ordinals, column);
    } else {
      Rebuild(&edits_[c].edits, edits_[c].numbers, column);
    }
  }
}

}  // namespace freshdex::index
