#include "native/quality/workload.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::quality {
namespace {

uint32_t HashOf(std::string_view text) { return static_cast<uint32_t>(Xxh64(text, 0)); }

Status Malformed(const char* what) { return Status(Code::kMalformed, what); }

}  // namespace

Result<std::shared_ptr<const Workload>> Workload::Decode(std::string_view wire) {
  std::shared_ptr<Workload> workload(new Workload());
  ByteReader reader(wire);
  const uint32_t count = reader.Read<uint32_t>();
  if (!reader.ok() || count > kMaxQueries) return Malformed("a workload has too many queries");
  for (uint32_t q = 0; q < count; ++q) {
    const uint32_t id = reader.Read<uint32_t>();
    const double weight = reader.Read<double>();
    const uint16_t words = reader.Read<uint16_t>();
    if (!reader.ok()) return Malformed("a workload is cut off");
    if (!std::isfinite(weight) || weight <= 0) return Malformed("a query's weight is not above 0");
    if (words == 0 || words > kMaxQueryWords) return Malformed("a query has no words or too many");
    const size_t first = workload->query_words_.size();
    for (uint16_t w = 0; w < words; ++w) {
      const std::string_view text = reader.ReadBytes(reader.Read<uint8_t>());
      if (!reader.ok() || text.empty()) return Malformed("a query's word is cut off or empty");
      const WordNumber word = workload->FindOrAdd(text);
      const auto begin = workload->query_words_.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::find(begin, workload->query_words_.end(), word) != workload->query_words_.end())
        return Malformed("a query repeats a word");
      workload->query_words_.push_back(word);
    }
    workload->ids_.push_back(id);
    workload->weights_.push_back(weight);
    workload->total_weight_ += weight;
    workload->word_begins_.push_back(static_cast<uint32_t>(workload->query_words_.size()));
  }
  if (reader.remaining() != 0) return Malformed("a workload has bytes behind its end");
  return std::shared_ptr<const Workload>(std::move(workload));
}

std::shared_ptr<const Workload> Workload::WithWeights(std::vector<double> weights) const {
  const std::shared_ptr<Workload> workload(new Workload(*this));
  workload->weights_ = std::move(weights);
  workload->total_weight_ = 0;
  for (double weight : workload->weights_) workload->total_weight_ += weight;
  return workload;
}

std::shared_ptr<const Workload> Workload::Part(std::span<const QueryNumber> queries,
                                               std::vector<double> weights) const {
  const std::shared_ptr<Workload> part(new Workload());
  for (QueryNumber query : queries) {
    part->ids_.push_back(ids_[query]);
    for (WordNumber word : words(query)) part->query_words_.push_back(part->FindOrAdd(texts_[word]));
    part->word_begins_.push_back(static_cast<uint32_t>(part->query_words_.size()));
  }
  for (double weight : weights) part->total_weight_ += weight;
  part->weights_ = std::move(weights);
  return part;
}

bool Workload::HasWordsOf(QueryNumber query, const Workload& other, QueryNumber of) const {
  const auto is_same = [&](WordNumber mine, WordNumber its) { return texts_[mine] == other.texts_[its]; };
  return std::ranges::equal(words(query), other.words(of), is_same);
}

size_t Workload::PlaceOf(std::string_view text, uint32_t hash) const {
  const size_t mask = table_.size() - 1;
  size_t at = hash & mask;
  while (table_[at].word_plus_1 != 0 && (table_[at].hash != hash || texts_[table_[at].word_plus_1 - 1] != text))
    at = (at + 1) & mask;
  return at;
}

void Workload::GrowTable() {
  const std::vector<Place> before = std::exchange(table_, std::vector<Place>(std::max<size_t>(64, 2 * table_.size())));
  for (const Place& place : before) {
    if (place.word_plus_1 != 0) table_[PlaceOf(texts_[place.word_plus_1 - 1], place.hash)] = place;
  }
}

WordNumber Workload::FindOrAdd(std::string_view text) {
  if (2 * texts_.size() >= table_.size()) GrowTable();
  const uint32_t hash = HashOf(text);
  Place& place = table_[PlaceOf(text, hash)];
  if (place.word_plus_1 == 0) {
    texts_.emplace_back(text);
    place = {hash, static_cast<uint32_t>(texts_.size())};
  }
  return place.word_plus_1 - 1;
}

WordNumber Workload::Find(std::string_view text) const {
  if (table_.empty()) return kNoWord;
  const uint32_t found = table_[PlaceOf(text, HashOf(text))].word_plus_1;
  return found == 0 ? kNoWord : found - 1;
}

size_t Workload::MemoryBytes() const {
  return ids_.capacity() * 4 + weights_.capacity() * 8 + (word_begins_.capacity() + query_words_.capacity()) * 4 +
         texts_.capacity() * sizeof(std::string) + table_.capacity() * sizeof(Place);
}

}  // namespace freshdex::quality
