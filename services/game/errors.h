// The reasons the game service refuses with, beside those of the rules and the clock.
#pragma once

#include "libs/base/result.h"

namespace komadai::game {

inline constexpr Reason kGameNotFound{Code::kNotFound, "GAME_NOT_FOUND"};
inline constexpr Reason kNotAPlayer{Code::kPermissionDenied, "NOT_A_PLAYER"};
inline constexpr Reason kNotYourTurn{Code::kFailedPrecondition, "NOT_YOUR_TURN"};
inline constexpr Reason kGameOver{Code::kFailedPrecondition, "GAME_OVER"};
inline constexpr Reason kStalePly{Code::kAborted, "STALE_PLY"};
inline constexpr Reason kTimeIsUp{Code::kFailedPrecondition, "TIME_IS_UP"};
inline constexpr Reason kTooManyDrawOffers{Code::kFailedPrecondition, "TOO_MANY_DRAW_OFFERS"};
inline constexpr Reason kDrawAlreadyOffered{Code::kFailedPrecondition, "DRAW_ALREADY_OFFERED"};
inline constexpr Reason kNoDrawOffer{Code::kFailedPrecondition, "NO_DRAW_OFFER"};
inline constexpr Reason kImpasseNotAllowed{Code::kFailedPrecondition, "IMPASSE_NOT_ALLOWED"};
inline constexpr Reason kTakebackNotAllowed{Code::kFailedPrecondition, "TAKEBACK_NOT_ALLOWED"};
inline constexpr Reason kNoTakebackRequest{Code::kFailedPrecondition, "NO_TAKEBACK_REQUEST"};
inline constexpr Reason kTooLateToAbort{Code::kFailedPrecondition, "TOO_LATE_TO_ABORT"};
inline constexpr Reason kTimeGiftNotAllowed{Code::kFailedPrecondition, "TIME_GIFT_NOT_ALLOWED"};
inline constexpr Reason kGamePaused{Code::kFailedPrecondition, "GAME_PAUSED"};
inline constexpr Reason kGameNotPaused{Code::kFailedPrecondition, "GAME_NOT_PAUSED"};
inline constexpr Reason kPauseNotAllowed{Code::kFailedPrecondition, "PAUSE_NOT_ALLOWED"};
inline constexpr Reason kPauseAlreadyOffered{Code::kFailedPrecondition, "PAUSE_ALREADY_OFFERED"};
inline constexpr Reason kTooManyPauseOffers{Code::kFailedPrecondition, "TOO_MANY_PAUSE_OFFERS"};
inline constexpr Reason kNoPauseOffer{Code::kFailedPrecondition, "NO_PAUSE_OFFER"};
inline constexpr Reason kClaimNotAllowed{Code::kFailedPrecondition, "CLAIM_NOT_ALLOWED"};
inline constexpr Reason kClaimTooEarly{Code::kFailedPrecondition, "CLAIM_TOO_EARLY"};
inline constexpr Reason kOpponentPresent{Code::kFailedPrecondition, "OPPONENT_PRESENT"};
inline constexpr Reason kNotOpponentsTurn{Code::kFailedPrecondition, "NOT_OPPONENTS_TURN"};
inline constexpr Reason kTooManyTakebacks{Code::kFailedPrecondition, "TOO_MANY_TAKEBACKS"};
inline constexpr Reason kGameTooLong{Code::kFailedPrecondition, "GAME_TOO_LONG"};
inline constexpr Reason kTooManyGames{Code::kResourceExhausted, "TOO_MANY_GAMES"};
inline constexpr Reason kClockNotFound{Code::kNotFound, "CLOCK_NOT_FOUND"};  // the clock service's
inline constexpr Reason kRequestIdReused{Code::kInvalidArgument, "REQUEST_ID_REUSED"};
inline constexpr Reason kInvalidGame{Code::kInvalidArgument, "INVALID_GAME"};
inline constexpr Reason kInvalidRequest{Code::kInvalidArgument, "INVALID_REQUEST"};
inline constexpr Reason kCreationDenied{Code::kPermissionDenied, "CREATION_DENIED"};
inline constexpr Reason kContention{Code::kAborted, "CONTENTION"};
inline constexpr Reason kCorruptGame{Code::kDataLoss, "CORRUPT_GAME"};
inline constexpr Reason kInvalidPageToken{Code::kInvalidArgument, "INVALID_PAGE_TOKEN"};

}  // namespace komadai::game
