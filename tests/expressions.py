"""Regular expressions of the package, and texts that may make them slow."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import scrapy_stemmer

_parser: Any = import_module("re._parser")

ROOT = Path(scrapy_stemmer.__file__).parent

OPTIONAL = {"scrapy_stemmer.spark", "scrapy_stemmer.datatrove"}  # modules that need packages of their own

AT_START = frozenset({"match", "fullmatch"})
SEARCHING = frozenset({"search", "sub", "subn", "split", "findall", "finditer", "scanner"})
METHODS = AT_START | SEARCHING


class Expression(NamedTuple):
    """A regular expression and its place in the package."""

    place: str
    compiled: re.Pattern[Any]
    methods: frozenset[str]  # the call that uses the expression


# Listing the expressions


@cache
def sources() -> Mapping[str, ast.Module]:
    """The syntax trees of all modules by name."""
    return {
        ".".join(("scrapy_stemmer", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): ast.parse(path.read_text())
        for path in sorted(ROOT.rglob("*.py"))
    }


def patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """Yield the compiled expressions in a value and in its members."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(owner := getattr(value, "__self__", None), re.Pattern):
        yield owner
    for each in held_by(value) if depth < 4 else ():
        yield from patterns_in(each, depth + 1)


def held_by(value: object) -> Iterable[object]:
    """Yield the members of containers, of functions, and of classes of the package and their instances."""
    if isinstance(value, Mapping):
        return (*value.keys(), *value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return value
    if isinstance(value, partial):
        return value.args
    kind = value if inspect.isclass(value) else type(value)
    if str(kind.__module__).startswith("scrapy_stemmer") and hasattr(value, "__dict__"):
        return tuple(vars(value).values())
    return ()


def kept() -> Iterator[tuple[str, str, re.Pattern[Any]]]:
    """Return modules, names and values kept by modules."""
    for info in pkgutil.walk_packages([str(ROOT)], "scrapy_stemmer."):
        if info.name in OPTIONAL:
            continue
        for name, value in vars(importlib.import_module(info.name)).items():
            for pattern in patterns_in(value):
                yield info.name, name, pattern


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the calls of functions of :mod:`re` that take an expression, with the module and, if any, the function."""
    for module, tree in sources().items():
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        within = {id(node): function.name for function in functions for node in ast.walk(function)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in METHODS | {"compile"}
            ):
                yield module.removeprefix("scrapy_stemmer."), within.get(id(node), ""), node


EXAMPLES: Mapping[tuple[str, str], str] = {
    ("fields.rules", "_label"): r"(?<!\w)written\ by(?!\w)",
    ("learners.rules.features", "kinds"): "[a-z]+",
    ("learners.rules.placeholders", "_compiled"): "(?!)",  # the expressions are in a file
    ("learners.rules.placeholders", "left_out"): r"(?<!\w)/a/b\.html(?!\w)|(?<!\w)b\.html(?!\w)",
}
"""Functions that build an expression, with an example of each."""

OF_USERS = frozenset(
    {
        ("page.expressions", "bounded_expression"),
        ("learners.literature.blocks", "__init__"),
        ("learners.literature.layout.webstemmer", "_mangle"),
    }
)
"""Functions that compile expressions of users, bounded by :mod:`scrapy_stemmer.page.expressions`."""


def flags_of(call: ast.Call, place: int) -> int:
    """Return the flags named by a call."""
    given = [*call.args[place:], *(word.value for word in call.keywords if word.arg == "flags")]
    names = [node.attr for each in given for node in ast.walk(each) if isinstance(node, ast.Attribute)]
    return sum(getattr(re, name) for name in names if isinstance(getattr(re, name, None), re.RegexFlag))


@cache
def uses() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the methods called on each name, by module; all methods for names with further uses."""
    found: dict[str, dict[str, set[str]]] = {}
    for module, tree in sources().items():
        names = found.setdefault(module, {})
        attributes = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Store):
                name = node.id if isinstance(node, ast.Name) else node.attr
                attribute = attributes.get(id(node))
                names.setdefault(name, set()).update(METHODS if attribute is None else {attribute} & METHODS)
    return {module: {name: frozenset(each) for name, each in names.items()} for module, names in found.items()}


def used(module: str, name: str) -> frozenset[str]:
    """Return the methods called on a name: in its own module if private, else in all modules."""
    where = [uses()[module]] if name.startswith("_") else uses().values()
    return frozenset[str]().union(*(names.get(name, frozenset()) for names in where))


@cache
def expressions() -> dict[str, Expression]:
    """Return all expressions by place: constants of modules, and literals in functions."""
    found: dict[tuple[Any, int], Expression] = {}

    def add(place: str, pattern: re.Pattern[Any], methods: Iterable[str]) -> None:
        key = (pattern.pattern, pattern.flags)
        before = found.get(key)
        all_methods = frozenset(methods) | (before.methods if before else frozenset())
        found[key] = Expression(before.place if before else place, pattern, all_methods)

    for module, name, pattern in kept():
        add(f"{module.removeprefix('scrapy_stemmer.')}.{name}", pattern, used(module, name))
    for module, _, call in calls():
        try:
            text = ast.literal_eval(call.args[0])
        except ValueError:
            continue  # built by a function: kept by a module, or in EXAMPLES
        method = call.func.attr  # type: ignore[attr-defined]
        place = {"compile": 1, "sub": 3, "subn": 3, "split": 2}.get(method, 2)
        pattern = re.compile(text, flags_of(call, place))
        if (pattern.pattern, pattern.flags) not in found or method != "compile":
            add(f"{module}:{call.lineno}", pattern, {method} & METHODS or METHODS)
    for (module, function), example in EXAMPLES.items():
        add(f"{module}.{function}", re.compile(example, re.IGNORECASE), METHODS)
    return {each.place: each for each in found.values()}


