"""Lines of Markdown from parts: escaped text, and marks.

White space is collapsed and moved out of emphasis and code. Emphasis that no parser would see is left out. Adjacent
pieces of code are one.
"""

import re

cimport cython

cdef enum:
    MAX_SETTLING = 4  # passes over marks of emphasis, repeated when some have gone

# Where Markdown would read a mark in a text: at ``<`` for a tag or a mail address, at ``[`` for a link, a definition, a
# footnote or a task. Each way begins with its character: so the expression is ten times as fast.
cdef str SPECIAL = (
    r"\\|`|\*(?:(?<!\s\*)|(?!\s))|~(?<!\s~)|_(?:(?<![^\W_]_)|(?![^\W_]))|<(?=[A-Za-z/!?]|\S{1,80}?@)|&(?=#?\w+;)|!(?=\[)|"
    r"\((?<=\]\()|\[(?=\^|[^\]]{0,200}+\]\s?[\[(:]|[^\]]{201})|\[(?<![\s\S]\[)(?=[ xX]\]\s)"
)
cdef tuple SPECIALS = tuple(
    re.compile(SPECIAL + of_link + of_formula) for of_link in ("", r"|\[|\]") for of_formula in ("", r"|\$")
)

# The part of a line before a backslash: of a line like a quote, a definition, an item, a rule or a heading nothing, else
# the number of an item, or a label.
cdef object START = re.compile(
    r"(?=>|:\s|[-+*](?:\s|\Z)|(?:-+|=+)\s*\Z|#{1,6}(?:\s|\Z))|\d{1,9}(?=[.)](?:\s|\Z))|\[(?:[^\[\]\\]|\\.)++\](?=:)"
)
cdef unsigned char[128] SIGNS  # whether a character is in these expressions
for code_ in range(128):
    SIGNS[<int>code_] = chr(code_) in "\\`*~_<&![]($"

cdef object OPENS_FORMULA = re.compile(r"\$(?!\s)")
cdef object CLOSES_FORMULA = re.compile(r"(?<!\s)\$(?!\d)")
cdef object TICKS = re.compile("`+")


@cython.freelist(256)
cdef class Part:
    """A part of a line."""


cdef Part part_of(str text, int kind, int side=0):
    cdef Part part = Part.__new__(Part)
    part.text, part.kind, part.side = text, kind, side
    return part


cdef bint is_break(Part part) noexcept:
    return part.kind == MARK_PART and part.text == "\n"


cdef list lines_of(list parts, bint is_link):
    """Return the lines of parts, none of which is a heading, an item, a quote or a rule, or defines a label.

    :param is_link: True for the text of a link, which no bracket may end.
    """
    cdef list marks = spaced(parts), lines
    cdef str line
    for _ in range(MAX_SETTLING if marks else 0):  # since each loss may spoil further marks
        if not drop_emphasis(marks):
            break
    lines = written(marks, is_link).split("\n") if marks else []
    return [safe_line(line.strip(" ")) for line in lines if line and not line.isspace()]


cdef str safe_line(str line):
    """Return a line as a text for Markdown, whatever its start."""
    is_plain = line[0].isalpha() or (line[0] == "[" and "]:" not in line)  # as most lines are
    found = None if is_plain else START.match(line)
    return line if found is None else f"{found[0]}\\{line[found.end():]}"


cdef list paragraphs_of(list parts):
    """Return the parts of each paragraph, parted by line breaks in a row; emphasis goes on in the next."""
    cdef list own = [], found = [own]
    cdef Part part, open_ = None
    cdef Py_ssize_t last = -1  # the place of a line break with only white space behind
    for part in parts:
        if is_break(part):
            if last > 0:
                del own[last:]
                if open_ is not None:
                    own.append(part_of(open_.text, MARK_PART, -1))
                    part = open_
                own = []
                found.append(own)
            last = -1 if part is open_ else len(own)
        elif part.kind == MARK_PART or not part.text.isspace():
            last = -1
            if part.side:
                open_ = part if part.side > 0 else None
        own.append(part)
    return found


# White space

cdef bint has_space_at(list parts, int end) except -1:
    """Return True if white space is at the start of parts, or with -1 at the end; emphasis aside."""
    cdef Part part
    for part in parts[::-1] if end else parts:
        if part.side != 2 * end + 1:
            return part.text[end].isspace()
    return False


cdef list spaced(list parts):
    """Return parts with collapsed white space, moved out of emphasis and code, as new lines are.

    Emphasis that ends and begins again at once goes on.
    """
    cdef list marks = []
    cdef Part part, last
    cdef str text
    cdef Py_ssize_t place
    cdef int space = -1  # kind of the white space before
    for part in parts:
        text = part.text
        if part.kind == MARK_PART:
            if space >= 0 and part.side >= 0:
                put_space(marks, TEXT_PART)
                space = -1
            last = marks[-1] if marks else None
            if part.side > 0 and last is not None and last.side < 0 and last.text == text:
                marks.pop()
                continue
            place = len(marks)
            if part.side < 0:
                while place and is_break(marks[place - 1]):
                    place -= 1
            elif is_break(part):
                place = before_openings(marks)
            marks.insert(place, part)
            continue
        if text[0].isspace() and (space < 0 or part.kind == TEXT_PART):
            space = part.kind
        if text.isspace():
            continue
        if space >= 0:
            put_space(marks, space if part.kind == CODE_PART else TEXT_PART)
        space = part.kind if text[-1].isspace() else -1
        marks.append(part_of(" ".join(text.split()), part.kind))
    return marks


