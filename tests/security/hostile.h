// Hostile: requests that no honest client sends, made from the descriptor of any message.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <string>
#include <vector>

#include "libs/base/random.h"

namespace komadai {

// One way of filling every field of a message, those inside it included.
struct Filling {
  std::string name;
  std::string text;        // strings and bytes
  std::int64_t whole = 0;  // integers, cut to their width
  double real = 0;
  int enumerator = 0;  // enums; may be unknown
  bool flag = false;
  int repeated = 1;  // elements of repeated fields
};

// Empty values, too much of everything, the ends of every range, and values that are known to break
// programs.
const std::vector<Filling>& HostileFillings();

// Fills `message` and, to a depth of four, what is inside it.
void Fill(const Filling& filling, google::protobuf::Message& message);

// Fills it field by field at random, mostly with what could be meant.
void FillAtRandom(Random& random, google::protobuf::Message& message);

// Some bytes changed, lost, doubled or inserted.
std::string Mutated(Random& random, std::string bytes);

}  // namespace komadai
