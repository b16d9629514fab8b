#include "libs/rpc/testing/https_issuer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <utility>

#include "libs/base/check.h"

namespace komadai::rpc {
namespace {

constexpr std::chrono::seconds kPatience{10};

template <typename T, typename Read>
T* FromPem(const std::string& pem, Read read) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  T* object = read(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  KOMADAI_CHECK(object != nullptr);
  return object;
}

}  // namespace

struct HttpsIssuer::Tls {
  Tls(const PemPair& pem) : context(SSL_CTX_new(TLS_server_method())) {
    X509* certificate = FromPem<X509>(pem.certificate, PEM_read_bio_X509);
    EVP_PKEY* key = FromPem<EVP_PKEY>(pem.key, PEM_read_bio_PrivateKey);
    KOMADAI_CHECK(SSL_CTX_use_certificate(context, certificate) == 1);
    KOMADAI_CHECK(SSL_CTX_use_PrivateKey(context, key) == 1);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  ~Tls() { SSL_CTX_free(context); }
  SSL_CTX* context;
};

HttpsIssuer::HttpsIssuer(const PemPair& pem) : tls_(std::make_unique<Tls>(pem)) {
  std::signal(SIGPIPE, SIG_IGN);  // a client that refuses the certificate hangs up
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  KOMADAI_CHECK(::bind(listener_, generic, size) == 0 && ::listen(listener_, 16) == 0);
  KOMADAI_CHECK(::getsockname(listener_, generic, &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Loop(); });
}

HttpsIssuer::~HttpsIssuer() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept()
  thread_.join();
  ::close(listener_);
}

std::string HttpsIssuer::Url() const {
  return "https://127.0.0.1:" + std::to_string(port_) + "/certs";
}

void HttpsIssuer::Answer(int status, std::string body) {
  const MutexLock lock(mutex_);
  status_ = status;
  body_ = std::move(body);
}

int HttpsIssuer::Requests() const {
  const MutexLock lock(mutex_);
  return requests_;
}

bool HttpsIssuer::AwaitRequests(int count) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(mutex_);
  while (requests_ < count && answered_.WaitUntil(lock, until)) {
  }
  return requests_ >= count;
}

void HttpsIssuer::Loop() {
  for (;;) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    {
      const MutexLock lock(mutex_);
      if (stopping_) {
        if (connection >= 0) ::close(connection);
        return;
      }
    }
    if (connection < 0) continue;
    timeval patience{5, 0};
    ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    Serve(connection);
    ::close(connection);
  }
}

void HttpsIssuer::Serve(int connection) {
  SSL* ssl = SSL_new(tls_->context);
  SSL_set_fd(ssl, connection);
  if (SSL_accept(ssl) == 1) {
    std::string request;
    char buffer[1024];
    int got = 0;
    while (request.find("\r\n\r\n") == std::string::npos &&
           (got = SSL_read(ssl, buffer, sizeof buffer)) > 0) {
      request.append(buffer, static_cast<std::size_t>(got));
    }
    MutexLock lock(mutex_);
    const std::string answer =
        "HTTP/1.1 " + std::to_string(status_) +
        " X\r\nConnection: close\r\nContent-Length: " + std::to_string(body_.size()) + "\r\n\r\n" +
        body_;
    lock.Unlock();
    SSL_write(ssl, answer.data(), static_cast<int>(answer.size()));
    SSL_shutdown(ssl);
    lock.Lock();
    ++requests_;
    answered_.NotifyAll();
  }
  SSL_free(ssl);
}

}  // namespace komadai::rpc
