"""Bylines as themes, publishing systems, newspapers and forums write them: pages that we made.

In a byline ``{a}`` is the author, ``{s}`` that in an address, ``{b}`` another one, ``{iso}``, ``{long}`` and ``{dmy}``
the date.
"""

from __future__ import annotations

BYLINES: dict[str, str] = {
    "wp-2010": (
        '<div class=entry-meta><span class="meta-prep meta-prep-author">Posted on</span> <a href=/x rel=bookmark><span '
        'class=entry-date>{long}</span></a> <span class=meta-sep>by</span> <span class="author vcard"><a class="url fn '
        'n" href="/author/{s}/">{a}</a></span></div>'
    ),
    "wp-2015": (
        "<footer class=entry-footer><span class=posted-on><span class=screen-reader-text>Posted on </span><a "
        'href=/x><time class="entry-date published" datetime="{iso}T10:00:00+00:00">{long}</time><time class=updated '
        'datetime="2024-12-01T09:00:00+00:00">December 1, 2024</time></a></span><span class=byline><span class="author '
        'vcard"><span class=screen-reader-text>Author </span><a class="url fn n" '
        'href="/author/{s}/">{a}</a></span></span></footer>'
    ),
    "wp-kubrick": "<small>{long} by {a} </small>",
    "wp-coauthors": (
        '<div class=byline>By <a href="/author/{s}" class="author url fn" rel=author>{a}</a> and <a href="/author/x" '
        'class="author url fn" rel=author>{b}</a></div><div class=date>{long}</div>'
    ),
    "wp-avatar": (
        '<div class=post-info><img class="avatar photo" alt="{a}"><div class=info><h4 class=name>{a}</h4><p '
        "class=role>Chief editor</p></div><span class=date>{long}</span></div>"
    ),
    "newspaper-tdb": (
        '<div class="td-post-author-name"><div class="td-author-by">By</div> <a href="/author/{s}">{a}</a><div '
        'class="td-author-line"> - </div></div><span class=td-post-date><time class="entry-date updated '
        'td-module-date" datetime="{iso}">{long}</time></span>'
    ),
    "elementor": (
        '<ul class="elementor-icon-list-items elementor-post-info"><li class="elementor-icon-list-item" '
        'itemprop=author><a href="/author/{s}"><span class="elementor-icon-list-text elementor-post-info__item '
        'elementor-post-info__item--type-author">{a}</span></a></li><li itemprop=datePublished><span '
        'class="elementor-icon-list-text elementor-post-info__item '
        'elementor-post-info__item--type-date">{long}</span></li></ul>'
    ),
    "divi": (
        '<p class=post-meta> by <span class="author vcard"><a href="/author/{s}" title="Posts by {a}" '
        'rel=author>{a}</a></span> | <span class=published>{long}</span> | <a href="/category/news" rel="category '
        'tag">News</a> | <a href=#c>0 comments</a></p>'
    ),
    "medium": (
        '<div><div class="fc l"><a class="af ag" rel="noopener" href="/@{s}"><img alt="{a}" class="l '
        'bx"></a></div><div class="bn"><a class="af ag ah" data-testid="authorName" rel="noopener follow" '
        'href="/@{s}">{a}</a><p class="be b"><span>&middot;</span></p><button>Follow</button></div><span class="be b '
        'bf">5 min read</span><span>&middot;</span><span data-testid="storyPublishDate">{long}</span></div>'
    ),
    "substack": (
        '<div class="pencraft pc-display-flex"><div class="pencraft byline-names-x7"><a '
        'href="https://substack.com/@{s}" class="pencraft frontend-link">{a}</a></div><div class="pencraft '
        'meta-EgzBVA">{long}</div></div>'
    ),
    "blogger": (
        "<div class=post-footer><span class='post-author vcard'>Posted by <span class=fn itemprop=author itemscope "
        "itemtype='http://schema.org/Person'><a class=g-profile href='https://www.blogger.com/profile/1' "
        "rel=author><span itemprop=name>{a}</span></a></span></span> <span class=post-timestamp>at <a "
        "class=timestamp-link href=/x><abbr class=published itemprop=datePublished title='{iso}T08:30:00-08:00'>8:30 "
        "AM</abbr></a></span></div>"
    ),
    "tumblr": '<p class=posted>{long}, posted by <a href="/">{a}</a></p>',
    "hugo-ananke": (
        '<p class="tracked"><strong>{a}</strong></p><time class="f6 mv4 dib tracked" '
        'datetime="{iso}T00:00:00Z">{long}</time>'
    ),
    "docusaurus": (
        '<div class="blog-header"><time datetime="{iso}T00:00:00.000Z">{long}</time> &middot; One min read</div><div '
        'class="margin-top--md row"><div class="col col--6 authorCol_Hf19"><div class="avatar margin-bottom--sm"><div '
        'class="avatar__intro"><div class="avatar__name"><a href="https://github.com/{s}"><span '
        'class=authorName_yefp>{a}</span></a></div><small class="avatar__subtitle">Core '
        "team</small></div></div></div></div>"
    ),
    "sphinx-ablog": (
        '<p class=ablog-post><span><i class="fa fa-calendar"></i> {long}</span> <span><i class="fa fa-user"></i> <a '
        'class="reference internal" href="/author/{s}.html">{a}</a></span></p>'
    ),
    "drupal7": (
        '<span property="dc:date dc:created" content="{iso}T12:00:00+02:00" datatype="xsd:dateTime" '
        'rel="sioc:has_creator" class="submitted">Submitted by <a href="/users/{s}" title="View user profile." '
        'class="username" xml:lang="">{a}</a> on {long} - 12:00</span>'
    ),
    "slashcode": "<div class=details>Posted by {a} on {long} @11:20AM <br>from the dept of storms dept.</div>",
    "nyt": (
        '<div class="css-1wx1auc"><div class="css-233int"><p class="css-4anu6l e1jsehar1"><span '
        'class="byline-prefix">By </span><span class="css-1baulvz last-byline" itemprop="name"><a href="/by/{s}" '
        'class="css-n8ff4n">{a}</a></span></p></div></div><time class="css-16f3y1r e16638kd0" '
        'datetime="{iso}T05:00:00-04:00">{long}</time>'
    ),
    "guardian": (
        '<address aria-label="Contributor info" data-component="meta-byline"><div class="dcr-1b"><a rel="author" '
        'href="/profile/{s}">{a}</a> and <a rel=author href="/profile/x">{b}</a> in Berlin</div></address><details '
        'class=dcr-x><summary><span class="dcr-u0h1qy">{long} 06.00 GMT</span></summary></details>'
    ),
    "ap-place": (
        '<div class="Component-bylines"><span>By {a}</span></div><span class="Timestamp" '
        'title="{iso}T12:00:00Z">{long}</span>'
    ),
    "with-by": '<div class="byline">By {a} and {b}, Associated Press</div><div class="date">{long}</div>',
    "de-kommentar": '<p class="byline">Ein Kommentar von {a}</p><time datetime="{iso}">{dmy}</time>',
    "fr-lemonde": (
        '<section class="meta__authors"><span class="meta__author-prefix">Par</span> <a class="article__author-link" '
        'href="/signataires/{s}/">{a}</a> (Berlin, correspondant)</section><span class="meta__date">Publié le {dmy} à '
        "05h30</span>"
    ),
    "itemprop-nested": (
        '<div itemprop=author itemscope itemtype="https://schema.org/Person"><meta itemprop=url content="/u/1"><span '
        'itemprop=name>{a}</span></div><meta itemprop=datePublished content="{iso}"><span>{long}</span>'
    ),
    "bio-box": "<div class=date>{long}</div>",
    "reviewed": (
        '<div class=bylines><p>Written by <a href="/team/{s}">{a}</a></p><p>Medically reviewed by <a '
        'href="/team/x">{b} MD</a></p></div><p class=updated>Updated on {long}</p>'
    ),
    "photo-by": "<div class=byline>Text: {a} | Fotos: {b}</div><p class=date>{long}</p>",
    "table": "<table><tr><th>Author</th><td>{a}</td></tr><tr><th>Date</th><td>{long}</td></tr></table>",
    "dl-colon": "<dl class=field-list><dt>Author:</dt><dd>{a}</dd><dt>Release:</dt><dd>{long}</dd></dl>",
}
"""Markup after the title."""

