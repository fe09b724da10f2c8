# cython: boundscheck=False, wraparound=False
"""Survey of a page before it is read, its copy, weight and fingerprint; see :mod:`scrapy_stemmer.page.shown`."""

from libc.stdint cimport uint8_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcpy, memset, strcmp, strlen, strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE, XML_ELEMENT_NODE, XML_ENTITY_REF_NODE, XML_TEXT_NODE, xmlAttr, xmlDoc, xmlNode, xmlNs,
)

from scrapy_stemmer._engine.nodes cimport (
    attribute_of, bytes_of, first_of, following, is_blank, length_of, next_of, node_of, parent_of, run_from,
    says_word, text_of,
)

cetree.import_lxml__etree()


def copied(_Element root not None):
    """See :data:`scrapy_stemmer.page.document.copied`."""
    cdef _Element within = cetree.makeElement("html", None, None, None, None, None, None)
    cdef _Element copy = cetree.deepcopyNodeToDocument(within._doc, node_of(root))
    cdef xmlDoc* document = within._doc._c_doc
    # Paths need the copy as the root of its document, in place of the first element of the document.
    within._c_node.parent = NULL
    copy._c_node.parent = <xmlNode*>document
    document.children = document.last = copy._c_node
    while document.last.next is not NULL:  # the tail
        document.last = document.last.next
    return copy


def fingerprint(_Element root not None):
    """See :data:`scrapy_stemmer.page.document.fingerprint`."""
    cdef xmlNode* top = node_of(root)
    cdef xmlNode* node = top
    cdef xmlAttr* attribute
    cdef uint64_t number = 0
    while True:
        if node.type == XML_ELEMENT_NODE:
            number = mixed(number, <uintptr_t>node.name)
            attribute = node.properties
            while attribute is not NULL:
                number = with_text(mixed(number, <uintptr_t>attribute.name), <xmlNode*>attribute.children)
                attribute = attribute.next
            if node.children is not NULL:
                node = node.children
                continue
        elif node.content is not NULL:
            number = with_bytes(number, <const char*>node.content, node.type)
        while node is not top and node.next is NULL:
            node = node.parent
            number = mixed(number, END)
        if node is top:
            return number
        node = node.next


cdef enum:
    END = 1  # stands for the end of an element
    LONG = 1000  # bytes of a text


cdef inline uint64_t mixed(uint64_t number, uint64_t more) noexcept nogil:
    """Mix two numbers into a number."""
    number = (number ^ more) * <uint64_t>0x9E3779B97F4A7C15
    return number ^ (number >> 29)


cdef inline uint64_t with_text(uint64_t number, const xmlNode* node) noexcept nogil:
    """Mix a number with the nodes of an attribute's value."""
    while node is not NULL:
        number = with_bytes(number, <const char*>(node.name if node.content is NULL else node.content), node.type)
        node = node.next
    return number


cdef inline uint64_t with_bytes(uint64_t number, const char* text, int kind) noexcept nogil:
    """Mix a number with a text, eight bytes at a time, of long texts, such as scripts, with every fourth, and the place."""
    cdef size_t size = strlen(text), at = 0
    cdef size_t step = 8 if size <= LONG else 32
    cdef uint64_t piece = 0
    number = mixed(number, 16 * size + kind)
    if size > LONG:
        number = mixed(number, <uintptr_t>text)
    while at + 8 <= size:
        memcpy(&piece, text + at, 8)
        number = mixed(number, piece)
        at += step
    if size >= 8:
        text += size - 8
        size = 8
    memcpy(&piece, text, size)
    return mixed(number, piece)


def body_of(_Element root not None):
    """See :data:`scrapy_stemmer.learners.rules.site.columns.body_of`."""
    cdef xmlNode* top = node_of(root)
    cdef xmlNode* node
    cdef xmlNode* head = NULL
    cdef int count = 0
    if top.type != XML_ELEMENT_NODE or strcmp(<const char*>top.name, "body") == 0:
        return root
    node = first_of(top)
    while node is not NULL:
        count += 1
        if node.type == XML_ELEMENT_NODE:
            if strcmp(<const char*>node.name, "body") == 0:
                return cetree.elementFactory(root._doc, node)
            if strcmp(<const char*>node.name, "head") == 0:
                head = node
        node = next_of(node)
    return root if head is NULL or count > 1 else cetree.elementFactory(root._doc, head)


