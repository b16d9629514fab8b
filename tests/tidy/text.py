"""Rules about the text of a file: widths, lengths, words and calls that do not belong."""
import re

MAX_COLUMNS = 100
MAX_LINES = 500
MAX_FUNCTION_LINES = 70

CPP = (".cc", ".h")
# Contracts are not in these lists: buf formats them, and one service is one file.
WIDTH_CHECKED = CPP + (".py", ".sh", ".cmake", "CMakeLists.txt", "/dev", ".lua", ".sql")
LENGTH_CHECKED = CPP + (".py", ".sh")

# Places that may read the wall clock: the time source itself, and where gRPC speaks in deadlines.
CLOCK_READERS = ("libs/base/time.h", "libs/rpc/", "libs/telemetry/", "libs/testing/", "cli/")

# Tests of real processes, which can only be asked, not waited for.
POLLING_TESTS = ("tests/attack/", "tests/e2e/", "tests/chaos/", "tests/load/", "tests/bench/")
# Inputs of tests: what is odd about them is their point.
FOREIGN_TEXT = ("tests/fuzz/findings/",)
# Both are compiled wrongly by GCC 12: the wrong temporary is destroyed, or one twice.
AWAIT_CHOICE = re.compile(r"\?\s*co_await\b|^\s*:\s*co_await\b")
AWAIT_BRACES = re.compile(r"co_await\b[^;]*[(,]\s*\{")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
SUPPRESSED = re.compile(r"\bNOLINT(?!\(google-explicit-constructor\)|: implicit)")
# Locks are those of mutex.h, which clang can check (./dev lint).
STANDARD_LOCK = re.compile(
    r"\bstd::(\w*mutex|condition_variable\w*|(lock|shared)_(guard|lock)|(unique|scoped)_lock)\b")
LOCKS = "libs/base/mutex.h"
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep)\b|(?<![\w.])sleep\(")
WALL_CLOCK = re.compile(
    r"\bsystem_clock::now\b|\bgettimeofday\b|(?<![\w.>:])time\((nullptr|NULL|0)\)")
# What means nothing to a reader elsewhere: one machine's absolute paths, one network's registry hosts.
FOREIGN = re.compile(
    r"(?<![\w./$}-])/(work|root|home)/\w"
    r"|\b(registry\.(npmjs|yarnpkg)|(deb|security)\.debian|pypi|files\.pythonhosted)\.(org|com)\b")
# A new game touches its folder, types.h and registry.cc: what games share asks the Game instead of
# naming one. (Default values of members are no knowledge.)
SHARED_RULES = re.compile(r"libs/rules/(?!types\.h$|registry\.cc$)[^/]+(?<!_test|bench)\.(h|cc)$")
NAMES_A_GAME = re.compile(r"\bVariant::k\w+(?![\w;])")
FUNCTION_START = re.compile(r"^(?!(namespace|class|struct|enum)\b)[A-Za-z].*\(")
RPC = re.compile(r"^\s*rpc\s+(\w+)")


def findings(path, text):
    """Yields (line, message) for everything wrong in the text of one file."""
    if path.startswith(FOREIGN_TEXT):
        return
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        for message in _line_findings(path, line):
            yield number, message
    if path.endswith(LENGTH_CHECKED) and len(lines) > MAX_LINES + 1:
        yield MAX_LINES, f"{len(lines) - 1} lines; a file has at most {MAX_LINES}"
    if path.endswith(".h") and "#pragma once" not in text:
        yield 1, "a header starts with #pragma once"
    if path.endswith(".proto"):
        yield from _undocumented_rpcs(lines)
    if path.endswith(CPP) and not path.endswith("_test.cc"):
        yield from _long_functions(lines)


def _line_findings(path, line):
    if f"/{path}".endswith(WIDTH_CHECKED) and len(line) > MAX_COLUMNS:
        yield f"{len(line)} columns; a line has at most {MAX_COLUMNS}"
    if line != line.rstrip():
        yield "trailing blanks"
    if UNFINISHED.search(line):
        yield "unfinished work is finished or filed, not noted in the code"
    if FOREIGN.search(line):
        yield "a path or host of one particular machine"
    if not path.endswith(CPP):
        return
    if SUPPRESSED.search(line):
        yield "a warning is heeded, not silenced (but for conversions that are meant)"
    code = line.split("//")[0]
    if SHARED_RULES.match(path) and NAMES_A_GAME.search(code):
        yield "what the games share does not name one: ask GameOf(variant)"
    if AWAIT_CHOICE.search(code):
        yield "no co_await in a conditional expression: the compiler destroys the wrong one"
    if AWAIT_BRACES.search(code):
        yield "no braced temporary in a co_await: name it first"
    if STANDARD_LOCK.search(code) and path != LOCKS:
        yield "locks are the annotated ones of libs/base/mutex.h"
    # A loop that asks another process again and again may pause.
    polls = "while (" in code or path.startswith(POLLING_TESTS)
    if SLEEP.search(code) and not polls and (path.endswith("_test.cc") or path.startswith("tests/")):
        yield "a test waits for a condition or moves the time itself; it does not sleep"
    if WALL_CLOCK.search(code) and not path.startswith(CLOCK_READERS + ("tests/",)) \
            and not path.endswith("_test.cc"):
        yield "the time comes from a TimeSource or as an argument"


def _undocumented_rpcs(lines):
    for number, line in enumerate(lines, 1):
        rpc = RPC.match(line)
        if rpc and not (number > 1 and lines[number - 2].lstrip().startswith("//")):
            yield number, f"rpc {rpc.group(1)} has no comment"


def _long_functions(lines):
    """Functions at namespace level: clang-format puts their closing brace in the first column."""
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("}") and start:
            if number - start > MAX_FUNCTION_LINES:
                yield start, f"{number - start} lines; a function has at most {MAX_FUNCTION_LINES}"
            start = None
        elif FUNCTION_START.match(line):
            start = number
        elif re.match(r"^[A-Za-z#].*", line) and not line.endswith(("{", "(", ",", "=")):
            start = None
