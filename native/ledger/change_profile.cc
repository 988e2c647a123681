#include "native/ledger/change_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace freshdex::ledger {
namespace {

// A changed version needs a place, and so does the end of the run that it begins.
constexpr size_t kLeastRoom = 2;
constexpr uint32_t kMostSkipped = 255;

// Every divergence that two sketches can have, j/n with n up to kSketchMinima, ascending and once each: 0 comes first.
struct Divergences {
  std::array<double, kSketchMinima*(kSketchMinima + 1)> values{};
  size_t count = 0;

  Divergences() {
    for (size_t n = 1; n <= kSketchMinima; ++n) {
      for (size_t j = 0; j <= n; ++j) values[count++] = static_cast<double>(j) / static_cast<double>(n);
    }
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(values.begin(), end);
    count = static_cast<size_t>(std::unique(values.begin(), end) - values.begin());
  }
};

// Its place among the divergences, up to rounding: they are at least 1/56 apart.
uint8_t PlaceOf(double divergence) {
  static const Divergences divergences;
  constexpr double kRounding = 1e-6;
  size_t place = 0;
  while (place + 1 < divergences.count && divergences.values[place] < divergence - kRounding) ++place;
  return static_cast<uint8_t>(place);
}

// The profile of one page.
class Profile {
 public:
  Profile(const LedgerColumns& columns, size_t doc)
      : base_ms_(columns.profile_base_ms[doc]),
        count_(columns.observations[doc]),
        age_seconds_(columns.observed_age_seconds + doc * kProfileObservations),
        divergence_(columns.observed_divergence + doc * kProfileObservations),
        skipped_(columns.skipped_refreshes + doc * kProfileObservations) {}

  // A row that was not made here may say that it has more observations than there are places.
  size_t count() const { return std::min<size_t>(count_, kProfileObservations); }

  // A refresh that is not later than the last observation cannot be placed.
  bool IsLater(double at_ms) const { return AgeSeconds(at_ms) > (count() == 0 ? 0.0f : age_seconds_[count() - 1]); }

  // The place of the last divergence.
  uint8_t LastDivergence() const { return count() == 0 ? uint8_t{0} : divergence_[count() - 1]; }

  // REQUIRES: IsLater(at_ms). Where nothing can make room, the observation takes the place of the last one.
  void Observe(double at_ms, uint8_t place) {
    const float age_seconds = AgeSeconds(at_ms);
    size_t count = this->count();
    uint32_t skipped = 0;
    if (count == kProfileObservations) {
      const size_t gone = LeastMissed(age_seconds, place);
      skipped = skipped_[gone] + 1u;
      Close(age_seconds_, gone);
      Close(divergence_, gone);
      Close(skipped_, gone);
      --count;
      if (gone < count) {
        skipped_[gone] = static_cast<uint8_t>(std::min(kMostSkipped, skipped_[gone] + skipped));
        skipped = 0;
      }
    }
    age_seconds_[count] = age_seconds;
    divergence_[count] = place;
    skipped_[count] = static_cast<uint8_t>(std::min(kMostSkipped, skipped));
    count_ = static_cast<uint8_t>(count + 1);
  }

  // Places that are free, or can be.
  size_t Room() const {
    size_t room = kProfileObservations - count();
    for (size_t at = 0; at < count(); ++at) room += IsInsideRun(at, kNoDivergence);
    return room;
  }

 private:
  static constexpr int kNoDivergence = -1;

  float AgeSeconds(double at_ms) const { return static_cast<float>((at_ms - base_ms_) / 1000); }

  template <typename Element>
  static void Close(Element* values, size_t gone) {
    std::memmove(values + gone, values + gone + 1, (kProfileObservations - gone - 1) * sizeof(Element));
  }

