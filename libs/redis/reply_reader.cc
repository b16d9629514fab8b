#include "libs/redis/reply_reader.h"

#include <cstddef>
#include <utility>

namespace komadai::redis {
namespace {

using Kind = Reply::Kind;

// Nested values live inside their parent's vector, which has its final size from the start.
Reply* Place(const redisReadTask* task, Reply reply) {
  if (task->parent == nullptr) return new Reply(std::move(reply));
  auto* parent = static_cast<Reply*>(task->parent->obj);
  Reply& slot = parent->elements[static_cast<std::size_t>(task->idx)];
  slot = std::move(reply);
  return &slot;
}

Kind KindOf(int type) {
  switch (type) {
    case REDIS_REPLY_STATUS:
      return Kind::kStatus;
    case REDIS_REPLY_ERROR:
      return Kind::kError;
    default:
      return Kind::kString;
  }
}

void* CreateString(const redisReadTask* task, char* text, std::size_t length) {
  return Place(task, Reply{.kind = KindOf(task->type), .text = std::string(text, length)});
}

void* CreateArray(const redisReadTask* task, int elements) {
  Reply array{.kind = Kind::kArray};
  array.elements.resize(static_cast<std::size_t>(elements));
  return Place(task, std::move(array));
}

void* CreateInteger(const redisReadTask* task, long long value) {
  return Place(task, Reply{.kind = Kind::kInteger, .integer = value});
}

void* CreateNil(const redisReadTask* task) { return Place(task, Reply{}); }

void FreeObject(void* reply) { delete static_cast<Reply*>(reply); }

}  // namespace

redisReplyObjectFunctions* ReplyFunctions() {
  static redisReplyObjectFunctions functions{&CreateString, &CreateArray, &CreateInteger,
                                             &CreateNil, &FreeObject};
  return &functions;
}

}  // namespace komadai::redis
