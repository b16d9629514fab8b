#include "libs/notation/records/encoding.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <string>

#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

// What iconv calls them: CP932 is the Shift_JIS of Windows, with ① and 髙 in it.
const char* IconvName(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kUtf8:
      return "UTF-8";
    case TextEncoding::kShiftJis:
      return "CP932";
    case TextEncoding::kEucJp:
      return "EUC-JP-MS";
    case TextEncoding::kGb18030:
      return "GB18030";
  }
  return "UTF-8";
}

class Converter {
 public:
  Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {}
  ~Converter() {
    if (works()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool works() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

  // Appends what can be converted and takes it off `in`; false if something cannot.
  bool Run(std::string_view& in, std::string& out) {
    std::array<char, 4096> buffer;
    char* next = const_cast<char*>(in.data());  // iconv's interface; it does not write there
    std::size_t left = in.size();
    bool good = true;
    while (left > 0 && good) {
      char* end = buffer.data();
      std::size_t room = buffer.size();
      good = iconv(handle_, &next, &left, &end, &room) != static_cast<std::size_t>(-1) ||
             errno == E2BIG;
      out.append(buffer.data(), buffer.size() - room);
    }
    in = std::string_view(next, left);
    return good;
  }

 private:
  iconv_t handle_;
};

std::optional<std::string> Convert(std::string_view bytes, TextEncoding from) {
  Converter converter("UTF-8", IconvName(from));
  std::string out;
  if (!converter.works() || !converter.Run(bytes, out)) return std::nullopt;
  return out;
}

Error NotText(std::string_view what) { return Error(kBadEncoding, std::string(what)); }

// Valid sequences of several bytes, and broken bytes.
struct Utf8Health {
  std::size_t sequences = 0;
  std::size_t broken = 0;
};
Utf8Health HealthOf(std::string_view text) {
  Utf8Health health;
  while (!text.empty()) {
    const std::size_t before = text.size();
    const bool ascii = static_cast<unsigned char>(text[0]) < 0x80;
    TakeCodePoint(text);
    if (before - text.size() > 1) {
      ++health.sequences;
    } else if (!ascii) {
      ++health.broken;
    }
  }
  return health;
}

DecodedText Repaired(std::string_view bytes) {
  return {EncodeUtf8(DecodeUtf8(bytes)), TextEncoding::kUtf8, true};
}

}  // namespace

Result<DecodedText> DecodeText(std::string_view bytes, std::optional<TextEncoding> encoding) {
  const bool marked = bytes.starts_with("\xEF\xBB\xBF");
  if (marked) bytes.remove_prefix(3);
  const bool utf8 = marked || encoding == TextEncoding::kUtf8;
  if (!encoding || utf8) {
    if (IsValidUtf8(bytes)) return DecodedText{std::string(bytes), TextEncoding::kUtf8};
  }
  if (utf8) return Repaired(bytes);
  if (encoding) {
    std::optional<std::string> text = Convert(bytes, *encoding);
    if (!text) return NotText("the bytes are not " + std::string(NameOf(*encoding)));
    return DecodedText{*std::move(text), *encoding};
  }
  const Utf8Health health = HealthOf(bytes);
  if (health.sequences > 8 * health.broken) return Repaired(bytes);
  // Files with tags in brackets are Chinese, the others Japanese: statistics are no better.
  using enum TextEncoding;
  const bool tagged = Trim(bytes).starts_with('[');
  for (const TextEncoding guess : {tagged ? kGb18030 : kShiftJis, tagged ? kShiftJis : kEucJp}) {
    std::optional<std::string> text = Convert(bytes, guess);
    if (text) return DecodedText{*std::move(text), guess};
  }
  return NotText("the bytes are no text in UTF-8, Shift_JIS, EUC-JP or GB18030");
}

Result<EncodedText> EncodeText(std::string_view utf8, TextEncoding encoding) {
  EncodedText out;
  if (encoding == TextEncoding::kUtf8) {
    out.bytes = utf8;
    return out;
  }
  Converter converter(IconvName(encoding), "UTF-8");
  if (!converter.works()) return NotText("this system cannot write the encoding");
  while (!utf8.empty()) {
    if (converter.Run(utf8, out.bytes)) break;
    if (!utf8.empty()) TakeCodePoint(utf8);
    out.bytes += '?';
    ++out.lost;
  }
  return out;
}

}  // namespace komadai::notation
