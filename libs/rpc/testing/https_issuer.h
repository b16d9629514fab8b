// HttpsIssuer: a small HTTPS server that lists an issuer's keys, inside a test. Tests only.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "libs/base/mutex.h"
#include "libs/rpc/testing/certificates.h"

namespace komadai::rpc {

class HttpsIssuer {
 public:
  // Serves with that certificate on a free port of 127.0.0.1.
  explicit HttpsIssuer(const PemPair& pem);
  ~HttpsIssuer();

  std::string Url() const;
  // What is answered from now on.
  void Answer(int status, std::string body);
  int Requests() const;
  // Waits until so many requests have been answered; false after ten seconds.
  bool AwaitRequests(int count);

 private:
  struct Tls;
  void Loop();
  void Serve(int connection);

  std::unique_ptr<Tls> tls_;
  int listener_ = -1;
  int port_ = 0;
  mutable Mutex mutex_;
  CondVar answered_;
  int status_ KOMADAI_GUARDED_BY(mutex_) = 503;
  std::string body_ KOMADAI_GUARDED_BY(mutex_);
  int requests_ KOMADAI_GUARDED_BY(mutex_) = 0;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace komadai::rpc
