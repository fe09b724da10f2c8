"""What the scorer looks at: for each block of a sample a row of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit
from zlib import crc32

import numpy as np

from scrapy_stemmer.learners.rules.columns import Columns
from scrapy_stemmer.learners.rules.names import GROUPS, HIDDEN_NAMES, hints_of
from scrapy_stemmer.learners.rules.sample import Paths
from scrapy_stemmer.learners.rules.texts import Measures

F = np.float32
TAGS = ("p", "li", "h1", "h2", "h3", "td", "dd", "dt", "pre", "div", "section", "article", "blockquote", "a")
INSIDE = ("main", "article", "nav", "aside", "footer", "header", "form", "figure", "table", "ul", "dl", "blockquote", "pre",
          "section", "details")
TAG_GROUPS = {"h4": "h3", "h5": "h3", "h6": "h3", "th": "td", "tr": "td"}
INSIDE_GROUPS = {"ol": "ul", "menu": "ul", "figcaption": "figure", "caption": "figure", "tbody": "table", "td": "table"}
ROLES = {"navigation": "nav", "complementary": "aside", "contentinfo": "footer", "banner": "header", "main": "main",
         "search": "form", "article": "article"}


@dataclass
class PageInput:
    """A page of a sample."""

    url: str
    columns: Columns
    paths: list[int]
    measures: Sequence[Measures]
    is_article: bool = False
    title_keys: frozenset[int] = frozenset()


def concat(parts, dtype):
    return np.concatenate([np.asarray(p, dtype=dtype) for p in parts]) if parts else np.zeros(0, dtype)


def topdown(parents: np.ndarray, depth: np.ndarray, values: np.ndarray, op) -> np.ndarray:
    """values combined with those of all ancestors"""
    out = values.copy()
    order = np.argsort(depth, kind="stable")
    bounds = np.searchsorted(depth[order], np.arange(1, (depth.max() if len(depth) else 0) + 2))
    for d in range(len(bounds) - 1):
        idx = order[bounds[d]:bounds[d + 1]]
        out[idx] = op(out[idx], out[parents[idx]])
    return out


class LeaveOut:
    """Sums over the members of groups on all pages but one's own"""

    def __init__(self, groups: np.ndarray, pages: np.ndarray, n_pages: int):
        self.groups = groups
        pair = groups.astype(np.int64) * n_pages + pages
        _, self.pair = np.unique(pair, return_inverse=True)
        self.n_pairs = int(self.pair.max()) + 1 if len(pair) else 0
        first = np.zeros(self.n_pairs, bool)
        self.first = np.zeros(len(pair), bool)
        _, idx = np.unique(self.pair, return_index=True)
        self.first[idx] = True

    def others(self, values: np.ndarray) -> np.ndarray:
        total = np.bincount(self.groups, values)
        own = np.bincount(self.pair, values)
        return total[self.groups] - own[self.pair]

    def own(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.pair, values)[self.pair]

    def other_pages(self) -> np.ndarray:
        counts = np.bincount(self.groups, self.first)
        return counts[self.groups] - 1


def ratio(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b > 0, a / np.maximum(b, 1e-9), np.nan)


def hint_distances(paths: Paths):
    """for each path and hint group the number of levels up to the nearest element with it; 99: none"""
    n = len(paths)
    hints = np.zeros((n, len(GROUPS) + 1), np.float32)
    memo: dict[str, int] = {}
    for i, comp in enumerate(paths.components):
        bits = 0
        hidden = comp.hidden
        for name in comp.names:
            b = memo.get(name)
            if b is None:
                b = memo[name] = hints_of(name[1:])
            bits |= b
            hidden = hidden or (name[1:].lower() in HIDDEN_NAMES)
        p = paths.parents[i]
        row = hints[i]
        if p >= 0:
            np.add(hints[p], 1, out=row)
        else:
            row[:] = 99
        if i and bits:
            for g in range(len(GROUPS)):
                if bits >> g & 1:
                    row[g] = 0
        if hidden and i:
            row[-1] = 0
    return np.minimum(hints, 99)


def path_tags(paths: Paths):
    n = len(paths)
    tag = np.zeros(n, np.int8)
    inside = np.full((n, len(INSIDE)), 99, np.float32)
    depth = np.zeros(n, np.int32)
    for i, comp in enumerate(paths.components):
        t = TAG_GROUPS.get(comp.tag, comp.tag)
        tag[i] = TAGS.index(t) if t in TAGS else len(TAGS)
        p = paths.parents[i]
        if p >= 0:
            depth[i] = depth[p] + 1
            inside[i] = inside[p] + 1
            for t in (INSIDE_GROUPS.get(comp.tag, comp.tag), ROLES.get(comp.role)):
                if t in INSIDE:
                    inside[i, INSIDE.index(t)] = 0
    return tag, np.minimum(inside, 99), depth


