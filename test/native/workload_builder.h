// Workloads for tests: queries as words, and their wire form (native/quality/workload.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/base/bytes.h"
#include "native/quality/workload.h"
#include "test/native/harness.h"

namespace freshdex::test {

struct NaiveQuery {
  uint32_t id;
  double weight;
  std::vector<std::string> words;  // distinct
};

inline std::string WorkloadWire(const std::vector<NaiveQuery>& queries) {
  std::string wire;
  AppendValue(&wire, static_cast<uint32_t>(queries.size()));
  for (const NaiveQuery& query : queries) {
    AppendValue(&wire, query.id);
    AppendValue(&wire, query.weight);
    AppendValue(&wire, static_cast<uint16_t>(query.words.size()));
    for (const std::string& word : query.words) {
      AppendValue(&wire, static_cast<uint8_t>(word.size()));
      wire += word;
    }
  }
  return wire;
}

inline std::shared_ptr<const quality::Workload> MakeWorkload(const std::vector<NaiveQuery>& queries) {
  auto decoded = quality::Workload::Decode(WorkloadWire(queries));
  EXPECT(decoded.ok());
  return decoded.value();
}

}  // namespace freshdex::test
