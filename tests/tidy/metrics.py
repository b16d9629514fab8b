"""Dashboards and alerts speak of metrics that some program has: a renamed metric shows here."""
import re

USED = re.compile(r"(?<![:\w])komadai_[a-z0-9_]+")
DEFINED = re.compile(r'"(komadai_[a-z0-9_]+)"')


def is_user(path):
    return path.startswith(("deploy/prometheus/", "deploy/grafana/"))


def defined(content):
    return set(DEFINED.findall(content))


def unknown(content, known):
    """Yields (line, message) for each metric that is used in `content` but not in `known`."""
    for number, line in enumerate(content.split("\n"), 1):
        for name in USED.findall(line):
            if re.sub(r"_(bucket|sum|count)$", "", name) not in known and name not in known:
                yield number, f"no program has a metric {name}"
