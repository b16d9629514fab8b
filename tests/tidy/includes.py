"""Who may include whom: the dependency table of the project, checked on every #include line.

Arrows point inward: adapters -> domain -> pure libraries. Services meet only through proto/.
"""
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# libs/<name> -> the other libs it may include.
LIBS = {
    "base": set(),
    "names": {"base"},
    "rules": {"base"},
    "timecontrol": {"base"},
    "elo": {"base"},
    "notation": {"base", "rules"},
    "conformance": {"base", "rules", "notation"},
    "config": {"base"},
    "telemetry": {"base", "config"},
    "process": {"base"},
    "sql": {"base"},
    "eventloop": {"base"},
    "redis": {"base", "eventloop", "telemetry"},
    "postgres": {"base", "sql", "telemetry"},
    "sqlite": {"base", "sql", "telemetry"},
    "livestore": {"base", "eventloop", "redis", "sql", "sqlite", "postgres", "telemetry"},
    "stores": {"base", "config", "livestore", "sql", "redis", "sqlite", "postgres", "telemetry"},
    "convert": {"base", "rules", "notation", "timecontrol"},
    "rpc": {"base", "config", "names", "telemetry"},
    "remotejudge": {"base", "rules", "notation", "conformance", "convert", "rpc"},
}
# The libraries that know gRPC and the contracts.
WIRE_LIBS = {"rpc", "convert", "remotejudge"}
PURE_LIBS = {"base", "names", "rules", "notation", "timecontrol", "elo"}

# A library from outside -> the only folders that may know it. Tests may know all of them.
OUTSIDE = {
    "hiredis": ("libs/redis/",),
    "pqxx": ("libs/postgres/",),
    "libpq-fe.h": ("libs/postgres/",),
    "sqlite3.h": ("libs/sqlite/",),
    "prometheus": ("libs/telemetry/", "libs/rpc/"),
    "spdlog": ("libs/telemetry/",),
    "CLI": ("libs/config/", "cli/", "services/all_in_one/", "tests/"),
    "jwt.h": ("libs/rpc/",),
    "curl": ("libs/rpc/",),
    "openssl": ("libs/rpc/",),
}
CONTRACTS = re.compile(r"^(komadai|google/rpc)/.*\.pb\.h$")
TEST_FILE = re.compile(r"(_(test|contract)\.(cc|h)$)|(_bench\.cc$)|(^tests/)|(/testing/)")


def is_test(path):
    return bool(TEST_FILE.search(path))


def is_domain(path):
    """Domain code: the part of a service that knows neither wire nor database."""
    return bool(re.match(r"services/[^/]+/domain/", path))


def refused(path, included):
    """Why `path` may not include `included`, or None."""
    outside = _refused_outside(path, included)
    if outside or is_test(path):
        return outside
    if CONTRACTS.match(included) or included.startswith("grpc"):
        return _refused_wire(path, included)
    parts = included.split("/")
    if parts[0] == "libs" and len(parts) > 1:
        return _refused_lib(path, included)
    if parts[0] == "services" and len(parts) > 1:
        return _refused_service(path, included, parts[1])
    if parts[0] in ("cli", "tests") and not path.startswith(parts[0] + "/"):
        return f"nothing includes {parts[0]}/ but itself"
    return None


def _refused_outside(path, included):
    top = included.split("/")[0]
    allowed = OUTSIDE.get(top)
    if allowed and not is_test(path) and not path.startswith(allowed):
        return f"only {', '.join(allowed)} may know {top}"
    if is_test(path) and included.startswith("services/") and path.startswith("services/"):
        return _refused_service(path, included, included.split("/")[1])
    return None


def _refused_wire(path, included):
    if is_domain(path):
        return "domain code knows neither gRPC nor the contracts"
    lib = re.match(r"libs/([^/]+)/", path)
    if lib and lib.group(1) not in WIRE_LIBS:
        return f"libs/{lib.group(1)} knows neither gRPC nor the contracts"
    if lib and lib.group(1) == "rpc" and re.match(r"komadai/(?!internal/)", included):
        return "libs/rpc serves every contract alike, so it knows none"
    return None


def _refused_lib(path, included):
    lib = included.split("/")[1]
    if lib == "testing":
        return "libs/testing is for tests only"
    own = re.match(r"libs/([^/]+)/", path)
    if own and own.group(1) == lib == "rules":
        return _refused_game(path, included)
    if own:
        name = own.group(1)
        if lib != name and lib not in LIBS.get(name, set()):
            return f"libs/{name} may not depend on libs/{lib}"
    elif is_domain(path) and lib not in PURE_LIBS:
        return f"domain code uses pure libraries only, not libs/{lib}"
    return None


def _refused_game(path, included):
    """Each game is a folder of libs/rules that the registry alone knows."""
    game = re.match(r"libs/rules/([^/]+)/", included)
    if not game or path == "libs/rules/registry.cc":
        return None
    if not path.startswith(game.group(0)):
        return f"only registry.cc and the game itself know the folder of {game.group(1)}"
    return None


def _refused_service(path, included, service):
    own = re.match(r"services/([^/]+)/", path)
    if path.startswith("libs/"):
        return "libraries do not know services"
    if own and own.group(1) == service:
        own = r"services/[^/]+/(domain/|errors\.h$" + (r"|testing/)" if is_test(path) else ")")
        if is_domain(path) and not re.match(own, included):
            return "domain code includes nothing of its service but the domain and its errors"
        return None
    if own and own.group(1) == "all_in_one":
        if re.match(r"services/[^/]+/(bind|config)\.h$", included):
            return None
        return "the all-in-one knows a service by its bind.h and config.h only"
    if own:
        return "services never include each other: they meet through proto/"
    if path.startswith("cli/") and service == "all_in_one":
        return None
    return f"{path.split('/')[0]}/ does not include services"