cdef enum:
    # Elements of which the outermost counts, and further facts about an element by its name, as bits
    UNREAD, AS_IS, BUTTON, MENU, BODY, OUTERMOST, OF_METADATA, ODD, DIV, INLINE, QUOTED, STYLED
    # Room for facts about names.
    NAMES = 128

cdef dict FACTS = {}  # as bits, by the name of an element
for fact, of_fact in (
    (UNREAD, "script style template iframe select textarea svg noscript button"),
    (AS_IS, "pre code svg math ruby script style textarea kbd"),
    (BUTTON, "button"),
    (MENU, "nav header footer form select aside menu"),  # :data:`scrapy_stemmer.page.shown.OF_MENUS`
    (OF_METADATA, "meta link math ruby input title script"),
    (ODD, "template textarea"),
    (DIV, "div"),
    (INLINE, "span a b strong i em time small label font u cite data bdi mark"),
    (QUOTED, "q"),
    (STYLED, "span div"),
):
    for each in of_fact.encode().split():
        FACTS[each] = FACTS.get(each, 0) | 1 << fact


cdef struct Fact:
    const unsigned char* name
    int facts


cdef int facts_of(xmlNode* node, Fact* known) except -1:
    """Return the facts about an element's name, which is one string in the whole document."""
    cdef Fact* found = &known[(<uintptr_t>node.name >> 3) % NAMES]
    if found.name is not node.name:
        found.name, found.facts = node.name, FACTS.get(<const char*>node.name, 0)
    return found.facts


cdef inline void leave(xmlNode* node, xmlNode** around) noexcept:
    """Forget the elements around a node's content that end with the node."""
    cdef int kind
    for kind in range(OUTERMOST):
        if around[kind] is node:
            around[kind] = NULL


def look(_Element root not None, _Element body, Py_ssize_t few):
    """See :data:`scrapy_stemmer.page.shown.look`."""
    cdef Fact[NAMES] known
    cdef xmlNode* around[OUTERMOST]  # outermost elements around the content at hand
    cdef xmlNode* top = node_of(root)
    cdef xmlNode* inside = NULL if body is None else node_of(body)
    cdef xmlNode* node = top
    cdef xmlNode* moved = NULL  # the body around misplaced elements of a head
    cdef Py_ssize_t size = 0
    cdef int facts, kind
    cdef list metadata = [], buttons = [], touching = [], styled = [], odd = []
    memset(known, 0, sizeof(known))
    memset(around, 0, sizeof(around))
    while True:
        if node is inside:
            around[BODY] = node
        if node.type == XML_ELEMENT_NODE:
            facts = facts_of(node, known)
            if facts and around[BODY] is not NULL and node.ns is NULL:
                for kind in range(BODY):
                    if facts >> kind & 1 and around[kind] is NULL:
                        around[kind] = node
                if around[BUTTON] is node:
                    buttons.append((cetree.elementFactory(root._doc, node), around[MENU] is not NULL))
                if facts >> ODD & 1 or (facts >> DIV & 1 and is_fragment(node)):
                    odd.append(cetree.elementFactory(root._doc, node))
                if facts >> QUOTED & 1 or (facts >> STYLED & 1 and may_be_styled(node)):
                    styled.append(cetree.elementFactory(root._doc, node))
                if facts >> INLINE & 1 and around[AS_IS] is NULL and node is not inside and may_be_parted(node, known):
                    touching.append(cetree.elementFactory(root._doc, node))
            if facts >> OF_METADATA & 1 and is_same_space(node.ns, top.ns):
                add_metadata(node, metadata, &moved)
            if node.children is not NULL:
                node = node.children
                continue
        elif size < few and around[BODY] is not NULL and around[UNREAD] is NULL and (
            node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE
        ):
            size += length_of(<const unsigned char*>node.content)
        while node is top or node.next is NULL:
            leave(node, around)
            if node is top:
                return size >= few, metadata, buttons, touching, styled, odd
            node = node.parent
        leave(node, around)
        node = node.next


