"""Pages that lead from a rule to its code and its test name things that exist.

In a page, `Suite.Name` (or `Suite.*`) is a test, `Name` a word of some source and `Name` in `path` one of that file,
and `path` with a folder or a known ending a file or folder, from the root or from the page's own folder.
"""
import fnmatch
import posixpath
import re

PAGES = ("docs/rules.md", "libs/rules/README.md")

TEST_DEFINED = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)")
WORD = re.compile(r"\b[A-Za-z]\w+")
NAME = re.compile(r"^[A-Z]\w*[a-z]\w*(::\w+)*$")
QUOTED = re.compile(r"`([^`]+)`")
TEST = re.compile(r"^([A-Z]\w+)\.(\*|[A-Z]\w+)$")
NAME_IN_FILE = re.compile(r"`([\w:]+)`\s+(?:in|of)\s+`([^`\s]+\.(?:cc|h))`")
PATH = re.compile(r"^[\w.*/-]+$")
FILE = re.compile(r"\.(cc|h|md|py|sh|proto|jsonl|\*)$")


def is_page(path):
    return path in PAGES


def tests_in(content):
    """The tests that a source file defines, as (suite, name)."""
    return set(TEST_DEFINED.findall(content))


def words_in(content):
    return set(WORD.findall(content))


def unknown(page, content, known, files, read):
    """Yields (line, message) for every reference to something that is not there.

    `known` are tests and words as tests_in() and words_in() have them; `files` are all paths; `read`
    returns a file's content.
    """
    tests, words = known
    for number, line in enumerate(content.split("\n"), 1):
        for quoted in QUOTED.findall(line):
            test = TEST.match(quoted)
            if test and not _is_test(test, tests):
                yield number, f"there is no test {quoted}"
            elif not test and _looks_like_path(quoted) and not _find(page, quoted, files):
                yield number, f"there is no file or folder {quoted}"
            elif NAME.match(quoted) and not words_in(quoted) <= words:
                yield number, f"no source has {quoted}"
    # A reference may be broken over two lines.
    for match in NAME_IN_FILE.finditer(content):
        name, file = match.groups()
        found = _find(page, file, files)
        if found and not any(re.search(rf"\b{name}\b", read(path)) for path in found):
            yield content.count("\n", 0, match.start()) + 1, f"{file} has no {name}"


def _is_test(test, tests):
    suite, name = test.groups()
    return any(suite == known and name in ("*", has) for known, has in tests)


def _looks_like_path(quoted):
    if not PATH.match(quoted) or "NAME" in quoted:
        return False
    return bool(FILE.search(quoted)) or "/" in quoted


def _find(page, path, files):
    """The files that `path` means; a folder means all that is in it."""
    path = path.rstrip("/")
    for base in ("", posixpath.dirname(page)):
        wanted = posixpath.join(base, path)
        found = [file for file in files
                 if fnmatch.fnmatchcase(file, wanted) or file.startswith(wanted + "/")]
        if found:
            return found
    return []
