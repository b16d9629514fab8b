// RemoteJudge: a rules service asked what the conformance vectors claim.
//
// What the service cannot be asked is answered by the library: western squares in digits, the
// Vietnamese federation's letters, a declaration by the side that is not to move, and a game that
// begins beyond its ply limit.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/time.h"
#include "libs/conformance/judge.h"
#include "libs/conformance/library_judge.h"

namespace komadai::remotejudge {

class RemoteJudge : public conformance::Judge {
 public:
  // Blocking calls, each of at most `timeout`. A call that fails is an error with the service's
  // reason; nothing is retried.
  explicit RemoteJudge(std::shared_ptr<grpc::Channel> rules, Millis timeout = Millis(10000))
      : rules_(std::move(rules)), timeout_(timeout) {}

  Result<conformance::Survey> Look(const conformance::Board& board) override;
  Result<std::optional<rules::Illegal>> WhyIllegal(const conformance::Board& board,
                                                   const std::string& move) override;
  Result<conformance::Listing> List(const conformance::Board& board,
                                    const std::string& move) override;
  Result<std::string> Play(const conformance::Board& board, const std::string& move) override;
  // Asked twice: ply by ply with the memory the service hands out (ApplyMove), and at once
  // (JudgeGame). BAD_ANSWER if the two differ.
  Result<conformance::GameAnswer> JudgeGame(const conformance::GameQuestion& game) override;
  Result<std::string> Write(const conformance::Board& board, const std::string& legal_move,
                            const conformance::Spelling& spelling) override;
  Result<std::string> Read(const conformance::Board& board, const std::string& text,
                           const conformance::Spelling& spelling) override;

 private:
  template <typename Response>
  Result<Response> Call(const google::protobuf::Message& request);
  Result<::komadai::rules::v1::ConvertMovesResponse> Convert(const conformance::Board& board,
                                                             const std::vector<std::string>& moves,
                                                             const conformance::Spelling* from,
                                                             const conformance::Spelling* to);
  Result<::komadai::rules::v1::ApplyMoveResponse> PlayThrough(
      const ::komadai::common::v1::GameSetup& setup, const std::vector<std::string>& moves);
  Result<rules::Verdict> VerdictOf(const ::komadai::common::v1::GameSetup& setup,
                                   const conformance::GameQuestion& game,
                                   const ::komadai::rules::v1::JudgeGameResponse& judged);

  std::shared_ptr<grpc::Channel> rules_;
  Millis timeout_;
  conformance::LibraryJudge library_;
};

}  // namespace komadai::remotejudge
