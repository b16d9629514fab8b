"""One shape for every folder of services/: the same files, folders, aliases and README sections.

The shape: README.md main.cc bind.{h,cc} config.h errors.h metrics.{h,cc} NAME_service.{h,cc} convert.{h,cc}, and the
folders domain/ app/ store/ ports/ watch/ process/ testing/. A service has only what it needs of it. More sources of
the service class are NAME_*.cc, more of convert.h convert_*.cc. A test is beside what it tests; what tests share is in
testing/. There is one errors.h, at the root: domain code may include it, since it is the vocabulary of the service.
"""
import re

# Not a service: all of them in one process.
EXEMPT = ("all_in_one",)
REQUIRED = ("CMakeLists.txt", "README.md", "main.cc", "bind.h", "bind.cc",
            "{name}_service.h", "{name}_service.cc")
FOLDERS = ("domain", "app", "store", "ports", "watch", "process", "testing")
AT_ROOT = re.compile(
    r"CMakeLists\.txt|README\.md|main\.cc|config\.h|(bind|convert|metrics)\.(h|cc)|errors\.h|convert_\w+\.(h|cc)")
OF_SERVICE = r"{name}_service\.h|{name}_\w+\.cc"
# Names with one place, whatever is before them: app/clock_metrics.cc, domain/errors.h.
ONLY_AT_ROOT = re.compile(r"(\w+_)?(metrics|errors|config|bind|component)\.(h|cc)")

ALIAS = re.compile(r"^\s*namespace (\w+) = (?:::)?komadai::(\w+)::v1;")

# Sections of every README, in this order; others of the service's own may be between them.
SECTIONS = ("RPCs", "State", "Limits", "When something fails", "Reasons", "Metrics", "Settings")
TABLES = {"RPCs": "| RPC | who | what |", "Reasons": "| code | reason |",
          "Metrics": "| name | meaning |"}
RPC = re.compile(r"^\s*rpc (\w+)\(", re.MULTILINE)
REASON = re.compile(r'\bReason k\w+\{[^"]*"(\w+)"\}')
METRIC = re.compile(r'"(komadai_\w+)"')
SETTING = re.compile(r'\.Add\(\s*"([\w-]+)"')


def services(files):
    """The names of the services among all paths of the repository."""
    found = {path.split("/")[1] for path in files if re.match(r"services/[^/]+/", path)}
    return sorted(found.difference(EXEMPT))


def misplaced(files):
    """Yields (path, message) for every file of a service that its shape has no place for."""
    present = set(files)
    for name in services(files):
        root = f"services/{name}/"
        for required in REQUIRED:
            path = root + required.format(name=name)
            if path not in present:
                yield path, "every service has this file"
        for path in files:
            if path.startswith(root):
                why = _misplaced(path[len(root):], name)
                if why:
                    yield path, why


def _misplaced(path, name):
    folder, _, file = path.rpartition("/")
    if not folder:
        base = re.sub(r"_test\.cc$", ".cc", file)
        if AT_ROOT.fullmatch(base) or re.fullmatch(OF_SERVICE.format(name=name), base):
            return None
        return "the root of a service has no such file; see shape.py"
    if folder.split("/")[0] not in FOLDERS:
        return f"a service has no folder {folder.split('/')[0]}/; see shape.py"
    if ONLY_AT_ROOT.fullmatch(file):
        return "this belongs to the root of the service, without a prefix"
    if file.endswith("_test.h"):
        return "what tests share is in testing/"
    return None


def alias(path, line):
    """What is wrong with an alias of a contract's namespace, or None."""
    service = re.match(r"services/([^/]+)/", path)
    match = ALIAS.match(line)
    if not match or not service:
        return None
    used, package = match.groups()
    wanted = {service.group(1): "pb", "internal": "stored_pb"}.get(package, f"{package}_pb")
    return None if used == wanted else f"the alias of komadai::{package}::v1 is {wanted}"


def words(path, text):
    """The names in a file that the README of its service must have: calls, reasons, metrics, settings."""
    contract = re.match(r"proto/komadai/(\w+)/v1/\1\.proto$", path)
    if contract:
        return contract.group(1), set(RPC.findall(text))
    source = re.match(r"services/(\w+)/(.+)$", path)
    if not source or path.endswith("_test.cc") or "/testing/" in path:
        return None, set()
    found = set(METRIC.findall(text)) if "metrics" in path else set()
    if source.group(2) == "errors.h":
        found |= set(REASON.findall(text))
    if source.group(2) == "config.h":
        found |= {"--" + setting for setting in SETTING.findall(text)}
    return source.group(1), found


def readme(name, text, wanted):
    """Yields (line, message) for what the README of service `name` lacks. `wanted`: see words()."""
    lines = text.split("\n")
    if not lines[0].startswith(f"# {name}: "):
        yield 1, f'the title is "# {name}: what it is for"'
    at = 0
    for section in SECTIONS:
        start = next((n for n, line in enumerate(lines) if re.match(rf"## {section}( \(|$)", line)),
                     None)
        if start is None:
            yield 1, f"there is no section {section}"
            continue
        if start < at:
            yield start + 1, f"the section {section} is not in order: {', '.join(SECTIONS)}"
        at = start
        if section in TABLES and not _has_table(lines[start + 1:], TABLES[section]):
            yield start + 1, f"the section {section} has no table {TABLES[section]}"
    known = set(re.findall(r"--[\w-]+|\w+", text))
    for word in sorted(wanted - known):
        yield 1, f"{word} is not described"


def _has_table(lines, header):
    for line in lines:
        if line.startswith("## "):
            return False
        # A service may say instead that there are none.
        if line.startswith(header) or line.startswith("None"):
            return True
    return False
