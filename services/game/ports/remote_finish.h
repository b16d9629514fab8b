// The archive, the ratings and the engines over their contracts.
#pragma once

#include "komadai/engine/v1/engine.pb.h"
#include "komadai/kifu/v1/kifu.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "libs/rpc/client/client.h"
#include "services/game/ports/finish_ports.h"

namespace komadai::game {

class RemoteArchive final : public ArchivePort {
 public:
  explicit RemoteArchive(rpc::BindContext& context) : kifu_(context, "kifu") {}
  Task<Status> Store(rpc::Call call, std::shared_ptr<const Game> game) override;

 private:
  rpc::Client kifu_;
};

class RemoteRating final : public RatingPort {
 public:
  explicit RemoteRating(rpc::BindContext& context) : rating_(context, "rating") {}
  Task<Status> Apply(rpc::Call call, std::shared_ptr<const Game> game) override;

 private:
  rpc::Client rating_;
};

class RemoteEngine final : public EnginePort {
 public:
  explicit RemoteEngine(rpc::BindContext& context) : engine_(context, "engine") {}
  Task<Result<ComputerMove>> Choose(rpc::Call call, std::shared_ptr<const Game> game) override;

 private:
  rpc::Client engine_;
};

}  // namespace komadai::game
