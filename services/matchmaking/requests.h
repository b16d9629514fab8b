// Requests of the matchmaking contract as what the desks take, checked.
#pragma once

#include "libs/base/result.h"
#include "libs/rpc/caller.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"

namespace komadai::matchmaking {

common_pb::Player PlayerOf(const rpc::Caller& caller);

// INVALID_REQUEST, INVALID_TERMS, BAD_REQUEST_ID, VERIFIED_ACCOUNT_NEEDED and the reasons of the
// rules and of time controls.
Result<NewSeek> NewSeekFromProto(const rpc::Caller& caller, const pb::CreateSeekRequest& request);
// The same and OWN_CHALLENGE.
Result<NewChallenge> NewChallengeFromProto(const rpc::Caller& caller,
                                           const pb::CreateChallengeRequest& request);
// INVALID_REQUEST for what is no id of anything.
Status CheckId(const std::string& id, const char* field);

}  // namespace komadai::matchmaking
