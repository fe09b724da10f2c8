"""Keep, drop and title rules, and the rule that decides on a path."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrapy_stemmer.learners.rules.site.paths import Paths, Selector
from scrapy_stemmer.page.blocks import Role

KEEP, DROP, TITLE = "keep", "drop", "title"  # actions
MAX_SURE = 0.99
MIN_ODDS = 0.1  # lowest log-odds of a rule either way, since every rule decides


@dataclass(frozen=True)
class Rule:
    action: str
    selector: Selector  # matched elements; nearer rules inside take precedence
    # role of the text, if known: of dropped text by its names, otherwise by the user. A role that contradicts the
    # action, as after an edit of the action, is ignored
    role: Role | None = None
    sure: float = 1.0  # confidence of the learner from 0 to 1, as a mean over the text decided
    is_users: bool = False  # written or changed by hand

    @property
    def line(self) -> str:
        return f"{self.action} {self.selector}"

    @property
    def subject(self) -> tuple[bool, Selector]:
        """Key for replacing a rule: equal keys replace each other."""
        return self.action == TITLE, self.selector

    @property
    def odds(self) -> float:
        sure = MAX_SURE if self.is_users else min(MAX_SURE, max(1 - MAX_SURE, self.sure))
        odds = max(MIN_ODDS, math.log(sure / (1 - sure)))
        return odds if self.action == KEEP else -odds

    @property
    def overrules(self) -> bool:
        """True if a user's rule overrules all learned rules inside its elements. A rule for the body is a default
        instead."""
        return self.is_users and self.action != TITLE and self.selector.steps[-1].tag != "body"


def rank(rule: Rule) -> tuple[bool, int, int]:
    """Return the sort key of rules for an element; the highest wins, then the last.

    A user's rule comes before learned rules, then more components, then more tags and names.
    """
    steps = rule.selector.steps
    return rule.is_users, len(steps), sum(len(step.names) + bool(step.tag) for step in steps)


class Ranking:
    """Rules in order of precedence, indexed by element, so that few are tried on a path."""

    def __init__(self, rules: Sequence[Rule], numbers: Iterable[int]) -> None:
        self._rules = rules
        self._of: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, number in enumerate(numbers):
            last = rules[number].selector.steps[-1]
            self._of[min(last.names, default=last.tag)].append((place, number))

    def first(self, paths: Paths, path: int, default: int) -> int:
        component, known = paths.components[path], self._of
        if component.tag not in known and "" not in known and known.keys().isdisjoint(component.names):
            return default  # most paths
        near = [each for key in ("", component.tag, *component.names) if key in known for each in known[key]]
        matching = (number for _, number in sorted(near) if self._rules[number].selector.matches(paths, path))
        return next(matching, default)
