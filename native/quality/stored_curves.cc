#include "native/quality/stored_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::quality {
namespace {

std::string Sealed(const std::string& bytes, uint64_t seed) {
  std::string sealed;
  AppendValue(&sealed, Xxh64(bytes, seed));
  return sealed + bytes;
}

// The bytes behind the checksum; none when it is not theirs.
std::optional<std::string_view> Unsealed(std::string_view bytes, uint64_t seed) {
  if (bytes.size() < sizeof(uint64_t)) return std::nullopt;
  const std::string_view rest = bytes.substr(sizeof(uint64_t));
  if (LoadUnaligned<uint64_t>(bytes.data()) != Xxh64(rest, seed)) return std::nullopt;
  return rest;
}

struct Statistics {
  uint64_t epoch = 0;
  std::vector<index::FieldTotals> totals;
};

std::optional<Statistics> DecodeStatistics(std::string_view bytes, size_t fields, uint64_t seed) {
  const auto rest = Unsealed(bytes, seed);
  if (!rest) return std::nullopt;
  ByteReader reader(*rest);
  Statistics statistics;
  statistics.epoch = reader.Read<uint64_t>();
  if (reader.Read<uint32_t>() != fields) return std::nullopt;
  for (size_t field = 0; field < fields; ++field) {
    index::FieldTotals totals;
    totals.documents = reader.Read<uint64_t>();
    totals.tokens = reader.Read<uint64_t>();
    statistics.totals.push_back(totals);
  }
  if (!reader.ok() || reader.remaining() != 0) return std::nullopt;
  return statistics;
}

struct CurveRow {
  double weight = 0;
  uint32_t n = 0;
  float scale = 1;
  std::vector<float> values;
  std::vector<uint32_t> frequencies;  // by word and field
};

std::optional<CurveRow> DecodeRow(std::string_view bytes, uint64_t epoch, uint32_t id, uint32_t pieces, size_t words,
                                  size_t fields, uint64_t seed) {
  const auto rest = Unsealed(bytes, seed);
  if (!rest) return std::nullopt;
  ByteReader reader(*rest);
  CurveRow row;
  const bool is_same = reader.Read<uint64_t>() == epoch && reader.Read<uint32_t>() == id &&
                       reader.Read<uint16_t>() == pieces && reader.Read<uint16_t>() == words;
  if (!is_same) return std::nullopt;
  row.weight = reader.Read<double>();
  row.n = reader.Read<uint32_t>();
  row.scale = reader.Read<float>();
  for (uint32_t i = 0; i < pieces + 2; ++i) row.values.push_back(reader.Read<float>());
  for (size_t i = 0; i < words * fields; ++i) row.frequencies.push_back(reader.Read<uint32_t>());
  if (!reader.ok() || reader.remaining() != 0) return std::nullopt;
  if (!std::isfinite(row.weight) || row.weight <= 0) return std::nullopt;
  if (!std::isfinite(row.scale) || row.scale <= 0) return std::nullopt;
  if (!ScoreRankCurve{row.n, row.values}.IsWellFormed()) return std::nullopt;
  return row;
}

// The weight that a row says; none when it is damaged or of another epoch.
std::optional<double> WeightOf(std::string_view bytes, uint64_t epoch, uint64_t seed) {
  const auto rest = Unsealed(bytes, seed);
  if (!rest) return std::nullopt;
  ByteReader reader(*rest);
  const bool is_same = reader.Read<uint64_t>() == epoch;
  reader.ReadBytes(sizeof(uint32_t) + 2 * sizeof(uint16_t));
  const double weight = reader.Read<double>();
  if (!reader.ok() || !is_same || !std::isfinite(weight) || weight <= 0) return std::nullopt;
  return weight;
}

// What the rows other than those of `kept` weigh, as a share of all.
double LostShare(const CurveRows& rows, const Workload& kept, uint64_t epoch, uint64_t seed) {
  std::unordered_set<uint32_t> ids;
  for (QueryNumber query = 0; query < kept.queries(); ++query) ids.insert(kept.id(query));
  double lost = 0;
  for (const auto& [id, bytes] : rows) {
    if (ids.count(id) == 1) continue;
    const auto weight = WeightOf(bytes, epoch, seed);
    if (!weight) return 1;
    lost += *weight;
  }
  return lost / (lost + kept.total_weight());
}

}  // namespace

std::string EncodeStatistics(const Epoch& epoch, uint64_t seed) {
  std::string bytes;
  AppendValue(&bytes, epoch.number());
  AppendValue(&bytes, static_cast<uint32_t>(epoch.fields()));
  for (const index::FieldTotals& totals : epoch.totals()) {
    AppendValue(&bytes, static_cast<uint64_t>(totals.documents));
    AppendValue(&bytes, static_cast<uint64_t>(totals.tokens));
  }
  return Sealed(bytes, seed);
}

