"""The native modules, written in Cython over lxml's C interface.

==========  ========================================================================================================
module      purpose
==========  ========================================================================================================
`shown`     checks a page before reading, finds metadata, and reads elements by name or attribute
`read`      reads a tree into columns of numbers and texts
`page`      holds the columns of a page, and the decisions on the page's blocks
`site`      places elements on a site's paths, and decides on blocks
`score`     computes features of blocks, and sums the scorer's trees
`tree`      reads a tree into an array of nodes, for `prune` and `text`
`prune`     puts the kept part of a tree into a document
`text`      writes blocks as plain text
`markup`    holds a document, and writes it as HTML
`lines`     makes lines of Markdown, with emphasis and escapes
`markdown`  writes a document as Markdown
==========  ========================================================================================================

The package requires all native modules. ``setup.py`` builds the modules; modules for a different lxml are refused here.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from lxml import etree

MODULES = ("lines", "markdown", "markup", "page", "prune", "read", "score", "shown", "site", "text", "tree")

REBUILD = (
    "Build it again, with the lxml that is installed: pip install --force-reinstall --no-deps --no-cache-dir "
    "scrapy-stemmer, or in a checkout: make clean-build build"
)

PAGE = b"<html><body class='a'><p id='b'>c<!-- d --><a href='#e' name='f'>g</a>h</p><script>i</script></body></html>"

FOUND = ["", ("p", "", "b", "", ""), "c", ("a", "", "", "", ""), "h"]
"""Expected answer for :data:`PAGE`."""


def native(name: str) -> Any:
    """Return a function of a native module.

    :param name: module and function, such as ``read.read``.
    :raises ImportError: if the module is missing, or built for another lxml, Python or version.
    """
    module, _, function = name.partition(".")
    found = getattr(_module(module), function, None)
    if found is None:
        raise ImportError(f"scrapy_stemmer._engine.{module} is of another version: it has no {function}. {REBUILD}")
    return found


def turn() -> None:
    """Do nothing, as a function of Python: the interpreter passes to a thread waiting for it.

    Native code that releases the interpreter for a moment wakes waiting threads too late to get the interpreter.
    """


def check_modules() -> None:
    """Check that the native modules read a known page.

    :raises ImportError: if they were built for another lxml.
    """
    body = etree.fromstring(PAGE, etree.HTMLParser())[0]
    inside = native("shown.inside")
    texts: list[object] = []
    for element in (body, body[0]):
        texts += (part if isinstance(part, str) else part[1] for part in inside(element, frozenset({"script"})))
    if texts != FOUND:
        raise ImportError(f"The native modules do not fit lxml {etree.__version__}: they read {texts!r}. {REBUILD}")


def _module(name: str) -> ModuleType:
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise ImportError(f"scrapy_stemmer._engine.{name} was not built. {REBUILD}") from error
    except (ImportError, TypeError, ValueError) as error:
        if isinstance(error, ImportError) and REBUILD in str(error):
            raise
        problem = f"scrapy_stemmer._engine.{name} was built for another lxml or Python ({error})"
        raise ImportError(f"{problem}. {REBUILD}") from error


check_modules()