COMMENTS = (
    "<div id=comments><h3>2 comments</h3><ol><li class=comment><div class=comment-author><b class=fn>Kim Poe</b> "
    "says:</div><time datetime=2024-11-02>November 2, 2024</time><p>Well said indeed.</p></li></ol></div>"
)

BEHIND: dict[str, str] = {
    **dict.fromkeys("wp-2010 wp-2015 wp-kubrick blogger".split(), COMMENTS),
    "newspaper-tdb": (
        "<div class=td_block_related_posts><div class=td-module-meta-info><span class=td-post-author-name><a "
        'href="/author/q">Quin Ray</a></span></div></div>'
    ),
    "substack": (
        '<div class="comment"><div class="comment-head"><a href="/profile/9-kim">Kim Poe</a></div><div>Nov '
        "2</div></div>"
    ),
    "drupal7": (
        "<div id=comments><div class=comment><span class=submitted>Submitted by <a class=username href=/users/k>Kim "
        "Poe</a> on 2 November 2024</span></div></div>"
    ),
    "bio-box": (
        '<div class="author-box"><div class="author-box__avatar"><img alt=x></div><div '
        'class="author-box__name">{a}</div><div class="author-box__bio">{a} is a reporter who writes of storms and of '
        "harbours and of other things that move the town.</div></div>"
    ),
}
"""Markup after the text, where there is any."""

