// A small self-registering test framework for the native layers.
//
//   TEST(Suite, Name) { EXPECT(condition); EXPECT_EQ(actual, expected); }
//
// A failing check is reported with its place and the test goes on. Single-threaded: checks belong on the thread
// that runs the test.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "test/native/random.h"

namespace freshdex::test {

struct Case {
  const char* suite;
  const char* name;
  void (*run)();
};

struct Run {
  std::vector<Case> cases;
  uint64_t failed_checks = 0;  // of the test that is running
};

inline Run& CurrentRun() {
  static Run run;
  return run;
}

struct Registration {
  Registration(const char* suite, const char* name, void (*run)()) { CurrentRun().cases.push_back({suite, name, run}); }
};

template <typename T>
concept Streamable = requires(std::ostream& stream, const T& value) { stream << value; };

template <typename T>
concept Countable = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

inline std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F && byte != '"' && byte != '\\') {
      quoted += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      quoted += escape;
    }
  }
  return quoted + "\"";
}

template <typename T>
std::string Show(const T& value) {
  if constexpr (std::convertible_to<const T&, std::string_view>) {
    return Quote(value);
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (Countable<T>) {
    return std::to_string(value);
  } else if constexpr (std::floating_point<T>) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(value));
    return digits;
  } else if constexpr (Streamable<T>) {
    std::ostringstream stream;
    stream << value;
    return stream.str();
  } else if constexpr (requires {
                         value.begin();
                         value.end();
                       }) {
    std::string list = "[";
    for (const auto& item : value) list += (list.size() > 1 ? ", " : "") + Show(item);
    return list + "]";
  } else {
    return "(" + std::to_string(sizeof value) + " bytes)";
  }
}

// Integers are compared by value whatever their signs, so that EXPECT_EQ(list.size(), 3) needs no cast.
template <typename A, typename B>
bool Equal(const A& a, const B& b) {
  if constexpr (Countable<A> && Countable<B>) {
    return std::cmp_equal(a, b);
  } else {
    return a == b;
  }
}

// Only the first failures of a test are printed: a broken loop would bury them.
inline void Fail(const char* file, int line, const std::string& message) {
  constexpr uint64_t kPrinted = 20;
  const uint64_t count = ++CurrentRun().failed_checks;
  if (count <= kPrinted) std::printf("%s:%d: %s\n", file, line, message.c_str());
  if (count == kPrinted + 1) std::printf("further failures of this test are only counted\n");
}

template <typename A, typename B>
void CheckEqual(const A& a, const B& b, const char* a_text, const char* b_text, const char* file, int line) {
  if (Equal(a, b)) return;
  Fail(file, line,
       std::string("EXPECT_EQ(") + a_text + ", " + b_text + ")\n    left:  " + Show(a) + "\n    right: " + Show(b));
}

// Runs the tests whose "Suite.Name" contains `filter`; returns how many failed. The last line printed is
// "N passed, N failed". A filter that selects nothing counts as one failure, so that a typing mistake is seen.
// FRESHDEX_TIMES in the environment asks for the seconds that each test takes.
inline int RunAll(std::string_view filter) {
  int passed = 0;
  int failed = 0;
  const bool is_timed = std::getenv("FRESHDEX_TIMES") != nullptr;
  Run& run = CurrentRun();
  for (const Case& test : run.cases) {
    const std::string name = std::string(test.suite) + "." + test.name;
    if (name.find(filter) == std::string::npos) continue;
    run.failed_checks = 0;
    const auto begun = std::chrono::steady_clock::now();
    try {
      test.run();
    } catch (const std::exception& error) {
      Fail(test.suite, 0, name + " threw " + error.what());
    }
    if (is_timed) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
      std::printf("%8.2f s  %s\n", spent.count(), name.c_str());
    }
    if (run.failed_checks == 0) {
      ++passed;
      continue;
    }
    ++failed;
    std::printf("FAILED %s (%llu checks), again with: FRESHDEX_SEED=%llu and filter %s\n", name.c_str(),
                static_cast<unsigned long long>(run.failed_checks), static_cast<unsigned long long>(Seed()),
                name.c_str());
    std::fflush(stdout);
  }
  if (passed + failed == 0) {
    std::printf("no test matches %s\n", Quote(filter).c_str());
    failed = 1;
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed;
}

}  // namespace freshdex::test

#define TEST(Suite, Name)                                                                                           \
  static void Suite##_##Name##_Test();                                                                              \
  static const ::freshdex::test::Registration Suite##_##Name##_registration(#Suite, #Name, &Suite##_##Name##_Test); \
  static void Suite##_##Name##_Test()

#define EXPECT(condition)                                                                   \
  do {                                                                                      \
    if (!(condition)) ::freshdex::test::Fail(__FILE__, __LINE__, "EXPECT(" #condition ")"); \
  } while (false)

#define EXPECT_EQ(a, b) ::freshdex::test::CheckEqual((a), (b), #a, #b, __FILE__, __LINE__)
