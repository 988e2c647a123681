#include "native/score/filter_cache.h"

#include <algorithm>
#include <utility>

#include "native/score/filter_scan.h"

namespace freshdex::score {
namespace {

using Page = std::shared_ptr<const index::ColumnPage>;

bool IsSame(const std::weak_ptr<const index::ColumnPage>& seen, const Page& page) {
  return !seen.owner_before(page) && !page.owner_before(seen);
}

const Page& PageOf(const index::Column& column, size_t number) {
  static const Page kNone;
  return number < column.pages().size() ? column.pages()[number] : kNone;
}

}  // namespace

size_t FilterCache::Kept::MemoryBytes() const {
  size_t bytes = wire.capacity() + passing->MemoryBytes() + (scanned ? scanned->MemoryBytes() : 0);
  for (const auto& seen : pages) bytes += seen.capacity() * sizeof(SeenPage);
  return bytes;
}

SharedDocuments FilterCache::Passing(const index::Snapshot& snapshot, std::string_view wire, const FilterNode& filter,
                                     SearchBudget* budget) {
  const auto found = std::ranges::find_if(kept_, [&](const Kept& kept) { return kept.wire == wire; });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    Kept& kept = kept_.front();
    const bool is_current = kept.sequence == snapshot.sequence || Update(snapshot, filter, budget, &kept);
    return is_current ? kept.passing : nullptr;
  }
  Kept kept;
  kept.wire = wire;
  if (!Update(snapshot, filter, budget, &kept)) return nullptr;
  kept_.push_front(std::move(kept));
  DropOldest();
  return kept_.front().passing;
}

bool FilterCache::Update(const index::Snapshot& snapshot, const FilterNode& filter, SearchBudget* budget, Kept* kept) {
  const FilterScan scan(snapshot, filter);
  const SharedDocuments visible = scan.needs_visible() ? Visible(snapshot, budget) : nullptr;
  if (scan.needs_visible() && !visible) return false;
  const SharedDocuments& before = kept->scanned ? kept->scanned : kept->passing;
  auto scanned = std::make_shared<DocumentSet>(snapshot.doc_limit);
  const std::span<uint64_t> words = scanned->words();
  const size_t pages = (words.size() + FilterScan::kPageWords - 1) / FilterScan::kPageWords;
  const size_t pages_before = kept->pages.empty() ? 0 : kept->pages.front().size();
  std::vector<std::vector<SeenPage>> seen(scan.columns().size());
  for (auto& column : seen) column.reserve(pages);
  for (size_t page = 0; page < pages; ++page) {
    bool is_changed = page >= pages_before;
    for (size_t i = 0; i < seen.size(); ++i) {
      const Page& now = PageOf(snapshot.columns[scan.columns()[i]], page);
      is_changed = is_changed || !IsSame(kept->pages[i][page], now);
      seen[i].push_back(now);
    }
    if (!budget->Spend(is_changed ? FilterScan::kPageDocs / 4 : 1)) return false;
    const size_t first = page * FilterScan::kPageWords;
    const size_t count = std::min(FilterScan::kPageWords, words.size() - first);
    // The last page of the former set may have been shorter.
    if (!is_changed && before->words().size() >= first + count) {
      std::copy_n(before->words().begin() + static_cast<std::ptrdiff_t>(first), count,
                  words.begin() + static_cast<std::ptrdiff_t>(first));
    } else {
      const FilterScan::PageBits bits = scan.Scan(page);
      std::copy_n(bits.begin(), count, words.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
  if (visible) {
    auto passing = std::make_shared<DocumentSet>(*scanned);
    passing->IntersectWith(*visible);
    kept->passing = std::move(passing);
    kept->scanned = std::move(scanned);
  } else {
    kept->passing = std::move(scanned);
  }
  kept->pages = std::move(seen);
  kept->sequence = snapshot.sequence;
  return true;
}

SharedDocuments FilterCache::Visible(const index::Snapshot& snapshot, SearchBudget* budget) {
  if (visible_ && visible_sequence_ == snapshot.sequence) return visible_;
  std::optional<DocumentSet> visible = VisibleDocuments(snapshot, budget);
  if (!visible) return nullptr;
  visible_ = std::make_shared<const DocumentSet>(std::move(*visible));
  visible_sequence_ = snapshot.sequence;
  return visible_;
}

void FilterCache::DropOldest() {
  size_t bytes = 0, count = 0;
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    bytes += at->MemoryBytes();
    if (count++ == 0 || (count <= kMaxKept && bytes <= kMaxBytes)) continue;
    kept_.erase(at, kept_.end());
    return;
  }
}

void FilterCache::Clear() {
  kept_.clear();
  visible_ = nullptr;
}

}  // namespace freshdex::score