FORUMS: dict[str, str] = {
    "phpbb3": (
        '<div id=p{n} class="post has-profile bg1"><dl class=postprofile id=profile{n}><dt class="has-profile-rank"><a '
        'href="./memberlist.php?mode=viewprofile&u={n}" class=username>{a}</a></dt><dd '
        "class=profile-rank>Member</dd><dd class=profile-posts><strong>Posts:</strong> <a>12</a></dd><dd "
        "class=profile-joined><strong>Joined:</strong> March 3, 2011</dd></dl><div class=postbody><h3 class=first><a "
        'href=#p{n}>Re: x</a></h3><p class=author>Post by <strong><a href="./memberlist.php?mode=viewprofile&u={n}" '
        "class=username>{a}</a></strong> &raquo; {d}</p><div class=content>{t}</div></div></div>"
    ),
    "vbulletin3": (
        "<table id=post{n} class=tborder><tr><td class=thead><a name=post{n}></a> {d}, 10:11 AM</td></tr><tr><td "
        'class=alt2><div><a class=bigusername href="member.php?u={n}">{a}</a></div><div '
        "class=smallfont>Member</div><div class=smallfont><div>Join Date: Mar 2011</div></div></td><td class=alt1><div "
        "id=post_message_{n}>{t}</div></td></tr></table>"
    ),
    "discourse": (
        '<div id=post_{n} itemprop=comment itemscope itemtype="http://schema.org/DiscussionForumPosting" '
        'class="topic-body crawler-post"><div class=crawler-post-meta><span class=creator itemprop=author itemscope '
        'itemtype="http://schema.org/Person"><a itemprop=url href="https://f.example/u/{s}"><span '
        'itemprop=name>{a}</span></a></span><span class=crawler-post-infos><time datetime="{i}" '
        "class=post-time>{d}</time><span itemprop=position>{n}</span></span></div><div class=post "
        "itemprop=text><p>{t}</p></div></div>"
    ),
    "flarum": (
        '<article class="CommentPost Post"><header class=Post-header><ul><li class=item-user><div '
        'class=PostUser><h3><a href="/u/{s}"><span class=username>{a}</span></a></h3></div></li><li class=item-meta><a '
        'class="Dropdown-toggle"><time datetime="{i}">{d}</time></a></li></ul></header><div '
        "class=Post-body>{t}</div></article>"
    ),
    "stackexchange": (
        '<div class="question" id=q{n}><div class=s-prose>{t}</div><div class="post-signature"><div '
        'class="user-info"><div class="user-action-time">asked <span title="{i}" '
        'class=relativetime>{d}</span></div><div class="user-details" itemprop=author itemscope '
        'itemtype="http://schema.org/Person"><a href="/users/{n}/{s}">{a}</a><span class=d-none '
        "itemprop=name>{a}</span></div></div></div></div>"
    ),
    "github": (
        '<div class="timeline-comment"><div class="timeline-comment-header"><h3><strong><a class="author '
        'Link--primary" href="/{s}">{a}</a></strong> commented <a href=#i{n} class="Link--secondary '
        'js-timestamp"><relative-time datetime="{i}">{d}</relative-time></a></h3></div><td '
        'class="comment-body">{t}</td></div>'
    ),
    "bugzilla": (
        '<div id=c{n} class="bz_comment"><div class="bz_comment_head"><span class=bz_comment_number>Comment {n}</span> '
        '<span class=bz_comment_user><span class=vcard><a class=email href="mailto:x"><span '
        "class=fn>{a}</span></a></span></span> <span class=bz_comment_time>{d} 10:11:12 UTC</span></div><pre "
        "class=bz_comment_text>{t}</pre></div>"
    ),
    "hyperkitty": (
        '<div class="email"><div class="email-header"><div class="email-author"><a href="/users/{n}/" '
        'class="name">{a}</a></div><div class=email-date><div class=d-none>{d}</div><span title="Sender\'s time: {d} '
        '10:11:12">10:11 a.m.</span></div></div><div class=email-body>{t}</div></div>'
    ),
    "pipermail": (
        '<b>{a}</b> <a href="mailto:l@x.example" title="x">{s} at y.example</a><br><i>{d} 10:11:12 '
        "CET</i><p><ul><li>Previous message: <a href=1>[L] other</a></li><li>Next message: <a href=2>[L] "
        "third</a></li></ul><hr><pre>{t}</pre>"
    ),
    "mhonarc": (
        '<ul><li><em>From</em>: {a} &lt;<a href="mailto:x">x@y.example</a>&gt;</li><li><em>Date</em>: {d} 10:11:12 '
        "+0100</li></ul><pre>{t}</pre>"
    ),
}
"""Post by ``{a}`` at ``{d}``, ``{i}`` for programs, with the number ``{n}`` and the text ``{t}``."""

MAILS = frozenset({"pipermail", "mhonarc"})
"""Kinds of pages with a byline."""