  // The observation inside a run that is missed least once another one follows; the last one if none is inside a run.
  // Before the first divergence that is the first one, as a later one says all. Behind it, what counts is how far an
  // observation is from where it will be taken to have been, evenly between its neighbours, and how long ago it was:
  // the bound-based policy goes by what it did last.
  size_t LeastMissed(float next_seconds, uint8_t next_place) const {
    size_t least = count() - 1;
    double least_loss = std::numeric_limits<double>::infinity();
    bool has_diverged = false;
    for (size_t at = 0; at < count(); ++at) {
      has_diverged = has_diverged || divergence_[at] > 0;
      if (!IsInsideRun(at, next_place)) continue;
      if (!has_diverged) return at;
      const bool is_last = at + 1 == count();
      const double age = age_seconds_[at];
      const double before = at == 0 ? 0 : age_seconds_[at - 1];
      const double after = is_last ? next_seconds : age_seconds_[at + 1];
      const double steps = skipped_[at] + 1.0;
      const double all_steps = steps + 1 + (is_last ? 0 : skipped_[at + 1]);
      const double moved_seconds = std::abs(age - (before + ((after - before) * steps) / all_steps));
      // A second more, so that of a regular run the oldest goes.
      const double loss = (moved_seconds + 1) / (next_seconds - age);
      if (loss >= least_loss) continue;
      least = at;
      least_loss = loss;
    }
    return least;
  }

  // Whether the observations before and behind have the same divergence; `next` is behind the last one.
  bool IsInsideRun(size_t at, int next) const {
    const int place = divergence_[at];
    const int before = at == 0 ? 0 : divergence_[at - 1];
    const int after = at + 1 < count() ? divergence_[at + 1] : next;
    return place == before && place == after;
  }

  const double base_ms_;
  uint8_t& count_;
  float* const age_seconds_;
  uint8_t* const divergence_;
  uint8_t* const skipped_;
};

ProfileState StateOf(const LedgerColumns& columns, size_t doc) {
  return static_cast<ProfileState>(columns.profile_state[doc]);
}

void SetState(const LedgerColumns& columns, size_t doc, ProfileState state) {
  columns.profile_state[doc] = static_cast<uint8_t>(state);
}

}  // namespace

double SketchDifference(const uint32_t* a, const uint32_t* b) {
  size_t seen = 0, shared = 0, in_a = 0, in_b = 0;
  // Both places stay inside their sketches: neither advances more often than values are seen.
  for (; seen < kSketchMinima; ++seen) {
    const uint32_t value_a = a[in_a], value_b = b[in_b];
    if (value_a == kNoMinimum && value_b == kNoMinimum) break;
    shared += value_a == value_b;
    in_a += value_a <= value_b;
    in_b += value_b <= value_a;
  }
  return seen == 0 ? 0 : 1 - static_cast<double>(shared) / static_cast<double>(seen);
}

void BeginProfile(const LedgerColumns& columns, size_t doc, double at_ms, const uint32_t* sketch) {
  if (sketch == nullptr) return;
  std::memcpy(columns.sketch + doc * kSketchMinima, sketch, kSketchMinima * sizeof(uint32_t));
  columns.profile_base_ms[doc] = at_ms;
  SetState(columns, doc, ProfileState::kLive);
  columns.observations[doc] = 0;
}

void ProfileSame(const LedgerColumns& columns, size_t doc, double at_ms) {
  if (StateOf(columns, doc) != ProfileState::kLive) return;
  Profile profile(columns, doc);
  if (profile.IsLater(at_ms)) profile.Observe(at_ms, profile.LastDivergence());
}

bool ProfileChanged(const LedgerColumns& columns, size_t doc, double at_ms, const uint32_t* sketch) {
  if (StateOf(columns, doc) == ProfileState::kNone) {
    BeginProfile(columns, doc, at_ms, sketch);
    return true;
  }
  Profile profile(columns, doc);
  if (sketch == nullptr || !profile.IsLater(at_ms)) {
    SetState(columns, doc, ProfileState::kUnseen);
    return true;
  }
  SetState(columns, doc, ProfileState::kLive);
  profile.Observe(at_ms, PlaceOf(SketchDifference(columns.sketch + doc * kSketchMinima, sketch)));
  return profile.Room() >= kLeastRoom;
}

}  // namespace freshdex::ledger
