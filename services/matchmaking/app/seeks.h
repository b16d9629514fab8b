// Seeks as stored: how they become seekers, and how two of them become a pair. What may become of a
// seek is in domain/seek.h.
#pragma once

#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/time.h"
#include "services/matchmaking/app/pools.h"
#include "services/matchmaking/domain/seeker.h"
#include "services/matchmaking/ports/ports.h"
#include "services/matchmaking/store/entries.h"
#include "services/matchmaking/store/seek_codec.h"

namespace komadai::matchmaking {

// An entry that does not exist is in none of these states.
inline bool IsWaiting(const SeekEntry& entry) { return SeekStateOf(entry) == SeekState::kWaiting; }
inline bool IsOffered(const SeekEntry& entry) { return SeekStateOf(entry) == SeekState::kOffered; }
inline bool IsPaired(const SeekEntry& entry) { return SeekStateOf(entry) == SeekState::kPaired; }
inline bool IsOpen(const SeekEntry& entry) { return IsOpen(SeekStateOf(entry)); }

Seeker SeekerOf(const stored_pb::StoredSeek& seek);

// Makes a pair of two waiting seeks. False: one of them does not wait, or they have no pool of this
// number in common.
bool Join(SeekEntry& a, SeekEntry& b, std::uint64_t pool, std::string match_id, Random& random,
          TimePoint now);
// Makes a pair of a waiting seek and the computer it would play instead. False: it does not wait.
bool JoinComputer(SeekEntry& entry, std::string match_id, Random& random, TimePoint now);
// The game to create for a pair.
Match MatchOf(const stored_pb::Pairing& pairing);

}  // namespace komadai::matchmaking
