#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "native/score/column_request.h"
#include "test/native/changing_collection.h"
#include "test/native/column_request_builder.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/naive_columns.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using index::Snapshot;
using test::ChangingCollection;
using test::NaiveColumns;
using test::Random;
using test::RandomRequests;

class ColumnWires {
 public:
  ColumnWires() : collection_(&random_, 60) {
    collection_.Fill();
    snapshot_ = collection_.Current();
  }

  Random& random() { return random_; }
  std::string Next() {
    const NaiveColumns naive(test::kRandomColumns, collection_.Documents());
    RandomRequests requests(&random_, test::kRandomColumns, naive);
    ColumnRequest request = requests.Request();
    if (random_.Chance(0.5)) request.after = requests.Point(request.sort);
    return test::RequestWire(request);
  }
  Result<ColumnRequest> Decode(std::string_view wire) const {
    const test::ExactBlock block(wire);
    return DecodeColumnRequest(block.view(), snapshot_->columns);
  }

 private:
  Random random_;
  ChangingCollection collection_;
  std::shared_ptr<const Snapshot> snapshot_;
};

TEST(ColumnWire, RoundTrips) {
  ColumnWires wires;
  for (size_t round = 0; round < test::Rounds(500); ++round) {
    const std::string wire = wires.Next();
    const Result<ColumnRequest> back = wires.Decode(wire);
    test::ExpectOk(back.status());
    if (!back.ok()) continue;
    EXPECT(test::RequestWire(back.value()) == wire);
    if (!back.value().filter_wire.empty()) EXPECT(test::FilterWire(back.value().filter) == back.value().filter_wire);
  }
}

TEST(ColumnWire, RefusesEveryTruncation) {
  ColumnWires wires;
  for (size_t round = 0; round < test::Rounds(30); ++round) {
    const std::string wire = wires.Next();
    for (size_t length = 0; length < wire.size(); ++length)
      EXPECT(!wires.Decode(std::string_view(wire).substr(0, length)).ok());
    EXPECT(wires.Decode(wire + '\0').status().code() == Code::kMalformed);
  }
}

// Whatever is changed, nothing is read outside, and what is accepted can be searched.
TEST(ColumnWire, SurvivesChangedBytes) {
  ColumnWires wires;
  for (size_t round = 0; round < test::Rounds(3000); ++round) {
    std::string wire = wires.Next();
    for (size_t left = wires.random().Between(1, 4); left > 0; --left)
      wire[wires.random().Below(wire.size())] = static_cast<char>(wires.random().Below(256));
    (void)wires.Decode(wire);
  }
}

TEST(ColumnWire, BoundsDepthAndNodes) {
  ColumnWires wires;
  const auto request_of = [](const std::string& filter) {
    std::string wire;
    test::AppendText(filter, &wire);
    return wire + std::string(5, '\0');
  };
  const std::string exists("\x07\x00\x00", 3);
  EXPECT(wires.Decode(request_of(std::string(kMaxFilterDepth - 1, '\x03') + exists)).ok());
  EXPECT(wires.Decode(request_of(std::string(kMaxFilterDepth, '\x03') + exists)).status().code() ==
         Code::kQueryTooComplex);
  std::string many("\x02\x00\x10", 3);  // 4,096 children
  for (size_t i = 0; i < 4096; ++i) many += exists;
  EXPECT(wires.Decode(request_of(many)).status().code() == Code::kQueryTooComplex);
  // Many values, none of which are there.
  EXPECT(wires.Decode(request_of(std::string("\x04\x01\x00\xff\xff\x0f\x00", 7))).status().code() == Code::kMalformed);
  EXPECT(wires.Decode(request_of(std::string("\x04\x01\x00\xff\xff\xff\xff", 7))).status().code() ==
         Code::kQueryTooComplex);
}

}  // namespace
}  // namespace freshdex::score