cdef bint may_be_styled(xmlNode* node) noexcept:
    """Return True if an element may be a line by its style, a note beside the text, or a post from elsewhere."""
    cdef xmlAttr* attribute = node.properties
    cdef const char* text
    while attribute is not NULL:
        if attribute.children is not NULL and attribute.children.content is not NULL:
            text = <const char*>attribute.children.content
            if strcmp(<const char*>attribute.name, "class") == 0:
                if strstr(text, "note") is not NULL or strstr(text, "tweet") is not NULL or strstr(text, "twitter-") is not NULL:
                    return True
            elif strcmp(<const char*>attribute.name, "style") == 0 and strstr(text, "block") is not NULL:
                return True
        attribute = attribute.next
    return False


cdef tuple PARTING = (b"flex", b"block", b"grid", b"row", b"col", b"display", b"db")
"""Parts of styles and names by which :func:`scrapy_stemmer.page.shown.is_parted` decides."""


cdef int may_be_parted(xmlNode* node, Fact* known) except -1:
    """Return False if :func:`scrapy_stemmer.page.shown.is_parted` surely is, of an inline element.

    An element ends in a character right before the first one of the next, and links meet, or a style may part both, or
    the characters may be of two words.
    """
    cdef xmlNode* last = node
    cdef xmlNode* first = node.next
    cdef unsigned char before, after
    if first is NULL or first.type != XML_ELEMENT_NODE or first.ns is not NULL or not facts_of(first, known) >> INLINE & 1:
        return False
    if node.children is NULL or first.children is NULL:
        return False
    while last.type == XML_ELEMENT_NODE and last.last is not NULL:
        last = last.last
    while first.type == XML_ELEMENT_NODE and first.children is not NULL:
        first = first.children
    if last.type != XML_TEXT_NODE or first.type != XML_TEXT_NODE or not last.content[0]:
        return True
    before, after = last.content[strlen(<const char*>last.content) - 1], first.content[0]
    if is_space(before) or is_space(after):
        return False
    if node.name is node.next.name and strcmp(<const char*>node.name, "a") == 0:
        return True
    if is_letter(before) and is_letter(after):
        if (before <= 57) != (after <= 57) or (before >= 97 and 65 <= after <= 90):
            return True
    elif before >= 128 or ((is_letter(before) or before in b".!?:)]%") and (after >= 128 or 65 <= after <= 90)):
        return True
    return may_part(node) or may_part(node.next) or may_part(node.parent)


cdef inline bint is_letter(unsigned char sign) noexcept nogil:
    """Return True for a letter or a digit of ASCII."""
    return 48 <= sign <= 57 or 97 <= (sign | 0x20) <= 122


cdef bint may_part(xmlNode* node) except -1:
    """Return True if a style or names of an element may part texts."""
    cdef xmlAttr* names = attribute_of(node, "class")
    cdef xmlAttr* style = attribute_of(node, "style")
    if names is not NULL and says_word(bytes_of(node, names), PARTING):
        return True
    return style is not NULL and says_word(bytes_of(node, style), PARTING)


cdef inline bint is_space(unsigned char sign) noexcept nogil:
    return 9 <= sign <= 13 or 28 <= sign <= 32


cdef inline bint is_same_space(const xmlNs* one, const xmlNs* other) noexcept:
    if one is NULL or other is NULL:
        return one is other
    return one.href is other.href or (
        one.href is not NULL and other.href is not NULL and strcmp(<const char*>one.href, <const char*>other.href) == 0
    )