def suffix_classes(paths: Paths, levels: int) -> np.ndarray:
    known: dict[Any, int] = {}
    out = np.zeros(len(paths), np.int64)
    for i in range(len(paths)):
        key = []
        j = i
        for _ in range(levels):
            if j < 0:
                break
            c = paths.components[j]
            key.append((c.tag, c.names))
            j = paths.parents[j]
        out[i] = known.setdefault(tuple(key), len(known))
    return out


def url_key(base: str, href: str) -> tuple[int, bool]:
    try:
        full = urljoin(base, href.strip())
        parts = urlsplit(full)
        host = parts.netloc.lower().removeprefix("www.")
        same = host == urlsplit(base).netloc.lower().removeprefix("www.")
        return crc32(f"{host}{parts.path or '/'}?{parts.query}".encode("utf-8", "replace")), same
    except ValueError:
        return 0, False


def features(pages: Sequence[PageInput], paths: Paths) -> tuple[np.ndarray, list[str], dict[str, np.ndarray]]:
    """rows for all blocks of all pages, the names of the columns, and page of each block etc."""
    out: dict[str, np.ndarray] = {}
    P = len(pages)
    nb = [len(p.columns.elements) for p in pages]
    ne = [len(p.columns.parents) for p in pages]
    b_page = np.repeat(np.arange(P), nb)
    e_page = np.repeat(np.arange(P), ne)
    e_off = np.concatenate([[0], np.cumsum(ne)])
    b_off = np.concatenate([[0], np.cumsum(nb)])
    e_parent = concat([np.where((q := np.asarray(p.columns.parents, np.int64)) >= 0, q + o, -1) for p, o in zip(pages, e_off)], np.int64)
    e_path = concat([p.paths for p in pages], np.int64)
    b_el = concat([np.asarray(p.columns.elements, np.int64) + o for p, o in zip(pages, e_off)], np.int64)
    b_path = e_path[b_el]
    m = concat([np.asarray(p.measures, np.int64).reshape(-1, 6) for p in pages], np.int64)
    length, words, ends, commas, digits, key = (m[:, i] for i in range(6))
    length = np.maximum(length, 1).astype(np.float64)
    linked = concat([p.columns.linked for p in pages], np.float64)
    rawlen = concat([[len(t) - t.count(" ") for t in p.columns.texts] for p in pages], np.float64)
    link = np.minimum(1.0, linked / np.maximum(rawlen, 1))
    B, E = len(b_el), len(e_parent)
    # ends of elements
    e_end = np.arange(1, E + 1)
    par = e_parent.tolist()
    end = e_end.tolist()
    for e in range(E - 1, -1, -1):
        p = par[e]
        if p >= 0 and end[e] > end[p]:
            end[p] = end[e]
    e_end = np.asarray(end)
    tag, inside, depth = path_tags(paths)
    hints = hint_distances(paths)
    e_depth = depth[e_path]

    # --- own
    out["log_length"] = np.log1p(length)
    out["link"] = link
    out["words"] = np.log1p(words)
    out["ends"] = np.minimum(ends, 20)
    out["ends_per_100"] = 100 * ends / length
    out["commas_per_100"] = 100 * commas / length
    out["digit_share"] = digits / length
    last = concat([[t[-1] in ".!?:…。！？\"”)" for t in p.columns.texts] for p in pages], np.float64)
    out["last_punct"] = last
    first = concat([[ord(t[0]) > 127 and not t[0].isalpha() or t[0] in "©|>»•-–" for t in p.columns.texts] for p in pages], np.float64)
    out["first_symbol"] = first
    out["copyright"] = concat([["©" in t[:400] or "{{" in t[:400] for t in p.columns.texts] for p in pages], np.float64)
    out["upper"] = concat([[t[:1].isupper() for t in p.columns.texts] for p in pages], np.float64)
    out["time"] = concat([p.columns.times for p in pages], np.float64)
    out["word_length"] = length / np.maximum(words, 1)
    for i, t in enumerate(TAGS[:-1]):
        out["tag_" + t] = (tag[b_path] == i).astype(float)
    out["depth"] = depth[b_path].astype(float)
    for i, t in enumerate(INSIDE):
        out["in_" + t] = inside[b_path, i]
    for i, t in enumerate((*GROUPS, "hidden")):
        out["name_" + t] = hints[b_path, i]

    # --- repetition
    _, kid = np.unique(key, return_inverse=True)
    lo_key = LeaveOut(kid, b_page, P)
    others = lo_key.other_pages()
    n_other = max(P - 1, 1)
    rep = others / n_other if P > 1 else np.zeros(B)
    out["repeated"] = rep if P > 1 else np.full(B, np.nan)
    out["repeated_any"] = (others > 0).astype(float) if P > 1 else np.full(B, np.nan)
    out["same_page"] = np.minimum(lo_key.own(np.ones(B)), 10)
    is_rep = np.minimum(1.0, others) * (rep >= 0.1) if P > 1 else np.zeros(B)

    in_chrome = ((inside[b_path][:, [INSIDE.index("nav"), INSIDE.index("footer")]] < 99).any(axis=1)) | (hints[b_path, -1] < 99)
    soft = (hints[b_path][:, [GROUPS.index(g) for g in ("navigation", "sidebar", "footer", "popup", "subscribe", "social", "related")]] < 99).any(axis=1)
    cap = np.minimum(length, 500)
    unit = np.where((is_rep > 0) | in_chrome, -1.0, np.where(soft, -0.3, 1.0)) * np.where(link > 0.9, 0.3, 1.0)
    value = cap * unit
    own = length * (1 - link) * (is_rep == 0) * ~in_chrome

    # --- subtree sums on the page
    def subtree(v):
        e = np.bincount(b_el, v, minlength=E)
        c = np.concatenate([[0.0], np.cumsum(e)])
        return c[e_end] - c[:E]

    S_len, S_link, S_rep, S_own, S_val, S_cnt = (subtree(v) for v in (length, length * link, length * is_rep, own, value, np.ones(B)))
    body = e_off[:-1]
    page_own = S_own[body]
    page_len = S_len[body]
    up = [b_el]
    for _ in range(4):
        up.append(np.where(e_parent[up[-1]] >= 0, e_parent[up[-1]], up[-1]))
    e_link = ratio(S_link, S_len)
    e_rep = ratio(S_rep, S_len)
    for k in (1, 2, 3, 4):
        u = up[k]
        if k < 4:
            out[f"up{k}_link"] = e_link[u]
            out[f"up{k}_rep"] = e_rep[u]
            out[f"up{k}_len"] = np.log1p(S_len[u])
            out[f"up{k}_mean_len"] = np.log1p(S_len[u] / np.maximum(S_cnt[u], 1))
        out[f"up{k}_own_share"] = ratio(S_own[u], page_own[b_page])
    is_body = e_parent < 0
    mx_link = topdown(e_parent, e_depth, np.where(is_body, 0, np.nan_to_num(e_link)), np.maximum)
    mx_rep = topdown(e_parent, e_depth, np.where(is_body, 0, np.nan_to_num(e_rep)), np.maximum)
    out["max_up_link"] = mx_link[up[1]]
    out["max_up_rep"] = mx_rep[up[1]]

    # --- region of the page: element of the highest value
    best = np.zeros(P, np.int64)
    hold = np.zeros(P, np.int64)
    for p in range(P):
        s, t = e_off[p], e_off[p + 1]
        v = S_val[s:t]
        top = v.max()
        c = np.nonzero(v >= top - 1e-6)[0]
        best[p] = s + c[np.argmax(e_depth[s + c])]
        if page_own[p] > 0:
            c = np.nonzero(S_own[s:t] >= 0.9 * page_own[p])[0]
            hold[p] = s + c[np.argmax(e_depth[s + c])]
        else:
            hold[p] = s
    bb, hh = best[b_page], hold[b_page]
    in_best = (b_el >= bb) & (b_el < e_end[bb])
    in_hold = (b_el >= hh) & (b_el < e_end[hh])
    out["in_best"] = in_best.astype(float)
    out["in_hold"] = in_hold.astype(float)
    out["below_best"] = np.where(in_best, e_depth[b_el] - e_depth[bb], -1)
    out["below_hold"] = np.where(in_hold, e_depth[b_el] - e_depth[hh], -1)
    for k in (1, 2, 3):
        out[f"up{k}_val"] = S_val[up[k]] / np.maximum(S_val[bb], 1)
    # votes of the other pages
    p_parent = np.asarray(paths.parents)
    NP = len(p_parent)
    def voted(elements):
        cnt = np.bincount(e_path[elements], minlength=NP).astype(float)
        return topdown(p_parent, depth, cnt, np.add)
    if P > 1:
        R = voted(best)
        out["region_votes"] = (R[b_path] - in_best) / (P - 1)
        R = voted(hold)
        out["hold_votes"] = (R[b_path] - in_hold) / (P - 1)
    else:
        out["region_votes"] = np.full(B, np.nan)
        out["hold_votes"] = np.full(B, np.nan)

    # --- classes of paths over other pages
    e_first = LeaveOut(e_path, e_page, P)
    sfx = {"path": b_path, "suffix3": suffix_classes(paths, 3)[b_path], "suffix2": suffix_classes(paths, 2)[b_path]}
    for name, cls in sfx.items():
        lo = LeaveOut(cls, b_page, P)
        o_len, o_link, o_rep = lo.others(length), lo.others(length * link), lo.others(length * is_rep)
        o_cnt = lo.others(np.ones(B))
        out[name + "_pages"] = lo.other_pages() / n_other if P > 1 else np.full(B, np.nan)
        out[name + "_link"] = ratio(o_link, o_len)
        out[name + "_rep"] = ratio(o_rep, o_len)
        out[name + "_length"] = ratio(lo.others(np.log1p(length)), o_cnt)
        out[name + "_ends"] = ratio(100 * lo.others(ends), o_len)
        out[name + "_count"] = np.log1p(o_cnt / n_other)
        own_len = lo.own(own)
        out[name + "_own_share"] = ratio(own_len, page_own[b_page])
        if name == "path":
            out["path_val"] = ratio(lo.others(value), lo.others(cap))
            total_own = np.bincount(b_page, own, minlength=P)
            out["path_site_share"] = ratio(lo.others(own), total_own.sum() - total_own[b_page])
            out["path_here"] = np.log1p(lo.own(np.ones(B)))
    # ancestors' subtrees on other pages
    po_len, po_link, po_rep, po_own = (e_first.others(v) for v in (S_len, S_link, S_rep, S_own))
    pe_link, pe_rep = ratio(po_link, po_len), ratio(po_rep, po_len)
    pe_pages = e_first.other_pages() / n_other
    for k in (1, 2, 3):
        out[f"site_up{k}_link"] = pe_link[up[k]]
        out[f"site_up{k}_rep"] = pe_rep[up[k]]
        if k > 1:
            out[f"site_up{k}_pages"] = pe_pages[up[k]]
        other_own = page_own.sum() - page_own
        out[f"site_up{k}_own_share"] = ratio(po_own[up[k]], other_own[b_page])
    out["site_max_link"] = topdown(e_parent, e_depth, np.where(is_body, 0, np.nan_to_num(pe_link)), np.maximum)[up[1]]
    out["site_max_rep"] = topdown(e_parent, e_depth, np.where(is_body, 0, np.nan_to_num(pe_rep)), np.maximum)[up[1]]

    # --- neighbours and position
    start = b_off[:-1][b_page]
    stop = b_off[1:][b_page]
    idx = np.arange(B)
    def shifted(v, by):
        j = idx + by
        ok = (j >= start) & (j < stop)
        return np.where(ok, v[np.clip(j, 0, max(B - 1, 0))], np.nan)
    for by in (-2, -1, 1, 2):
        n = f"{'prev' if by < 0 else 'next'}{abs(by)}_"
        out[n + "length"] = shifted(out["log_length"], by)
        out[n + "link"] = shifted(link, by)
        out[n + "rep"] = shifted(rep, by)
        if abs(by) == 1:
            out[n + "same_path"] = np.nan_to_num(shifted(b_path, by), nan=-1) == b_path
            out[n + "best"] = shifted(in_best.astype(float), by)
    out["prev1_heading"] = np.isin(np.nan_to_num(shifted(tag[b_path].astype(float), -1), nan=-1), [2, 3, 4])
    long_own = own * (length >= 80)
    c_own = np.concatenate([[0.0], np.cumsum(long_own)])
    tot = (c_own[stop] - c_own[start])
    out["own_before"] = ratio(c_own[idx] - c_own[start], tot)
    out["own_after"] = ratio(c_own[stop] - c_own[idx + 1], tot)
    near = 5
    lo_i, hi_i = np.maximum(start, idx - near), np.minimum(stop, idx + near + 1)
    out["own_near"] = np.log1p(c_own[hi_i] - c_own[lo_i] - long_own)
    c_val = np.concatenate([[0.0], np.cumsum(value)])
    lo_i, hi_i = np.maximum(start, idx - 10), np.minimum(stop, idx + 11)
    out["value_near"] = (c_val[hi_i] - c_val[lo_i] - value) / 1000
    out["position"] = (idx - start) / np.maximum(stop - start, 1)
    out["index"] = np.minimum(idx - start, 200)
    out["from_end"] = np.minimum(stop - idx, 200)

    # --- title
    h1 = tag[b_path] == TAGS.index("h1")
    is_title = concat([[k in p.title_keys for k in (x.key for x in p.measures)] for p in pages], bool) if B else np.zeros(0, bool)
    out["is_title"] = is_title.astype(float)
    tpos = np.full(P, -1)
    for p in range(P):
        s, t = b_off[p], b_off[p + 1]
        cand = np.nonzero(is_title[s:t] & h1[s:t])[0]
        if not len(cand):
            cand = np.nonzero(is_title[s:t])[0]
        if not len(cand):
            cand = np.nonzero(h1[s:t] & (rep[s:t] < 0.5))[0]
        if len(cand):
            tpos[p] = s + cand[0]
    tp = tpos[b_page]
    out["from_title"] = np.where(tp >= 0, np.clip(idx - tp, -50, 50), np.nan)
    # common ancestor with the title: share of own text in smallest element that holds both
    # --- links
    l_block, l_key, l_same = [], [], []
    for p, o, n in zip(pages, b_off, nb):
        for block, href in p.columns.links:
            if block < n:
                k, same = url_key(p.url, href)
                l_block.append(o + block)
                l_key.append(k)
                l_same.append(same)
    l_block = np.asarray(l_block, np.int64)
    l_same = np.asarray(l_same, float)
    n_links = np.bincount(l_block, minlength=B)
    out["n_links"] = np.log1p(n_links)
    if len(l_block):
        _, lk = np.unique(np.asarray(l_key), return_inverse=True)
        lrep = LeaveOut(lk, b_page[l_block], P).other_pages() / n_other
        l_is_rep = (lrep > 0).astype(float)
    else:
        lrep = l_is_rep = np.zeros(0)
    out["href_rep"] = ratio(np.bincount(l_block, lrep, minlength=B), n_links)
    out["href_same"] = ratio(np.bincount(l_block, l_same, minlength=B), n_links)
    S_n, S_hr, S_hs = (subtree(np.bincount(l_block, v, minlength=B).astype(float)) for v in (np.ones(len(l_block)), lrep, l_same))
    for k in (1, 2, 3):
        out[f"up{k}_href_rep"] = ratio(S_hr[up[k]], S_n[up[k]])
        out[f"up{k}_links"] = np.log1p(S_n[up[k]])
    # --- siblings
    e_sib = LeaveOut(np.unique(np.where(e_parent >= 0, e_parent, E) * (NP + 1) + e_path, return_inverse=True)[1], np.zeros(E, np.int64), 1)
    n_sib = e_sib.own(np.ones(E))
    for k in (0, 1, 2, 3):
        out[f"up{k}_siblings"] = np.log1p(n_sib[up[k]])
    # --- page
    art = np.asarray([float(p.is_article) for p in pages])
    out["page_article"] = art[b_page]
    out["site_article"] = np.full(B, art.mean())
    out["page_blocks"] = np.log1p(np.asarray(nb, float))[b_page]
    out["page_own"] = np.log1p(page_own)[b_page]
    inreg_len, inreg_link = S_len[best], S_link[best]
    own_link = np.bincount(b_page, length * link * (is_rep == 0), minlength=P)
    own_all = np.bincount(b_page, length * (is_rep == 0), minlength=P)
    out["page_own_link"] = ratio(own_link, own_all)[b_page]
    out["page_link"] = ratio(S_link[body], page_len)[b_page]
    out["page_rep"] = ratio(S_rep[body], page_len)[b_page]
    out["region_link"] = ratio(inreg_link, inreg_len)[b_page]
    out["region_own"] = ratio(S_own[best], page_own)[b_page]
    is_p = tag[b_path] == 0
    out["page_p_share"] = ratio(np.bincount(b_page, own * is_p, minlength=P), page_own)[b_page]
    url_depth = np.asarray([len([x for x in urlsplit(p.url).path.split("/") if x]) for p in pages], float)
    out["url_depth"] = url_depth[b_page]
    out["n_pages"] = np.full(B, float(min(P, 20)))
    names = list(out)
    X = np.empty((B, len(names)), F)
    for i, n in enumerate(names):
        X[:, i] = out[n]
    return X, names, {"page": b_page, "length": length, "path": b_path}
