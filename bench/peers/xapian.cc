// Xapian among the peers; its argument and what it prints are those of peer-contract.ts. English stems with positions,
// stop words indexed (a phrase has no holes here), BM25, compacted, keys as the data of documents.
#include <time.h>
#include <xapian.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr unsigned kBest = 10;
constexpr unsigned kCountLimit = 1000;
constexpr int kPagesOfCommit = 25'000;

using Clock = std::chrono::steady_clock;

double MicrosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

struct Question {
  size_t place;
  std::string kind;
  std::string words;
};

// The task is one flat object: this finds the value of a name, a string without its quotes or a number as it is.
std::string ValueOf(std::string_view task, std::string_view name) {
  const size_t at = task.find('"' + std::string(name) + "\":");
  if (at == std::string_view::npos) throw std::runtime_error("the task has no " + std::string(name));
  size_t from = at + name.size() + 3;
  if (task[from] != '"') return std::string(task.substr(from, task.find_first_of(",}", from) - from));
  std::string value;
  for (from++; from < task.size() && task[from] != '"'; from++) {
    if (task[from] == '\\') from++;
    value += task[from];
  }
  return value;
}

// False at the end of the file.
bool ReadRecord(std::istream& pages, std::string* bytes) {
  unsigned char length[4];
  if (!pages.read(reinterpret_cast<char*>(length), sizeof length)) return false;
  bytes->resize(length[0] | length[1] << 8 | length[2] << 16 | static_cast<uint32_t>(length[3]) << 24);
  return static_cast<bool>(pages.read(bytes->data(), static_cast<std::streamsize>(bytes->size())));
}

uint64_t Memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::strtoull(line.c_str() + name.size() + 1, nullptr, 10) * 1024;
  }
  return 0;
}

double CpuMicroseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

void Build(const std::string& task) {
  const Clock::time_point begin = Clock::now();
  const std::string folder = ValueOf(task, "index");
  const std::string written = folder + "/written";
  {
    Xapian::WritableDatabase index(written, Xapian::DB_CREATE);
    Xapian::TermGenerator words;
    words.set_stemmer(Xapian::Stem("english"));
    words.set_stemming_strategy(Xapian::TermGenerator::STEM_ALL);
    std::ifstream pages(ValueOf(task, "pages"), std::ios::binary);
    std::string key;
    std::string text;
    for (int page = 1; ReadRecord(pages, &key) && ReadRecord(pages, &text); page++) {
      Xapian::Document document;
      document.set_data(key);
      words.set_document(document);
      words.set_termpos(0);
      words.index_text(text);
      index.add_document(document);
      if (page % kPagesOfCommit == 0) index.commit();
    }
    index.commit();
  }
  Xapian::Database(written).compact(folder + "/index", Xapian::Compactor::FULLER);
  std::filesystem::remove_all(written);
  std::cout << "{\"version\":\"" << Xapian::version_string() << "\",\"wallUs\":" << MicrosecondsSince(begin)
            << ",\"cpuUs\":" << CpuMicroseconds() << ",\"peakBytes\":" << Memory("VmHWM") << "}";
}

std::vector<std::vector<Question>> ByClass(const std::string& file, size_t* count) {
  std::map<std::string, size_t> places;
  std::vector<std::vector<Question>> classes;
  std::ifstream lines(file);
  *count = 0;
  for (std::string line; std::getline(lines, line); ++*count) {
    std::istringstream parts(line);
    std::string name;
    Question question{*count, "", ""};
    std::getline(parts, name, '\t');
    std::getline(parts, question.kind, '\t');
    std::getline(parts, question.words, '\t');
    const auto [at, is_new] = places.try_emplace(name, classes.size());
    if (is_new) classes.emplace_back();
    classes[at->second].push_back(std::move(question));
  }
  return classes;
}

Xapian::Query QueryOf(const Question& question, const Xapian::Stem& stem) {
  std::vector<std::string> terms;
  std::istringstream words(question.words);
  for (std::string word; words >> word;) terms.push_back(stem(word));
  const Xapian::Query::op op = question.kind == "and"      ? Xapian::Query::OP_AND
                               : question.kind == "phrase" ? Xapian::Query::OP_PHRASE
                                                           : Xapian::Query::OP_OR;
  return Xapian::Query(op, terms.begin(), terms.end());
}

template <typename Value>
void PrintList(const char* name, const std::vector<Value>& values, const std::vector<double>& us) {
  std::cout << ",\"" << name << "\":[";
  for (size_t at = 0; at < values.size(); at++) {
    if (at > 0) std::cout << ',';
    if (us[at] == std::numeric_limits<double>::infinity())
      std::cout << "null";
    else
      std::cout << values[at];
  }
  std::cout << ']';
}

void Ask(const std::string& task) {
  const Clock::time_point begin = Clock::now();
  const Xapian::Database index(ValueOf(task, "index") + "/index");
  const double open_us = MicrosecondsSince(begin);
  const Xapian::Stem stem("english");
  const unsigned counted = ValueOf(task, "counting") == "exact" ? index.get_doccount() : kCountLimit;
  const int passes = std::stoi(ValueOf(task, "passes"));
  const double budget_us = std::stod(ValueOf(task, "budgetMs")) * 1000;
  size_t questions = 0;
  const auto classes = ByClass(ValueOf(task, "questions"), &questions);
  std::vector<double> us(questions, std::numeric_limits<double>::infinity());
  std::vector<unsigned> totals(questions);
  size_t keys_read = 0;
  for (const std::vector<Question>& asked : classes) {
    const Clock::time_point first = Clock::now();
    for (int pass = 0; pass < passes && MicrosecondsSince(first) < budget_us; pass++) {
      for (const Question& question : asked) {
        const Clock::time_point start = Clock::now();
        Xapian::Enquire enquire(index);
        enquire.set_query(QueryOf(question, stem));
        const Xapian::MSet best = enquire.get_mset(0, kBest, counted);
        for (Xapian::MSetIterator hit = best.begin(); hit != best.end(); ++hit) {
          keys_read += hit.get_document().get_data().empty() ? 0 : 1;
        }
        us[question.place] = std::min(us[question.place], MicrosecondsSince(start));
        totals[question.place] = best.get_matches_estimated();
        if (MicrosecondsSince(first) > budget_us) break;
      }
    }
  }
  std::cout << "{\"version\":\"" << Xapian::version_string() << "\",\"keysRead\":" << keys_read
            << ",\"openUs\":" << open_us << ",\"residentBytes\":" << Memory("VmRSS");
  PrintList("us", us, us);
  PrintList("totals", totals, us);
  std::cout << '}';
}

}  // namespace

int main(int, char** arguments) {
  try {
    const std::string task = arguments[1];
    std::cout.precision(12);
    if (ValueOf(task, "step") == "build")
      Build(task);
    else
      Ask(task);
    return 0;
  } catch (const Xapian::Error& error) {
    std::cerr << error.get_description() << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
