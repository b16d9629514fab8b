// The tables of the archive.
#pragma once

#include <vector>

#include "libs/sql/migrations.h"
#include "libs/sql/value.h"
#include "services/kifu/domain/entry.h"

namespace komadai::kifu {

std::vector<sql::Migration> KifuMigrations();

// What SummaryFrom expects, in order.
inline constexpr char kSummaryColumns[] =
    "k.kifu_id, k.game_id, k.variant, k.first_id, k.second_id, k.first_name, k.second_name, "
    "k.outcome, k.ending, k.plies, k.rated, k.ended_at, k.stored_at";
inline constexpr std::size_t kSummaryColumnCount = 13;
Entry SummaryFrom(const sql::Row& row);

}  // namespace komadai::kifu