cdef int add_metadata(xmlNode* node, list metadata, xmlNode** moved) except -1:
    """Note the metadata of an element."""
    cdef const char* name = <const char*>node.name
    if (strcmp(name, "meta") == 0 or strcmp(name, "title") == 0) and name_around(node) == "body":
        moved[0] = node.parent
    if strcmp(name, "meta") == 0:
        names = (
            value(node, "property"), value(node, "name"), value(node, "itemprop"), value(node, "http-equiv"),
            name_around(node),
        )
        metadata.append(("meta", names, value(node, "content")))
    elif strcmp(name, "link") == 0:
        if is_canonical(node, moved[0]):
            metadata.append(("link", (), value(node, "href")))
    elif strcmp(name, "math") == 0:
        metadata.append(("math", (), ""))
    elif strcmp(name, "ruby") == 0:
        metadata.append(("ruby", (), ""))
    elif strcmp(name, "input") == 0:
        if value(node, "type").lower() == "checkbox":
            metadata.append(("input", (), ""))
    elif strcmp(name, "title") == 0:
        if (text := text_of(node.children)) and not is_in_svg(node):
            metadata.append(("title", (), text))
    elif strcmp(name, "script") == 0:
        kind = value(node, "type").lower()
        if "math/tex" in kind:
            metadata.append(("math", (), ""))
        elif "ld+json" in kind:
            metadata.append(("script", (), text_of(node.children)))
    return 0


cdef str name_around(xmlNode* node):
    """Return the name of an element's parent, with any namespace; "" without a parent."""
    cdef xmlNode* outer = parent_of(node)
    if outer is NULL or outer.type != XML_ELEMENT_NODE:
        return ""
    return (<const char*>outer.name).decode() if is_same_space(outer.ns, node.ns) else cetree.namespacedName(outer)


cdef bint is_canonical(xmlNode* link, xmlNode* moved) except -1:
    """Return True if a link gives the address of its page: in the head, or in the body behind elements of a head."""
    if "canonical" not in value(link, "rel").lower().split():
        return False
    return link.parent is moved if name_around(link) == "body" else name_around(link) == "head"


cdef str value(xmlNode* node, const char* name):
    """The value of an attribute; "" where there is none."""
    cdef xmlAttr* attribute = attribute_of(node, name)
    return "" if attribute is NULL else bytes_of(node, attribute).decode()


cdef bint is_in_svg(xmlNode* node) noexcept:
    cdef const xmlNs* space = node.ns
    while parent_of(node) is not NULL:
        node = parent_of(node)
        if strcmp(<const char*>node.name, "svg") == 0 and is_same_space(node.ns, space):
            return True
    return False


cdef inline bint is_fragment(xmlNode* div) noexcept:
    """Return True if Doxygen or Crayon call an element code. No Python objects are made of names."""
    cdef const char* text
    cdef xmlAttr* names = attribute_of(div, "class")
    if names is NULL or names.children is NULL or names.children.content is NULL:
        return False
    text = <const char*>names.children.content
    return names.children.next is NULL and (strcmp(text, "fragment") == 0 or strcmp(text, "crayon-pre") == 0)


def is_writable(str text not None):
    """See :data:`scrapy_stemmer.page.text.is_writable`."""
    cdef Py_UCS4 sign
    for sign in text:
        if sign < 32:
            if sign != c"\t" and sign != c"\n" and sign != c"\r":
                return False
        elif 127 <= sign and (sign < 160 or 0xD800 <= sign < 0xE000 or 0xFFFE <= sign <= 0xFFFF):
            return False
    return True


def has_word(str text not None, tuple words not None):
    """See :data:`scrapy_stemmer.page.text.has_word`."""
    return says_word(text.encode("utf-8", "surrogatepass"), words)


def having(_Element root not None, str name, str part="", str tag="*"):
    """See :data:`scrapy_stemmer.page.elements.having`."""
    cdef bytes names = name.encode(), parts = part.encode(), tags = tag.encode()
    cdef const char* wanted = names
    cdef const char* only = tags
    cdef bint is_any = tag == "*"
    cdef xmlNode* top = node_of(root)
    cdef xmlNode* node = top
    cdef xmlAttr* attribute
    cdef list found = []
    while node is not NULL:
        if node.type == XML_ELEMENT_NODE and (
            is_any or (node.ns is NULL and strcmp(<const char*>node.name, only) == 0)
        ):
            attribute = attribute_of(node, wanted)
            if attribute is not NULL and (not parts or parts in bytes_of(node, attribute)):
                found.append(cetree.elementFactory(root._doc, node))
        node = following(node, top)
    return found


