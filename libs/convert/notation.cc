#include "libs/convert/notation.h"

#include <string>

#include "libs/notation/errors.h"

namespace komadai::convert {
namespace {

// The enumerations of the contract are those of libs/notation, one later: theirs begin with "not
// set".
template <typename Ours, typename Theirs>
std::optional<Ours> Earlier(Theirs value, Ours last) {
  const int number = static_cast<int>(value) - 1;
  if (number < 0 || number > static_cast<int>(last)) return std::nullopt;
  return static_cast<Ours>(number);
}
static_assert(static_cast<int>(notation::Notation::kIccs) + 1 == pb::MOVE_NOTATION_ICCS);
static_assert(static_cast<int>(notation::Notation::kCsa) + 1 == pb::MOVE_NOTATION_CSA);
static_assert(static_cast<int>(notation::RecordFormat::kDhtmlxq) + 1 == pb::RECORD_FORMAT_DHTMLXQ);
static_assert(static_cast<int>(notation::RecordFormat::kKif) + 1 == pb::RECORD_FORMAT_KIF);
static_assert(static_cast<int>(notation::TextEncoding::kGb18030) + 1 == pb::TEXT_ENCODING_GB18030);

Error Unknown(Reason reason, std::string_view what, int number) {
  return Error(reason, "unknown " + std::string(what) + " " + std::to_string(number),
               {{"value", std::to_string(number)}});
}

}  // namespace

Result<std::optional<notation::Notation>> NotationFromProto(rules::Variant variant,
                                                            pb::MoveNotation asked) {
  if (asked == pb::MOVE_NOTATION_UNSPECIFIED) return std::optional<notation::Notation>();
  const auto found = Earlier(asked, notation::Notation::kIccs);
  if (!found) return Unknown(notation::kWrongNotation, "notation", asked);
  if (!notation::Has(variant, *found)) {
    return notation::TextError(notation::kWrongNotation, "the game does not have this notation",
                               notation::NameOf(*found));
  }
  return found;
}

Result<std::optional<notation::RecordFormat>> FormatFromProto(pb::RecordFormat asked) {
  if (asked == pb::RECORD_FORMAT_UNSPECIFIED) return std::optional<notation::RecordFormat>();
  const auto found = Earlier(asked, notation::RecordFormat::kDhtmlxq);
  if (!found) return Unknown(notation::kUnknownFormat, "record format", asked);
  return found;
}

Result<std::optional<notation::TextEncoding>> EncodingFromProto(pb::TextEncoding asked) {
  if (asked == pb::TEXT_ENCODING_UNSPECIFIED) return std::optional<notation::TextEncoding>();
  const auto found = Earlier(asked, notation::TextEncoding::kGb18030);
  if (!found) return Unknown(notation::kBadEncoding, "text encoding", asked);
  return found;
}

pb::MoveNotation ToProto(notation::Notation notation) {
  return static_cast<pb::MoveNotation>(static_cast<int>(notation) + 1);
}
pb::RecordFormat ToProto(notation::RecordFormat format) {
  return static_cast<pb::RecordFormat>(static_cast<int>(format) + 1);
}
pb::TextEncoding ToProto(notation::TextEncoding encoding) {
  return static_cast<pb::TextEncoding>(static_cast<int>(encoding) + 1);
}

}  // namespace komadai::convert
