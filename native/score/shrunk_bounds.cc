#include "native/score/shrunk_bounds.h"

#include "native/score/similarity.h"

namespace freshdex::score {

ShrunkBounds::ShrunkBounds(const FieldScorer& scorer, const index::Snapshot& snapshot, size_t field) {
  const index::NormTable& norms = snapshot.norms[field];
  snapshot.shrunk[field].ForEachUpTo(index::kNoDoc, [&](const index::ShrunkDocuments::Entry& entry) {
    const uint8_t norm = norms[entry.doc];
    if (norm == 0 || norm >= entry.norm_before) return;
    newest_ = std::max(newest_, entry.sequence);
    const size_t at = entry.doc / kRange;
    if (at >= ranges_.size()) ranges_.resize(at + 1);
    const double times = scorer.Score(1, 1, norm) / scorer.Score(1, 1, entry.norm_before);
    ranges_[at].times = std::max(ranges_[at].times, static_cast<float>(times));
    ranges_[at].norm = std::min(ranges_[at].norm, norm);
  });
}

}  // namespace freshdex::score
