// Lives of an index on disk that several tests begin with.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "native/index/index_writer.h"
#include "test/native/index_model.h"
#include "test/native/random_text.h"
#include "test/native/store_run.h"

namespace freshdex::test {

// The same life each time, up to a flush with something new of every kind to write.
inline std::unique_ptr<StoreRun> BeforeAFlush() {
  auto run = std::make_unique<StoreRun>(400, index::AnalysisKind::kStandard, 8, 40);
  for (size_t step = 0; step < 6; ++step) run->Write();
  run->writer().Compact();
  ExpectOk(run->Flush(true));
  for (size_t step = 0; step < 3; ++step) run->Write();
  while (run->writer().MaintainStep()) {
  }
  run->Write();
  return run;
}

// Segments of several blocks, most of which nobody looks at before a reader does.
inline std::unique_ptr<StoreRun> WithLargeSegments() {
  index::WriterConfig config = StoreConfig(index::AnalysisKind::kStandard);
  config.partition_bytes = 1u << 20;
  auto run = std::make_unique<StoreRun>(441, config, 8, 40);
  const auto vocabulary = RandomVocabulary(run->random(), 3000);
  ModelDocuments documents;
  for (size_t i = 0; i < 200; ++i) {
    const auto text = [&] { return JoinLines(RandomLines(run->random(), vocabulary, 25, 10)); };
    documents["slarge" + std::to_string(i)] = {{text(), text()}, 1, std::string(700, 'x')};
  }
  run->Put(documents);
  run->writer().Compact();
  ExpectOk(run->Flush(true));
  for (size_t step = 0; step < 3; ++step) run->Write();
  ExpectOk(run->Flush(true));
  return run;
}

// Few words in many documents: posting lists of several blocks.
inline std::unique_ptr<StoreRun> WithLongLists() {
  index::WriterConfig config = StoreConfig(index::AnalysisKind::kStandard);
  config.partition_bytes = 1u << 20;
  auto run = std::make_unique<StoreRun>(442, config, 8, 40);
  ModelDocuments documents;
  for (size_t i = 0; i < 400; ++i) {
    documents["slong" + std::to_string(i)] = {{"every", i % 3 == 0 ? "third every" : "most of them"}, 1, ""};
  }
  run->Put(documents);
  run->writer().Compact();
  ExpectOk(run->Flush(true));
  run->Write();
  ExpectOk(run->Flush(true));
  return run;
}

}  // namespace freshdex::test
