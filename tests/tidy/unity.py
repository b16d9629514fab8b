"""Names of unnamed namespaces differ within a library, because several sources are compiled as one.

How sources are grouped depends on their number and order, so two equal names may go unnoticed until a source is added.
"""
import re

LIBRARY = re.compile(r"komadai_library\((\w+)([^)]*)\)")
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.MULTILINE | re.DOTALL)
# A declaration at the start of a line: a type, a constant, a function.
DECLARED = re.compile(r"(?:using (\w+) =)|"
                      r"(?!using |namespace |template |return |case )[A-Za-z][\w:<>,*&\s]*?[\s*&](\w+)(?:\(|\[| = |;| \{)")


def sources(cmake_path, text):
    """Yields (library, its sources) of a CMakeLists.txt, except those that are not grouped."""
    folder = cmake_path.rpartition("/")[0]
    for name, body in LIBRARY.findall(text):
        if "NO_UNITY" not in body:
            words = body.split("DEPS")[0].split()
            yield name, [f"{folder}/{word}" for word in words if word.endswith(".cc")]


def names(text):
    """The names that the unnamed namespaces of a source declare."""
    found = set()
    for block in UNNAMED.findall(text):
        for line in block.split("\n"):
            match = DECLARED.match(line)
            if match:
                found.add(match.group(1) or match.group(2))
    return found


def clashes(texts):
    """Yields (path, message) for each name that an earlier source of the library has; texts: path -> text."""
    owner = {}
    for path in sorted(texts):
        for name in sorted(names(texts[path])):
            if name in owner:
                yield path, f"{name} is in the unnamed namespace of {owner[name]} too; see unity.py"
            owner.setdefault(name, path)