def inside(_Element element not None, frozenset unread not None):
    """See :data:`scrapy_stemmer.page.elements.inside`."""
    cdef xmlNode* top = node_of(element)
    cdef xmlNode* node = first_of(top)
    cdef list found = [text_at(top.children)]
    while node is not NULL:
        if node.type == XML_ELEMENT_NODE:
            tag = (<const char*>node.name).decode() if node.ns is NULL else cetree.namespacedName(node)
            if tag not in unread:
                names = (tag, value(node, "class"), value(node, "id"), value(node, "itemprop"), value(node, "rel"))
                found.append((cetree.elementFactory(element._doc, node), names))
        if node.type != XML_ENTITY_REF_NODE and (text := text_at(node.next)):
            found.append(text)
        node = next_of(node)
    return found


cdef str text_at(xmlNode* node):
    """Return the text that may begin with a node; "" for white space."""
    node = run_from(node)
    if node is NULL or (is_blank(<const unsigned char*>node.content) and run_from(node.next) is NULL):
        return ""
    cdef str text = text_of(node)
    return "" if text.isspace() else text


# Attributes of tags, as parsers may read them

cdef enum:
    SPACE = 1  # class of white space
    ENDS_NAME = 2

cdef unsigned char[256] KINDS
for code in range(256):
    character = bytes([code])
    KINDS[<int>code] = SPACE * character.isspace() | ENDS_NAME * (character.isspace() or character in b"/>")


def weigh(bytes html not None, Py_ssize_t most):
    """See :data:`scrapy_stemmer.page.document.weigh`."""
    cdef const unsigned char* begin = html
    cdef const unsigned char* end = begin + len(html)
    cdef const unsigned char* at = begin
    cdef const unsigned char* attribute
    cdef const unsigned char* behind
    cdef bint is_open
    cdef Py_ssize_t read = 0, tags = 0
    cdef long long compared = 0, count
    cdef bint is_counted = True
    cdef bytearray begun = bytearray(len(html) + 1)  # starts of the attributes read
    cdef unsigned char* seen = begun
    while True:
        at = <const unsigned char*>memchr(at, c"<", end - at)
        if at is NULL:
            return tags, compared if is_counted else None
        at += 1
        tags += 1
        if not is_counted or not 97 <= (at[0] | 0x20) <= 122:
            continue
        while at < end and at[0] != c"<" and not KINDS[at[0]] & ENDS_NAME:
            at += 1
        is_open = at < end and at[0] == c"<"
        while is_open and at < end and not KINDS[at[0]] & ENDS_NAME:
            tags += at[0] == c"<"
            at += 1
        attribute, count = at, 0
        while not seen[attribute - begin]:
            behind = behind_attribute(attribute, end)
            if behind is NULL:
                break
            seen[attribute - begin] = True
            count += 1
            read += behind - attribute
            attribute = behind
            if read > most:
                is_counted = False
                break
        compared += count * count


cdef const unsigned char* behind_attribute(const unsigned char* at, const unsigned char* end) noexcept:
    """Return the end of the next attribute of a tag, as parsers read it, or NULL."""
    cdef const unsigned char* name_end
    cdef const unsigned char* quote_end
    while at < end and KINDS[at[0]] & ENDS_NAME and at[0] != c">":
        at += 1
    if at >= end or at[0] == c">":
        return NULL
    at += 1
    while at < end and at[0] != c"=" and not KINDS[at[0]] & ENDS_NAME:
        at += 1
    name_end = at
    while at < end and KINDS[at[0]] & SPACE:
        at += 1
    if at >= end or at[0] != c"=":
        return name_end
    at += 1
    while at < end and KINDS[at[0]] & SPACE:
        at += 1
    if at < end and (at[0] == c'"' or at[0] == c"'"):
        quote_end = <const unsigned char*>memchr(at + 1, at[0], end - at - 1)
        return at if quote_end is NULL else quote_end + 1
    while at < end and at[0] != c">" and not KINDS[at[0]] & SPACE:
        at += 1
    return at
