#include "tests/play/people.h"

#include "libs/rpc/auth/token.h"

namespace komadai::play {
namespace {

namespace rating_pb = ::komadai::rating::v1;
using Rating = rating_pb::RatingService::StubInterface;

constexpr Millis kTokenLifetime{std::int64_t{24} * 3600 * 1000};

Person PersonOf(const rating_pb::Session& session) {
  return {session.player(), "Bearer " + session.token()};
}

Result<Person> SignInOne(Replicas<rating_pb::RatingService>& rating, const std::string& name,
                         Random& random) {
  const std::atomic<bool> never{false};
  ErrorCounts errors;
  Attempts attempts(Patience(), never, errors, random);
  rating_pb::CreateTestSessionRequest test;
  test.set_name(name);
  Result<rating_pb::CreateTestSessionResponse> tested =
      rating.Call(&Rating::CreateTestSession, test, "", attempts);
  if (tested) return PersonOf(tested->session());
  if (tested.error().reason() != "TEST_PLAYERS_DISABLED") return std::move(tested).error();
  rating_pb::CreateGuestSessionRequest guest;
  guest.set_nickname(name);
  Result<rating_pb::CreateGuestSessionResponse> session =
      rating.Call(&Rating::CreateGuestSession, guest, "", attempts);
  if (!session) return std::move(session).error();
  return PersonOf(session->session());
}

}  // namespace

Result<std::vector<Person>> SignIn(Replicas<rating_pb::RatingService>& rating,
                                   const std::string& prefix, int count, Random& random) {
  std::vector<Person> people;
  for (int i = 0; i < count; ++i) {
    Result<Person> person = SignInOne(rating, prefix + "-" + std::to_string(i), random);
    if (!person) return std::move(person).error();
    people.push_back(*std::move(person));
  }
  return people;
}

Result<std::string> Bearer(const std::string& secret, rpc::CallerKind kind, const std::string& id) {
  const rpc::TokenMinter minter({secret});
  const TimePoint now = SystemTimeSource().Now();
  Result<std::string> token = minter.Mint({kind, id, id}, now, now + kTokenLifetime);
  if (!token) return token;
  return "Bearer " + *token;
}

}  // namespace komadai::play
