// How hiredis' parser builds Reply values directly, so that bulk strings are copied once.
// Private to libs/redis.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>

#include "libs/redis/reply.h"

namespace komadai::redis {

// For redisReader::fn. The objects are `Reply`s made with new.
redisReplyObjectFunctions* ReplyFunctions();

}  // namespace komadai::redis
