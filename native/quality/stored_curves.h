// Curves as they are kept on disk, with the frozen statistics under which they were fitted, so that the next process
// need not fit them again. docs/file-format.md describes the bytes; all are little endian.
//
//   statistics   offset  size       meaning
//                0       8          XXH64 of all bytes behind it, under the seed of the index
//                8       8          number of the epoch
//                16      4          fields
//                20      16 fields  for each field: u64 documents, u64 tokens
//
//   curve        0       8          XXH64 of all bytes behind it
//                8       8          number of the epoch
//                16      4          id of the query
//                20      2          pieces
//                22      2          words of the query
//                24      8          weight of the query in the stakes, f64
//                32      4          length of the list that was fitted
//                36      4          scale of the query in the stakes, f32
//                40      4 (pieces + 2)     the curve, f32
//                …       4 words fields     documents that have the word, by word and field, u32
//
//   changes      0       8          XXH64 of all bytes behind it
//                8       8          number of the epoch
//                16      12 each    of each query whose list has changed: u32 id, f32 view likelihood that has
//                                   changed hands, i32 pages that came less those that went
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "native/quality/curve_set.h"
#include "native/quality/epoch.h"
#include "native/quality/list_change.h"

namespace freshdex::quality {

std::string EncodeStatistics(const Epoch& epoch, uint64_t seed);
std::string EncodeCurve(const Epoch& epoch, const CurveSet& curves, QueryNumber query, uint64_t seed);

std::string EncodeChanges(const Epoch& epoch, std::span<const ListChange> changes, uint64_t seed);

// Rows by the ids of their queries.
using CurveRows = std::unordered_map<uint32_t, std::string_view>;

struct StoredCurves {
  std::shared_ptr<const Epoch> epoch;
  std::shared_ptr<const CurveSet> curves;
  // The share of the weight of all rows that is on rows passed over, 1 if any of them is damaged. Stakes that were kept
  // with the rows have that part of them still.
  double lost_share = 0;
};
// The curves of those queries of `workload` whose rows are whole, are of the epoch of `statistics`, and fit the query,
// with the weights of the rows. Rows of other queries, and rows that disagree about a word, are passed over. None when
// the statistics are damaged or of other fields, or no curve is left.
std::optional<StoredCurves> DecodeCurves(std::string_view statistics, const CurveRows& rows, const Workload& workload,
                                         uint32_t pieces, const score::Scoring& scoring, uint64_t seed);

// By query of the epoch. Nothing has changed as far as damaged bytes, or those of another epoch, can tell.
std::vector<ListChange> DecodeChanges(std::string_view bytes, const Epoch& epoch, uint64_t seed);

}  // namespace freshdex::quality
