// Writes JSON text. The writer places commas, quotes and escapes; the caller keeps Begin and End calls in pairs.
#pragma once

#include <cassert>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace freshdex::score {

class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }

  // Inside an object, before each value.
  void Name(std::string_view name) {
    Separate();
    Quote(name);
    out_ += ':';
    needs_comma_ = false;
  }

  // REQUIRES: finite, since JSON has no other numbers. Written with the fewest digits that read back the same.
  void Value(double number) {
    assert(std::isfinite(number));
    Digits(number);
  }
  void Value(std::unsigned_integral auto number) { Digits(static_cast<unsigned long long>(number)); }
  // REQUIRES: UTF-8.
  void Value(std::string_view text) {
    Separate();
    Quote(text);
  }

  template <typename T>
  void Member(std::string_view name, T value) {
    Name(name);
    Value(value);
  }

  // The text so far; the writer is of no use afterwards.
  std::string Take() { return std::move(out_); }

 private:
  void Open(char bracket) {
    Separate();
    out_ += bracket;
    needs_comma_ = false;
  }
  void Close(char bracket) {
    out_ += bracket;
    needs_comma_ = true;
  }
  void Separate() {
    if (needs_comma_) out_ += ',';
    needs_comma_ = true;
  }
  template <typename T>
  void Digits(T number) {
    char buffer[32];
    Separate();
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof(buffer), number).ptr);
  }
  void Quote(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    out_ += '"';
    for (char c : text) {
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out_ += "\\u00";
        out_ += kHex[c >> 4];
        out_ += kHex[c & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace freshdex::score
