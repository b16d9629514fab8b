#include "libs/livestore/redis_safety.h"

namespace komadai::livestore {

Status RedisSafety::CheckPersistence(const Result<redis::Reply>& answer) const {
  if (accept_loss_ || !answer || !answer->IsArray() || answer->elements.size() != 2) return {};
  if (answer->elements[1].text == "yes") return {};
  return Error(kNotDurable,
               "Redis runs without appendonly: games in progress would be lost with it; set "
               "appendonly yes, or redis-accept-loss where that may happen");
}

Status RedisSafety::CheckMark(const std::string& mark) {
  if (!mark_.empty() && mark != mark_) alarmed_ = kAlarmedChecks;
  mark_ = mark;
  if (alarmed_ == 0) return {};
  --alarmed_;
  return Error(kLostData, "Redis has lost its data: the games that were in progress are gone");
}

}  // namespace komadai::livestore
