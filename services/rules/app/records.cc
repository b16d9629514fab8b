#include "services/rules/app/records.h"

#include <utility>

#include "libs/convert/notation.h"
#include "libs/convert/record.h"
#include "libs/notation/records/record_file.h"
#include "services/rules/convert.h"

namespace komadai::rules_service {

Result<pb::ReadRecordResponse> ReadRecord(const pb::ReadRecordRequest& request) {
  const auto format = convert::FormatFromProto(request.format());
  if (!format) return InField(format.error(), "format");
  const auto encoding = convert::EncodingFromProto(request.encoding());
  if (!encoding) return InField(encoding.error(), "encoding");
  notation::ReadOptions options{.format = *format, .encoding = *encoding};
  if (request.variant() != common_pb::VARIANT_UNSPECIFIED) {
    const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
    if (!variant) return InField(variant.error(), "variant");
    options.variant = *variant;
  }
  Result<notation::RecordFile> file = notation::ReadRecordFile(request.data(), options);
  if (!file) return InField(file.error(), "data");
  pb::ReadRecordResponse response;
  for (const notation::GameRecord& game : file->games) {
    *response.add_records() = convert::ToProto(game);
  }
  response.set_format(convert::ToProto(file->format));
  response.set_encoding(convert::ToProto(file->encoding));
  for (std::string& warning : file->warnings) response.add_warnings(std::move(warning));
  return response;
}

Result<pb::WriteRecordResponse> WriteRecord(const pb::WriteRecordRequest& request) {
  const auto format = convert::FormatFromProto(request.format());
  if (!format) return InField(format.error(), "format");
  if (!*format) {
    return InField(Error(notation::kUnknownFormat, "a record format is required"), "format");
  }
  const auto encoding = convert::EncodingFromProto(request.encoding());
  if (!encoding) return InField(encoding.error(), "encoding");
  const Result<notation::GameRecord> record = convert::RecordFromProto(request.record());
  if (!record) return InField(record.error(), "record");
  Result<notation::WrittenRecord> written = notation::WriteRecordFile(
      *record, **format, encoding->value_or(notation::TextEncoding::kUtf8));
  if (!written) return InField(written.error(), "format");
  pb::WriteRecordResponse response;
  response.set_data(std::move(written->bytes));
  for (std::string& warning : written->warnings) response.add_warnings(std::move(warning));
  return response;
}

}  // namespace komadai::rules_service
