#!/usr/bin/env python3
"""The rules of the repository as a test: tidy.py [ROOT] prints each breach; exits 1 if there is one."""
import os
import subprocess
import sys

import includes
import metrics
import references
import shape
import text
import unity

# Data, licences, lock files and generated text are not ours to format.
DATA_SUFFIXES = (".json", ".jsonl", ".kif", ".kifu", ".csa", ".ki2", ".usi", ".sfen", ".perft",
                 ".tsv", ".csv", ".txt", ".png", ".svg", ".md")
EXEMPT = ("LICENSE", "tests/tidy/")


def source_files(root):
    """Tracked files, or all files where there is no git (a source archive)."""
    try:
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True)
        paths = [name for name in listed.stdout.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, subfolders, names in os.walk(root):
            subfolders[:] = [name for name in subfolders if name not in (".git", ".state", "build")]
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(path for path in paths if os.path.isfile(os.path.join(root, path)))


def check_file(path, content, exists):
    """Yields (line, message). `exists` tells whether a path from the root is there."""
    yield from text.findings(path, content)
    if not path.endswith(text.CPP):
        return
    for number, line in enumerate(content.split("\n"), 1):
        wrong_alias = shape.alias(path, line)
        if wrong_alias:
            yield number, wrong_alias
        match = includes.INCLUDE.match(line)
        if not match:
            continue
        quote, included = match.groups()
        why = includes.refused(path, included)
        if why:
            yield number, f'#include "{included}": {why}'
        generated = included.endswith(".pb.h") or exists(included + ".in")
        if quote == '"' and not generated and not exists(included):
            yield number, f'#include "{included}": quoted includes are paths from the root'


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def check_services(root, files):
    """Yields (path, line, message) for what is not as services are: files, folders, READMEs."""
    for path, message in shape.misplaced(files):
        yield path, 1, message
    wanted = {}
    for path in files:
        if path.startswith(("services/", "proto/")) and path.endswith((".h", ".cc", ".proto")):
            name, words = shape.words(path, read(root, path))
            wanted.setdefault(name, set()).update(words)
    for name in shape.services(files):
        path = f"services/{name}/README.md"
        if path in files:
            for number, message in shape.readme(name, read(root, path), wanted.get(name, set())):
                yield path, number, message


def check_libraries(root, files):
    """Yields (path, line, message) for names that sources compiled as one have in common."""
    for path in files:
        if path.endswith("CMakeLists.txt"):
            for _, sources in unity.sources(path, read(root, path)):
                texts = {source: read(root, source) for source in sources if source in files}
                for source, message in unity.clashes(texts):
                    yield source, 1, message


def check_tree(root):
    """Yields (path, line, message) for every file of the project."""
    known_metrics, metric_users = set(), []
    tests, words = set(), set()
    files = source_files(root)
    for path in files:
        if metrics.is_user(path):
            metric_users.append(path)
        if path.endswith(DATA_SUFFIXES) or path.startswith(EXEMPT):
            continue
        content = read(root, path)
        if path.endswith(text.CPP):
            known_metrics |= metrics.defined(content)
            tests |= references.tests_in(content)
            words |= references.words_in(content)
        for number, message in check_file(
                path, content, lambda name: os.path.isfile(os.path.join(root, name))):
            yield path, number, message
    for path in metric_users:
        for number, message in metrics.unknown(read(root, path), known_metrics):
            yield path, number, message
    for path in filter(references.is_page, files):
        for number, message in references.unknown(
                path, read(root, path), (tests, words), files, lambda name: read(root, name)):
            yield path, number, message
    yield from check_services(root, files)
    yield from check_libraries(root, files)


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(__file__), "../..")
    found = 0
    for path, number, message in check_tree(root):
        print(f"{path}:{number}: {message}")
        found += 1
    print(f"tidy: {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
