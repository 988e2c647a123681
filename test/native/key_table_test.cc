#include "native/index/key_table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/index/paged_table.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::Random;

class KeyTableModel {
 public:
  explicit KeyTableModel(Random* random) : random_(*random), table_(random->Next()) {}

  void Bind(const std::string& key) {
    DocId doc = table_.bound_limit();
    if (!free_.empty() && random_.Chance(0.5)) {
      doc = free_.back();
      free_.pop_back();
    }
    table_.Bind(key, doc);
    docs_[key] = doc;
  }

  void Release(const std::string& key) {
    const DocId doc = docs_.at(key);
    table_.Release(doc);
    EXPECT(!table_.IsBound(doc));
    free_.push_back(doc);
    docs_.erase(key);
  }

  bool Has(const std::string& key) const { return docs_.count(key) != 0; }

  void Check(const std::string& key) const {
    const auto known = docs_.find(key);
    EXPECT_EQ(table_.Find(key), known == docs_.end() ? kNoDoc : known->second);
  }

  void CheckAll() const {
    EXPECT_EQ(table_.bound_count(), docs_.size());
    for (const auto& [key, doc] : docs_) {
      EXPECT_EQ(table_.Find(key), doc);
      EXPECT_EQ(table_.KeyOf(doc), key);
      EXPECT(table_.IsBound(doc));
    }
  }

 private:
  Random& random_;
  KeyTable table_;
  std::map<std::string, DocId> docs_;
  std::vector<DocId> free_;
};

// Few keys and many releases: the table stays small and full, so that probe sequences are long and wrap around.
TEST(KeyTable, AgreesWithAMapUnderBindAndRelease) {
  Random random;
  for (size_t round = 0; round < test::Rounds(40); ++round) {
    KeyTableModel model(&random);
    const size_t keys = random.Between(1, 60);
    for (size_t step = 0; step < 400; ++step) {
      const std::string key = "s" + std::to_string(random.Below(keys));
      model.Check(key);
      if (!model.Has(key)) {
        model.Bind(key);
      } else if (random.Chance(0.7)) {
        model.Release(key);
      }
      model.Check(key);
    }
    model.CheckAll();
  }
}

TEST(KeyTable, GrowsToManyKeys) {
  Random random;
  KeyTableModel model(&random);
  for (size_t i = 0; i < 20000; ++i) model.Bind("n" + std::to_string(i));
  model.CheckAll();
  for (size_t i = 0; i < 20000; i += 3) model.Release("n" + std::to_string(i));
  model.CheckAll();
  model.Check("n0");
}

TEST(KeyTable, HoldsKeysOfAllLengths) {
  KeyTable table(4);
  EXPECT_EQ(table.Find("s"), kNoDoc);
  for (size_t length = 1; length <= kMaxKeyBytes; ++length)
    table.Bind(std::string(length, 'k'), static_cast<DocId>(length - 1));
  for (size_t length = 1; length <= kMaxKeyBytes; ++length) {
    EXPECT_EQ(table.Find(std::string(length, 'k')), length - 1);
    EXPECT_EQ(table.KeyOf(static_cast<DocId>(length - 1)).size(), length);
  }
  EXPECT_EQ(table.Find(std::string(kMaxKeyBytes + 1, 'k')), kNoDoc);
}

TEST(KeyTable, CountsItsMemoryDownAgain) {
  KeyTable table(5);
  table.Bind("sfirst", 0);
  const size_t before = table.MemoryBytes();
  table.Bind("ssecond", 1);
  EXPECT(table.MemoryBytes() > before);
  table.Release(1);
  EXPECT_EQ(table.MemoryBytes(), before);
}

using SmallTable = PagedTable<int, 4>;

std::vector<int> ValuesOf(const SmallTable& table, size_t count) {
  std::vector<int> values;
  for (size_t i = 0; i < count; ++i) values.push_back(table[i]);
  return values;
}

TEST(PagedTable, LeavesOlderCopiesAsTheyWere) {
  Random random;
  constexpr size_t kElements = 60;
  SmallTable table;
  std::vector<int> model(kElements, 0);
  std::vector<std::pair<SmallTable, std::vector<int>>> older;
  for (size_t round = 0; round < test::Rounds(200); ++round) {
    SmallTable next = table;
    SmallTable::Editor editor(&next);
    std::vector<int> next_model = model;
    for (size_t edits = random.Below(10); edits > 0; --edits) {
      const size_t at = random.Below(std::min<size_t>(kElements, 4 + round));
      next_model[at] = static_cast<int>(random.Below(1000));
      editor.Set(at, next_model[at]);
    }
    older.emplace_back(table, model);
    table = next;
    model = next_model;
    EXPECT_EQ(ValuesOf(table, kElements), model);
  }
  for (const auto& [copy, values] : older) EXPECT_EQ(ValuesOf(copy, kElements), values);
}

TEST(PagedTable, SharesPagesItDoesNotTouch) {
  SmallTable table;
  EXPECT_EQ(table[1u << 31], 0);
  EXPECT(table.page(0) == nullptr);
  SmallTable::Editor(&table).Set(9, 90);
  EXPECT(table.page(0) == nullptr && table.page(1) == nullptr);
  EXPECT_EQ(table.page(2)[1], 90);
  EXPECT_EQ(table.page(2)[0], 0);

  SmallTable copy = table;
  SmallTable::Editor editor(&copy);
  editor.Set(1, 10);
  EXPECT(copy.page(2) == table.page(2));
  editor.Set(8, 80);
  EXPECT(copy.page(2) != table.page(2));
  const int* own = copy.page(2);
  editor.Set(10, 100);
  EXPECT(copy.page(2) == own);
  EXPECT_EQ(table[8], 0);
  EXPECT_EQ(copy[9], 90);
  EXPECT(copy.MemoryBytes() >= 3 * 4 * sizeof(int));
}

TEST(PagedTable, LetsGoOfWhatNoCopyShows) {
  PagedTable<std::shared_ptr<const int>, 4> table;
  auto value = std::make_shared<const int>(1);
  const std::weak_ptr<const int> watch = value;
  decltype(table)::Editor(&table).Set(2, std::move(value));
  auto copy = table;
  decltype(table)::Editor(&table).Set(2, nullptr);
  EXPECT(!watch.expired());
  copy = {};
  EXPECT(watch.expired());
}

}  // namespace
}  // namespace freshdex::index
