#include "cli/legal.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "libs/notation/errors.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/illegal.h"

namespace komadai::cli {
namespace {

using nlohmann::json;
using notation::Notation;
using rules::Move;
using rules::Position;

constexpr char kLegalName[] = "legal";

// A legal move and its names in the notations asked for.
struct NamedMove {
  std::string move;
  std::vector<std::string> names;
};

Result<std::vector<Notation>> ReadNotations(const std::vector<std::string>& names) {
  std::vector<Notation> notations;
  for (const std::string& name : names) {
    const std::optional<Notation> found = notation::FindNotation(name);
    if (!found) {
      return notation::TextError(notation::kWrongNotation, "unknown notation", name);
    }
    notations.push_back(*found);
  }
  return notations;
}

Result<NamedMove> Named(const Position& position, Move move,
                        const std::vector<Notation>& notations) {
  NamedMove named;
  named.move = notation::FormatPlainMove(position.variant(), move);
  for (const Notation notation : notations) {
    Result<std::string> name = notation::FormatMove(position, move, notation);
    if (!name) return name.error();
    named.names.push_back(*std::move(name));
  }
  return named;
}

json ToJson(const NamedMove& named, const std::vector<std::string>& notations) {
  json out = {{"move", named.move}};
  for (std::size_t i = 0; i < notations.size(); ++i) out[notations[i]] = named.names[i];
  return out;
}

void Print(const NamedMove& named, const Streams& streams) {
  streams.out << named.move;
  for (const std::string& name : named.names) streams.out << "  " << name;
  streams.out << "\n";
}

int ListMoves(const Position& position, const std::vector<Notation>& notations,
              const LegalOptions& options, const Streams& streams) {
  rules::MoveList moves;
  position.LegalMoves(moves);
  std::vector<NamedMove> named;
  for (const Move& move : moves) {
    Result<NamedMove> one = Named(position, move, notations);
    if (!one) return Refuse(streams, kLegalName, one.error());
    named.push_back(*std::move(one));
  }
  std::ranges::sort(named, {}, &NamedMove::move);
  if (!options.json) {
    for (const NamedMove& one : named) Print(one, streams);
    streams.out << named.size() << " legal moves\n";
    return kExitOk;
  }
  json list = json::array();
  for (const NamedMove& one : named) list.push_back(ToJson(one, options.notations));
  WriteJson(streams, {{"position", notation::FormatPosition(position)},
                      {"side_to_move", SideWord(position.side_to_move())},
                      {"check", position.InCheck()},
                      {"count", named.size()},
                      {"moves", list}});
  return kExitOk;
}

int SayIllegal(const Error& why, const LegalOptions& options, const Streams& streams) {
  if (options.json) {
    WriteJson(streams, {{"move", options.move},
                        {"legal", false},
                        {"reason", why.reason()},
                        {"message", why.message()}});
  } else {
    streams.out << "illegal: " << why.ToString() << "\n";
  }
  return kExitNo;
}

int JudgeMove(const Position& position, const std::vector<Notation>& notations,
              const LegalOptions& options, const Streams& streams) {
  const Result<Move> move = ReadMove(position, options.move);
  if (!move) {
    if (IsIllegalMove(move.error())) return SayIllegal(move.error(), options, streams);
    return Refuse(streams, kLegalName, move.error());
  }
  if (const auto illegal = position.WhyIllegal(*move)) {
    const Error why(rules::ReasonOf(*illegal), std::string(rules::Explain(*illegal)));
    return SayIllegal(why, options, streams);
  }
  const Result<NamedMove> named = Named(position, *move, notations);
  if (!named) return Refuse(streams, kLegalName, named.error());
  if (options.json) {
    json answer = ToJson(*named, options.notations);
    answer["legal"] = true;
    WriteJson(streams, answer);
  } else {
    streams.out << "legal: ";
    Print(*named, streams);
  }
  return kExitOk;
}

}  // namespace

CLI::App* AddLegal(CLI::App& app, LegalOptions& options) {
  CLI::App* legal =
      app.add_subcommand(kLegalName, "list the legal moves, or say why a move is illegal (exit 1)");
  AddPositionArguments(*legal, options.position);
  legal->add_option("move", options.move,
                    "a move in any notation of the game; write -- before one that begins with -");
  legal
      ->add_option("--notation", options.notations,
                   "also write the moves in usi, western, japanese, kif or csa; ucci, wxf, "
                   "chinese, vietnamese, vietnamese_long or iccs; may be repeated")
      ->allow_extra_args(false);
  legal->add_flag("--json", options.json, "for programs");
  return legal;
}

int RunLegal(const LegalOptions& options, const Streams& streams) {
  const Result<Position> position = ReadPosition(options.position);
  if (!position) return Refuse(streams, kLegalName, position.error());
  const Result<std::vector<Notation>> notations = ReadNotations(options.notations);
  if (!notations) return Refuse(streams, kLegalName, notations.error());
  for (const Notation notation : *notations) {
    if (!notation::Has(position->variant(), notation)) {
      return Refuse(
          streams, kLegalName,
          notation::TextError(notation::kWrongNotation, "the game does not have this notation",
                              notation::NameOf(notation)));
    }
  }
  if (options.move.empty()) return ListMoves(*position, *notations, options, streams);
  return JudgeMove(*position, *notations, options, streams);
}

}  // namespace komadai::cli