std::string EncodeCurve(const Epoch& epoch, const CurveSet& curves, QueryNumber query, uint64_t seed) {
  const Workload& workload = epoch.workload();
  const ScoreRankCurve curve = curves[query];
  std::string bytes;
  AppendValue(&bytes, epoch.number());
  AppendValue(&bytes, workload.id(query));
  AppendValue(&bytes, static_cast<uint16_t>(curves.pieces()));
  AppendValue(&bytes, static_cast<uint16_t>(workload.words(query).size()));
  AppendValue(&bytes, workload.weight(query));
  AppendValue(&bytes, curve.n);
  AppendValue(&bytes, curves.scale(query));
  for (float value : curve.values) AppendValue(&bytes, value);
  for (WordNumber word : workload.words(query)) {
    for (size_t field = 0; field < epoch.fields(); ++field)
      AppendValue(&bytes, epoch.frequency(epoch.SlotOf(word, field)));
  }
  return Sealed(bytes, seed);
}

std::string EncodeChanges(const Epoch& epoch, std::span<const ListChange> changes, uint64_t seed) {
  std::string bytes;
  AppendValue(&bytes, epoch.number());
  for (QueryNumber query = 0; query < changes.size(); ++query) {
    if (changes[query] == ListChange()) continue;
    AppendValue(&bytes, epoch.workload().id(query));
    AppendValue(&bytes, changes[query].churn);
    AppendValue(&bytes, changes[query].grown);
  }
  return Sealed(bytes, seed);
}

std::vector<ListChange> DecodeChanges(std::string_view bytes, const Epoch& epoch, uint64_t seed) {
  std::vector<ListChange> changes(epoch.workload().queries());
  const auto rest = Unsealed(bytes, seed);
  if (!rest) return changes;
  ByteReader reader(*rest);
  if (reader.Read<uint64_t>() != epoch.number()) return changes;
  std::unordered_map<uint32_t, ListChange> by_id;
  while (reader.remaining() > 0) {
    const uint32_t id = reader.Read<uint32_t>();
    ListChange& change = by_id[id];
    change.churn = reader.Read<float>();
    change.grown = reader.Read<int32_t>();
  }
  if (!reader.ok()) return changes;
  for (QueryNumber query = 0; query < changes.size(); ++query) {
    const auto found = by_id.find(epoch.workload().id(query));
    if (found != by_id.end() && std::isfinite(found->second.churn) && found->second.churn >= 0)
      changes[query] = found->second;
  }
  return changes;
}

std::optional<StoredCurves> DecodeCurves(std::string_view statistics, const CurveRows& rows, const Workload& workload,
                                         uint32_t pieces, const score::Scoring& scoring, uint64_t seed) {
  const size_t fields = scoring.field_boosts.size();
  auto frozen = DecodeStatistics(statistics, fields, seed);
  if (!frozen) return std::nullopt;
  // By word of the whole workload: the frequencies of its slots, empty while no row has said them.
  std::vector<std::vector<uint32_t>> known(workload.words());
  std::vector<QueryNumber> kept;
  std::vector<CurveRow> decoded;
  std::vector<double> weights;
  for (QueryNumber query = 0; query < workload.queries(); ++query) {
    const auto found = rows.find(workload.id(query));
    if (found == rows.end()) continue;
    const std::span<const WordNumber> words = workload.words(query);
    auto row = DecodeRow(found->second, frozen->epoch, workload.id(query), pieces, words.size(), fields, seed);
    if (!row) continue;
    bool agrees = true;
    for (size_t w = 0; w < words.size(); ++w) {
      const auto said = std::span(row->frequencies).subspan(w * fields, fields);
      agrees = agrees && (known[words[w]].empty() || std::ranges::equal(known[words[w]], said));
    }
    if (!agrees) continue;
    for (size_t w = 0; w < words.size(); ++w) {
      const auto said = std::span(row->frequencies).subspan(w * fields, fields);
      known[words[w]].assign(said.begin(), said.end());
    }
    kept.push_back(query);
    weights.push_back(row->weight);
    decoded.push_back(std::move(*row));
  }
  if (kept.empty()) return std::nullopt;
  const auto part = workload.Part(kept, std::move(weights));
  std::vector<uint32_t> frequencies;
  for (WordNumber word = 0; word < part->words(); ++word) {
    const std::vector<uint32_t>& said = known[workload.Find(part->text(word))];
    frequencies.insert(frequencies.end(), said.begin(), said.end());
  }
  auto curves = std::make_shared<CurveSet>(kept.size(), pieces);
  for (QueryNumber q = 0; q < kept.size(); ++q) curves->Set(q, decoded[q].n, decoded[q].values, decoded[q].scale);
  const double lost_share = LostShare(rows, *part, frozen->epoch, seed);
  auto epoch =
      std::make_shared<const Epoch>(part, std::move(frozen->totals), std::move(frequencies), scoring, frozen->epoch);
  return StoredCurves{std::move(epoch), std::move(curves), lost_share};
}

}  // namespace freshdex::quality
