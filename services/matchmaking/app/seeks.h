// Seeks as stored: what their states mean, how they become seekers, and how they change together.
#pragma once

#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/time.h"
#include "services/matchmaking/app/terms.h"
#include "services/matchmaking/domain/seeker.h"
#include "services/matchmaking/ports/ports.h"
#include "services/matchmaking/store/entries.h"

namespace komadai::matchmaking {

// How long an offered opponent can be answered.
inline constexpr Millis kAnswerTime{20'000};

bool IsWaiting(const SeekEntry& entry);
bool IsOffered(const SeekEntry& entry);
bool IsPaired(const SeekEntry& entry);
// Any of the three: its player cannot create another one.
bool IsOpen(const SeekEntry& entry);

Seeker SeekerOf(const stored_pb::StoredSeek& seek);

// Makes a pair of two waiting seeks, offered if one of them wants to confirm. False: they have no
// pool of this number in common after all.
bool Join(SeekEntry& a, SeekEntry& b, std::uint64_t pool, std::string match_id, Random& random,
          TimePoint now);
// Makes a pair of a waiting seek and the computer it would play instead.
void JoinComputer(SeekEntry& entry, std::string match_id, Random& random, TimePoint now);
// Back to the queue, as if nothing had been found: what was waited so far counts.
void Return(SeekEntry& entry);
// The game of a pair.
Match MatchOf(const stored_pb::Pairing& pairing);

}  // namespace komadai::matchmaking
