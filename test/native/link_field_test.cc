// A field that links fill: what is told beside batches must make the index that has the same texts as ordinary fields.
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/writer_run.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::Random;

constexpr double kAsItIs = std::numeric_limits<double>::quiet_NaN();

void AppendSized(std::string_view bytes, std::string* out) {
  AppendValue(out, static_cast<uint32_t>(bytes.size()));
  out->append(bytes);
}

void AppendField(uint8_t form, std::string_view bytes, std::string* out) {
  AppendValue(out, form);
  AppendSized(bytes, out);
}

std::string LinksSlab(const std::vector<std::pair<std::string, std::string>>& links) {
  std::string slab;
  AppendValue(&slab, static_cast<uint32_t>(links.size()));
  for (const auto& [key, text] : links) {
    AppendSized(key, &slab);
    AppendValue(&slab, static_cast<double>(text.size() % 7));
    AppendField(0, text, &slab);
  }
  return slab;
}

std::string PutsSlab(const std::map<std::string, std::string>& puts, const std::vector<std::string>& removals) {
  std::string slab;
  AppendValue(&slab, static_cast<uint32_t>(puts.size()));
  AppendValue(&slab, static_cast<uint32_t>(removals.size()));
  for (const auto& [key, text] : puts) {
    AppendSized(key, &slab);
    AppendValue(&slab, kAsItIs);
    AppendSized({}, &slab);
    AppendField(0, text, &slab);
    AppendField(2, {}, &slab);
  }
  for (const std::string& key : removals) AppendSized(key, &slab);
  return slab;
}

std::vector<std::string> TokensOf(const Snapshot& snapshot, const ForwardView& record, size_t field) {
  std::vector<std::string> tokens;
  VisitSymbols(record.codes(field), [&](Symbol symbol) {
    if (!IsHole(symbol)) tokens.emplace_back(snapshot.terms().Text(TermOf(symbol)));
  });
  return tokens;
}

std::string RandomText(Random* random, size_t most) {
  std::string text;
  for (size_t left = random->Below(most + 1); left > 0; --left) {
    text += "w" + std::to_string(random->Below(40));
    text += random->Chance(0.2) ? "\n" : " ";
  }
  return text;
}

TEST(LinkField, MakesTheIndexOfTheSameTextsAsOrdinaryFields) {
  for (uint64_t round = 0; round < test::Rounds(4); ++round) {
    Random random(7100 + round);
    WriterConfig config;
    config.fields = 2;
    config.seed = round;
    config.fold_floor = 16;
    WriterConfig linked_config = config;
    linked_config.link_field = 1;
    IndexWriter linked(linked_config), plain(config);
    std::map<std::string, std::pair<std::string, std::string>> known;
    for (size_t step = 0; step < 80; ++step) {
      std::map<std::string, std::string> puts;
      std::vector<std::string> removals;
      std::map<std::string, std::string> links;
      BatchBuilder batch;
      for (size_t nth = 0; nth < 30; ++nth) {
        const std::string key = "s" + std::to_string(nth);
        const auto before = known.find(key);
        const bool is_known = before != known.end();
        if (is_known && random.Chance(0.05)) {
          removals.push_back(key);
          batch.Remove(key);
          known.erase(before);
          continue;
        }
        const bool is_put = random.Chance(0.2), moves_links = (is_known || is_put) && random.Chance(0.2);
        if (!is_put && !moves_links) continue;
        auto& [own, text] = known[key];
        if (is_put) own = is_known && random.Chance(0.4) ? own : RandomText(&random, 30);
        if (moves_links) text = RandomText(&random, 6);
        if (is_put) puts[key] = own;
        if (moves_links) links[key] = text;
        batch.Put(key, {own, text}, static_cast<double>(text.size() % 7));
      }
      const std::string links_slab = LinksSlab({links.begin(), links.end()});
      const Result<WriteReport> report = linked.Prepare(PutsSlab(puts, removals), nullptr, links_slab);
      EXPECT(report.ok());
      if (!report.ok()) return;
      EXPECT(linked.prepared_targets().size() == links.size());
      linked.Publish(nullptr);
      EXPECT(plain.Prepare(batch.Slab(), nullptr).ok());
      plain.Publish(nullptr);
      if (random.Chance(0.3)) linked.MaintainStep();
      if (random.Chance(0.05)) linked.Compact();
      test::ExpectNoFaults(*linked.Current());
      const auto ours = linked.Current(), theirs = plain.Current();
      for (const auto& [key, texts] : known) {
        const auto record = ours->Record(ours->FindKey(key)), expected = theirs->Record(theirs->FindKey(key));
        EXPECT(record && expected);
        if (!record || !expected) return;
        // A document without links was told of none.
        if (!texts.second.empty()) EXPECT(record->weight == expected->weight);
        for (size_t field = 0; field < 2; ++field) {
          EXPECT(TokensOf(*ours, ForwardView(record->forward), field) ==
                 TokensOf(*theirs, ForwardView(expected->forward), field));
        }
      }
    }
  }
}

TEST(LinkField, IsNoPartOfTheOwnText) {
  WriterConfig config;
  config.fields = 2;
  config.link_field = 1;
  IndexWriter writer(config);
  EXPECT(writer.Prepare(PutsSlab({{"sa", "one two three four five"}}, {}), nullptr).ok());
  const DocumentSketch sketch = writer.SketchPrepared()[0];
  writer.Publish(nullptr);
  // The same text again, and links at the same time: unchanged.
  const auto report = writer.Prepare(PutsSlab({{"sa", "one two three four five"}}, {}), nullptr,
                                     LinksSlab({{"sa", "six seven eight nine"}}));
  EXPECT(report.ok() && report.value().unchanged == 1 && report.value().replaced == 0);
  EXPECT(writer.prepared_documents()[0].outcome == Outcome::kReweighted);
  writer.Publish(nullptr);
  // Another text and back: the sketch does not know of the links.
  EXPECT(writer.Prepare(PutsSlab({{"sa", "other"}}, {}), nullptr).ok());
  writer.Publish(nullptr);
  EXPECT(writer.Prepare(PutsSlab({{"sa", "one two three four five"}}, {}), nullptr).ok());
  EXPECT(writer.SketchPrepared()[0] == sketch);
  writer.Publish(nullptr);
  // Told what is known already, nothing moves.
  const auto same = writer.Prepare(PutsSlab({}, {}), nullptr, LinksSlab({{"sa", "six seven eight nine"}}));
  EXPECT(same.ok() && same.value().moved_targets == 0 && same.value().postings_written == 0);
  writer.Discard(nullptr);
}

TEST(LinkField, RefusesWhatMakesNoSense) {
  WriterConfig config;
  config.fields = 2;
  config.link_field = 1;
  IndexWriter writer(config);
  const auto fails = [&](const std::string& slab, const std::string& links) {
    return writer.Prepare(slab, nullptr, links).status().code() == Code::kMalformed;
  };
  const std::string nothing = PutsSlab({}, {});
  EXPECT(fails(nothing, LinksSlab({{"sa", "to nobody"}})));
  const std::string whole = LinksSlab({{"sa", "text"}});
  for (size_t size = 1; size < whole.size(); ++size)
    EXPECT(!writer.Prepare(nothing, nullptr, whole.substr(0, size)).ok());
  EXPECT(fails(nothing, whole + "x"));
  // The field of links has no text in a put.
  EXPECT(fails(BatchBuilder().Put("sa", {"own", "links"}).Slab(), {}));
}

}  // namespace
}  // namespace freshdex::index
