// From requests of the contract to what the desks take. Everything is checked here.
#pragma once

#include "libs/base/result.h"
#include "libs/rpc/caller.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"

namespace komadai::matchmaking {

common_pb::Player PlayerOf(const rpc::Caller& caller);

enum class TermsOf { kSeek, kChallenge };

// `terms` in normal form, every default spelled out. Free positions are for challenges only,
// suggested handicaps for seeks; a game without a clock is casual. INVALID_TERMS, the reasons of
// the rules and of time controls.
Result<pb::GameTerms> NormaliseTerms(const pb::GameTerms& terms, TermsOf kind);
Result<common_pb::TimeControl> NormaliseControl(const common_pb::TimeControl& control);

// INVALID_REQUEST, INVALID_TERMS, BAD_REQUEST_ID, VERIFIED_ACCOUNT_NEEDED and the reasons of the
// rules and of time controls.
Result<NewSeek> NewSeekFromProto(const rpc::Caller& caller, const pb::CreateSeekRequest& request);
// The same and OWN_CHALLENGE. With `link_key` the id, which is the secret of the link, is made.
Result<NewChallenge> NewChallengeFromProto(const rpc::Caller& caller,
                                           const pb::CreateChallengeRequest& request,
                                           const std::string& link_key);
// INVALID_REQUEST if `id` cannot be the id of anything.
Status CheckId(const std::string& id, const char* field);

}  // namespace komadai::matchmaking
