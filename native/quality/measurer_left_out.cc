// The part of the measurer that leaves queries out: see M4 in measurer.h.
#include <utility>

#include "native/quality/measurer.h"

namespace freshdex::quality {

void Measurer::Measure(double share) {
  share_ = share;
  has_new_share_ = is_fitting_;
  if (state_ && !is_fitting_) LeaveOut(LeftOut(state_->epoch->workload(), *state_->curves, share_));
}

void Measurer::LeaveOut(std::vector<uint8_t> is_left_out) {
  const Workload& workload = state_->epoch->workload();
  for (QueryNumber query = 0; query < state_->changes.size(); ++query) {
    const bool was_left_out = IsLeftOut(query);
    const bool is_out = !is_left_out.empty() && is_left_out[query] != 0;
    if (is_out) state_->changes[query] = {ListChange::kUnknownChurn, 0};
    if (was_left_out && !is_out) state_->missed_weight += workload.weight(query);
  }
  const bool are_all_measured = state_->is_left_out.empty() && is_left_out.empty();
  state_->is_left_out = std::move(is_left_out);
  if (!are_all_measured) state_->lines = QueryLines(*state_->epoch, *state_->curves, state_->is_left_out);
  TakeStock();
}

void Measurer::CountMissed(const FitRequest& request) {
  const Workload& workload = request.epoch_before->workload();
  const auto count = [&](QueryNumber known) {
    if (!state_->changes[known].is_known()) state_->missed_weight += workload.weight(known);
  };
  for (QueryNumber query : request.reweighed) count(request.number_before[query]);
  for (QueryNumber known : request.removed) count(known);
}

}  // namespace freshdex::quality
