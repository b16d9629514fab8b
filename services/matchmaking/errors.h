// Reasons of the matchmaking service.
#pragma once

#include "libs/base/result.h"

namespace komadai::matchmaking {

inline constexpr Reason kInvalidRequest{Code::kInvalidArgument, "INVALID_REQUEST"};
inline constexpr Reason kInvalidTerms{Code::kInvalidArgument, "INVALID_TERMS"};
inline constexpr Reason kVerifiedAccountNeeded{Code::kPermissionDenied, "VERIFIED_ACCOUNT_NEEDED"};
inline constexpr Reason kNotYours{Code::kPermissionDenied, "NOT_YOURS"};
inline constexpr Reason kSeekNotFound{Code::kNotFound, "SEEK_NOT_FOUND"};
inline constexpr Reason kAlreadySeeking{Code::kFailedPrecondition, "ALREADY_SEEKING"};
inline constexpr Reason kRequestIdReused{Code::kInvalidArgument, "REQUEST_ID_REUSED"};
inline constexpr Reason kChallengeNotFound{Code::kNotFound, "CHALLENGE_NOT_FOUND"};
inline constexpr Reason kChallengeClosed{Code::kFailedPrecondition, "CHALLENGE_CLOSED"};
inline constexpr Reason kOwnChallenge{Code::kFailedPrecondition, "OWN_CHALLENGE"};
inline constexpr Reason kNotAPlayer{Code::kPermissionDenied, "NOT_A_PLAYER"};
inline constexpr Reason kGameStillOn{Code::kFailedPrecondition, "GAME_STILL_ON"};
inline constexpr Reason kTooManyGames{Code::kResourceExhausted, "TOO_MANY_GAMES"};  // the game's
inline constexpr Reason kTooManyRatedGames{Code::kResourceExhausted, "TOO_MANY_RATED_GAMES"};
inline constexpr Reason kTooManyChallenges{Code::kResourceExhausted, "TOO_MANY_CHALLENGES"};
inline constexpr Reason kCoolingDown{Code::kResourceExhausted, "COOLING_DOWN"};
inline constexpr Reason kNoOffer{Code::kFailedPrecondition, "NO_OFFER"};
inline constexpr Reason kContention{Code::kAborted, "CONTENTION"};
inline constexpr Reason kCorruptEntry{Code::kDataLoss, "CORRUPT_ENTRY"};

}  // namespace komadai::matchmaking
