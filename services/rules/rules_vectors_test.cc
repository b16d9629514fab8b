// The vectors of legality and notation through the service.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "services/rules/rules_fixture.h"

namespace komadai::rules_service {
namespace {

using nlohmann::json;

class RulesVectorsTest : public RulesFixture {};

std::vector<json> Vectors(const std::string& file) {
  std::vector<json> records;
  std::ifstream in("tests/conformance/vectors/" + file);
  for (std::string line; std::getline(in, line);) records.push_back(json::parse(line));
  return records;
}

common::Variant VariantOf(const json& record) {
  const std::string variant = record["variant"];
  return variant == "shogi"       ? common::VARIANT_SHOGI
         : variant == "minishogi" ? common::VARIANT_MINISHOGI
                                  : common::VARIANT_XIANGQI;
}

TEST_F(RulesVectorsTest, LegalityVectors) {
  for (const char* file : {"shogi/legality.jsonl", "xiangqi/legality.jsonl"}) {
    for (const json& record : Vectors(file)) {
      v1::ConvertMovesRequest request;
      request.set_variant(VariantOf(record));
      request.set_position(record["position"].get<std::string>());
      request.add_moves(record["move"].get<std::string>());
      request.set_from(request.variant() == common::VARIANT_XIANGQI ? common::MOVE_NOTATION_UCCI
                                                                    : common::MOVE_NOTATION_USI);
      std::string reason;
      Call(&Stub::ConvertMoves, request, &reason);
      EXPECT_EQ(reason == "OK", record["legal"].get<bool>()) << record["id"] << " " << reason;
    }
  }
}

TEST_F(RulesVectorsTest, NotationVectors) {
  const std::pair<const char*, common::MoveNotation> kNotations[] = {
      {"western", common::MOVE_NOTATION_WESTERN},
      {"japanese", common::MOVE_NOTATION_JAPANESE},
      {"kif", common::MOVE_NOTATION_KIF},
      {"csa", common::MOVE_NOTATION_CSA},
      {"wxf", common::MOVE_NOTATION_WXF},
      {"chinese", common::MOVE_NOTATION_CHINESE},
      {"vietnamese", common::MOVE_NOTATION_VIETNAMESE},
      {"vietnamese_long", common::MOVE_NOTATION_VIETNAMESE_LONG},
      {"iccs", common::MOVE_NOTATION_ICCS}};
  for (const char* file : {"shogi/notation.jsonl", "xiangqi/notation.jsonl"}) {
    for (const json& record : Vectors(file)) {
      if (record.contains("last_to") && record["last_to"].is_string())
        continue;  // needs a move before
      v1::ConvertMovesRequest request;
      request.set_variant(VariantOf(record));
      request.set_position(record["position"].get<std::string>());
      request.add_moves(record["move"].get<std::string>());
      std::vector<std::string> expected;
      for (const auto& [name, notation] : kNotations) {
        if (!record.contains(name)) continue;
        request.add_to(notation);
        expected.push_back(record[name]);
      }
      const auto response = Call(&Stub::ConvertMoves, request);
      ASSERT_EQ(response.moves_size(), 1) << record["id"];
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), response.moves(0).names().begin()))
          << record["id"];
    }
  }
}

}  // namespace
}  // namespace komadai::rules_service
