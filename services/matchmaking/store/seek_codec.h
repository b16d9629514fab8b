// Between seeks as the domain knows them and as they are stored.
//
// What is stored is the seek as its player sees it with what pairing needs; a Seek is the part of
// it that transitions change.
#pragma once

#include "services/matchmaking/domain/seek.h"
#include "services/matchmaking/store/entries.h"

namespace komadai::matchmaking {

Seek SeekOf(const stored_pb::StoredSeek& stored);
SeekState SeekStateOf(const stored_pb::StoredSeek& stored);
// kUnspecified if there is no such seek.
SeekState SeekStateOf(const SeekEntry& entry);

// What a transition has made of the seek. One that waits again looks as if no opponent had been
// found.
void Write(const Seek& seek, stored_pb::StoredSeek& stored);
// The same for a seek that has just been paired: `game` has the players and what they play.
void WritePaired(const Seek& seek, const stored_pb::Pairing& game, stored_pb::StoredSeek& stored);

}  // namespace komadai::matchmaking
