// Promises that several fuzz targets check. A broken one aborts, which is how libFuzzer learns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::fuzz {

// Valid UTF-8 without control characters: what may go into a protobuf string, a log or a page.
void CheckCleanText(std::string_view text);

// A refusal is the caller's fault, has a machine-readable reason, and is short and clean enough to
// be sent to a client as it is.
void CheckRefusal(const Error& error);

// Everything that must hold in every possible position: the list of legal moves, their number and
// the judgement of single moves agree; what it says of itself rebuilds it, as a setup and as text.
void CheckPosition(const rules::Position& position);

// Equal in every way a caller can see, counters and order of moves included.
void CheckSame(const rules::Position& a, const rules::Position& b);

}  // namespace komadai::fuzz

// What libFuzzer calls, and fuzz_replay_test.cc.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