# Texts that an expression may take long for

REPRESENTATIVES = {
    _parser.CATEGORY_SPACE: " \n",
    _parser.CATEGORY_NOT_SPACE: "a-",
    _parser.CATEGORY_DIGIT: "1",
    _parser.CATEGORY_NOT_DIGIT: "a ",
    _parser.CATEGORY_WORD: "a1_",
    _parser.CATEGORY_NOT_WORD: " -",
}
REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT)
ONE_CHARACTER = (_parser.LITERAL, _parser.NOT_LITERAL, _parser.IN, _parser.ANY)
ANY = 'a ,-1\n<\x00/"é字'


class Texts:
    """Beginnings, repeated parts and ends of texts, from the parts of an expression."""

    MOST = 24  # beginnings and repeated parts at most

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        text = pattern.pattern
        self._is_bytes = isinstance(text, bytes)
        self._flags = pattern.flags & ~re.DEBUG
        tree = _parser.parse(text, self._flags)
        self._groups: dict[int, str] = {}
        self.before: dict[str, None] = {"": None}
        self.repeated: dict[str, None] = {}
        self._walk(list(tree), "")

    def _characters(self, item: tuple[Any, Any]) -> str:
        """Return some characters matched by an item."""
        operation, argument = item
        if operation is _parser.LITERAL:
            return chr(argument)
        if operation is _parser.ANY:
            return "a <" if not self._flags & re.DOTALL else "a <\n"
        if operation is _parser.NOT_LITERAL:
            return "".join(c for c in ANY if ord(c) != argument)[:4]
        parts = list(argument)
        if parts[0][0] is _parser.NEGATE:
            single = re.compile(_charset(parts[1:]))
            return "".join(character for character in ANY if not single.match(character))[:4] or "a"
        return "".join(map(self._of_class, parts))

    @staticmethod
    def _of_class(part: tuple[Any, Any]) -> str:
        operation, argument = part
        if operation is _parser.LITERAL:
            return chr(argument)
        if operation is _parser.RANGE:
            return chr(argument[0])
        return REPRESENTATIVES.get(argument, "a")

    def _sample(self, items: list[Any]) -> str:
        return "".join(map(self._of, items))

    def _of(self, item: tuple[Any, Any]) -> str:
        operation, argument = item
        if operation in ONE_CHARACTER:
            return self._characters(item)[:1]
        if operation is _parser.BRANCH:
            return self._sample(list(argument[1][0]))
        if operation is _parser.SUBPATTERN:
            text = self._sample(list(argument[3]))
            self._groups[argument[0]] = text
            return text
        if operation is _parser.ATOMIC_GROUP:
            return self._sample(list(argument))
        if operation in REPEATS:
            return self._sample(list(argument[2])) * min(max(argument[0], 1), 40)
        if operation is _parser.GROUPREF:
            return self._groups.get(argument, "")
        return ""

    def _add(self, found: dict[str, None], text: str) -> None:
        if text not in found and len(found) < self.MOST:
            found[text] = None

    def _walk(self, items: list[Any], before: str, *, is_repeated: bool = False) -> None:
        for item in items:
            operation, argument = item
            if operation in REPEATS:
                self._add(self.before, before)
                self._add(self.repeated, before)
                self._walk(list(argument[2]), before, is_repeated=True)
                self._add(self.repeated, self._sample(list(argument[2])))
                self._add(self.repeated, before + self._of(item))
            elif operation in ONE_CHARACTER:
                for character in self._characters(item)[:3] if is_repeated else ():
                    self._add(self.repeated, character)
            else:
                for inner in self._within(item):
                    self._walk(inner, before, is_repeated=is_repeated)
            before += self._of(item)
        self._add(self.repeated, before)

    @staticmethod
    def _within(item: tuple[Any, Any]) -> list[list[Any]]:
        """The sequences in a group, a choice or a look to the side."""
        operation, argument = item
        if operation is _parser.BRANCH:
            return [list(branch) for branch in argument[1]]
        if operation is _parser.SUBPATTERN:
            return [list(argument[3])]
        if operation is _parser.ATOMIC_GROUP:
            return [list(argument)]
        return [list(argument[1])] if operation in (_parser.ASSERT, _parser.ASSERT_NOT) else []

    def cases(self) -> Iterator[tuple[str, str, str]]:
        """Beginnings, repeated parts and ends."""
        for part in self.repeated:
            if part:
                for before in self.before:
                    for end in ("\x00", ""):
                        yield before, part, end

    def text(self, case: tuple[str, str, str], length: int) -> Any:
        before, part, end = case
        text = before + part * (length // len(part)) + end
        return text.encode("utf-8", "surrogatepass") if self._is_bytes else text


def _charset(parts: list[Any]) -> str:
    """A class of characters as an expression."""
    written = ""
    for operation, argument in parts:
        if operation is _parser.LITERAL:
            written += re.escape(chr(argument))
        elif operation is _parser.RANGE:
            written += f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
        else:
            written += {
                "SPACE": r"\s",
                "NOT_SPACE": r"\S",
                "DIGIT": r"\d",
                "NOT_DIGIT": r"\D",
                "WORD": r"\w",
                "NOT_WORD": r"\W",
            }[str(argument).removeprefix("CATEGORY_")]
    return f"[{written}]"


def seconds(expression: Expression, text: Any) -> float:
    """Return the seconds to search a text, or to match its beginning if no other method is named."""
    started = time.thread_time()
    if expression.methods <= AT_START:
        expression.compiled.match(text)
        expression.compiled.fullmatch(text)
    else:
        for _ in expression.compiled.finditer(text):
            pass
    return time.thread_time() - started
