# shellcheck shell=bash
# The standard gRPC health check, asked with curl: waiting for a server needs no client program.

# grpc_health HOST:PORT [SERVICE]: prints SERVING, NOT_SERVING, UNKNOWN or UNREACHABLE.
# The empty service name is readiness, "live" is liveness.
grpc_health() {
  local service=${2:-} request reply
  # A gRPC frame: a byte for "not compressed", four bytes length, HealthCheckRequest{service = 1}.
  if [[ -z $service ]]; then
    request='\x00\x00\x00\x00\x00'
  else
    printf -v request '\\x00\\x00\\x00\\x00\\x%02x\\x0a\\x%02x%s' \
      $((${#service} + 2)) "${#service}" "$service"
  fi
  # shellcheck disable=SC2059 # the format holds the escapes
  reply=$(printf "$request" | curl --silent --noproxy '*' --http2-prior-knowledge --max-time 3 \
    -H 'content-type: application/grpc' -H 'te: trailers' --data-binary @- \
    "http://$1/grpc.health.v1.Health/Check" 2>/dev/null | od -An -tx1 | tr -d ' \n') || reply=
  case $reply in
    00000000020801) echo SERVING ;;
    00000000020802) echo NOT_SERVING ;;
    0000000000 | 00000000020800 | 00000000020803) echo UNKNOWN ;;
    *) echo UNREACHABLE ;;
  esac
}