cdef Py_ssize_t before_openings(list marks):
    """Return the place before the starts of emphasis at the end."""
    cdef Py_ssize_t place = len(marks)
    while place and (<Part>marks[place - 1]).side > 0:
        place -= 1
    return place


cdef int put_space(list marks, int kind) except -1:
    """Add a space, before starts of emphasis. It is code between pieces of code."""
    cdef Py_ssize_t place = before_openings(marks)
    if not place or (<Part>marks[place - 1]).kind != CODE_PART:
        kind = TEXT_PART
    marks.insert(place, part_of(" ", kind))
    return 0


# Emphasis

cdef bint drop_emphasis(list marks) except -1:
    """Leave out marks of emphasis within emphasis of their kind, or flanked wrongly; return True if there are any."""
    cdef list open_ = []
    cdef set gone = set()
    cdef Py_ssize_t number, first
    cdef Part part
    for number, part in enumerate(marks):
        if part.side > 0:
            open_.append(number)
        elif part.side < 0 and open_:
            first = open_.pop()
            is_within = any([(<Part>marks[outer]).text == part.text for outer in open_])
            if is_within or not is_flanked(marks, first, number):
                gone.update((first, number))
    if gone:
        marks[:] = [part for number, part in enumerate(marks) if number not in gone]
    return bool(gone)


cdef bint is_flanked(list marks, Py_ssize_t first, Py_ssize_t last) except -1:
    """Return True if marks of emphasis begin and end emphasis in their places (CommonMark, left- and right-flanking)."""
    cdef str around = end_of(marks[first - 1]) if first else ""
    cdef str next_ = start_of(marks[last + 1]) if last + 1 < len(marks) else ""
    cdef str inner = start_of(marks[first + 1]), end = end_of(marks[last - 1])
    cdef Part opening = marks[first]
    if first + 1 == last or inner.isspace() or end.isspace():
        return False
    if around == opening.text[0] and (<Part>marks[first - 1]).side <= 0:
        return False
    return (inner.isalnum() or not around.isalnum()) and (end.isalnum() or not next_.isalnum())


cdef str start_of(Part mark):
    """Return the first character of a mark as written."""
    return "`" if mark.kind == CODE_PART else mark.text[0]


cdef str end_of(Part mark):
    return "`" if mark.kind == CODE_PART else mark.text[-1]


# Writing

cdef str written(list marks, bint is_link):
    """Return marks as written. Escapes depend on the characters beside, in any elements."""
    cdef list found = [], own
    cdef Part part
    cdef Py_ssize_t number = 0, count = len(marks)
    cdef int kind
    cdef str text, before = ""
    cdef bint has_formula = makes_formula(marks), has_address = may_have_address(marks)
    while number < count:
        part = marks[number]
        own, kind, number = [part.text], part.kind, number + 1
        while number < count and (<Part>marks[number]).kind == kind:
            own.append((<Part>marks[number]).text)
            number += 1
        text = "".join(own)
        if kind == CODE_PART:
            text = in_ticks(text)
        elif kind == TEXT_PART:
            if before == "]" and text[0] == "(":
                found.append("\\")
            text = escaped(text, is_link, has_formula, has_address)
        elif before == "!" and text[0] == "[":
            found[-1] = f"{found[-1][:-1]}\\!"
        found.append(text)
        before = text[-1]
    return "".join(found) if len(found) > 1 else text


cdef bint makes_formula(list marks) except -1:
    """Return True if dollars of a text would make a formula."""
    cdef Part part
    for part in marks:
        if "$" in part.text:
            text = "".join([part.text for part in marks])
            found = OPENS_FORMULA.search(text)
            return found is not None and CLOSES_FORMULA.search(text, found.end()) is not None
    return False


cdef bint may_have_address(list marks) except -1:
    """Return True for a text with ``<`` and an address, which GitHub makes a link: a backslash would be of the address."""
    cdef Part part
    cdef str text
    for part in marks:
        if part.kind == TEXT_PART and "<" in part.text:
            text = "".join([part.text for part in marks if part.kind == TEXT_PART]).lower()
            return "://" in text or "www." in text
    return False


cdef str escaped(str text, bint is_link, bint has_formula, bint has_address):
    """Return a text with escapes where Markdown would read a mark.

    :param is_link: True for the text of a link, which no bracket may end.
    :param has_formula: True if dollars would make a formula.
    :param has_address: True for a text with an address; see :func:`may_have_address`.
    """
    cdef Py_UCS4 sign
    for sign in text:
        if sign < 128 and SIGNS[sign]:
            return SPECIALS[2 * is_link + has_formula].sub(with_entity if has_address else with_backslash, text)
    return text


def with_backslash(found):
    return "\\" + found[0]


def with_entity(found):
    return "&lt;" if found[0] == "<" else "\\" + found[0]


cdef str in_ticks(str code):
    """Return code in a line, with more ticks around than within."""
    cdef str ticks = ticks_around(code, 1)
    return f"{ticks} {code} {ticks}" if code[0] == "`" or code[-1] == "`" else ticks + code + ticks


cdef str ticks_around(str code, int least):
    """Return ticks that no code has in a row."""
    if "`" not in code:
        return "`" * least
    return "`" * max(least, max(map(len, TICKS.findall(code)), default=0) + 1)
