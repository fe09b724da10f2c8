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
    "wp-2024": (
        '<div class="wp-block-group"><div class="wp-block-post-date"><time '
        'datetime="{iso}T10:00:00+00:00">{long}</time></div><p>by</p><div class="wp-block-post-author-name"><a '
        'href="/author/{s}" class="wp-block-post-author-name__link">{a}</a></div></div>'
    ),
    "wp-genesis": (
        '<p class=entry-meta><time class=entry-time datetime="{iso}">{long}</time> by <span class=entry-author><a '
        'class=entry-author-link href="/author/{s}"><span class=entry-author-name>{a}</span></a></span> <span '
        'class=entry-comments-link><a href="#c">3 Comments</a></span></p>'
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
    "ghost-casper": (
        '<section class="article-byline-content"><ul class="author-list"><li class="author-list-item"><a '
        'href="/author/{s}/" class="author-avatar"><img alt="{a}"></a></li></ul><div class="article-byline-meta"><h4 '
        'class="author-name"><a href="/author/{s}/">{a}</a></h4><div class="byline-meta-content"><time '
        'class="byline-meta-date" datetime="{iso}">{long}</time><span class="byline-reading-time"><span '
        "class=bull>&bull;</span> 4 min read</span></div></div></section>"
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
    "typepad": (
        "<p class=entry-footer-info><span class=post-footers>Posted by {a} on {long} at 10:11 AM</span> <span "
        "class=separator>|</span> <a class=permalink href=/x>Permalink</a></p>"
    ),
    "movabletype": (
        '<div class="asset-meta"><span class="byline">By <span class="vcard author"><a class="fn url" '
        'href="mailto:x">{a}</a></span> on <abbr class="published" title="{iso}T09:00:00-05:00">{long} 9:00 '
        "AM</abbr></span></div>"
    ),
    "squarespace": (
        '<div class="blog-item-meta-wrapper"><div class="blog-meta-item blog-meta-item--author"><span '
        'class="blog-author-name"><span class="blog-author">{a}</span></span></div><time datetime="{iso}" '
        'class="blog-meta-item blog-meta-item--date">{long}</time></div>'
    ),
    "wix": (
        '<ul class="Ywj8 post-header"><li data-hook="user-info"><span data-hook="user-name" class="tQ0Q1A '
        'user-name">{a}</span></li><li><span data-hook="time-ago" title="{long}" '
        'class="post-metadata__date">{long}</span></li></ul>'
    ),
    "tumblr": '<p class=posted>{long}, posted by <a href="/">{a}</a></p>',
    "hubspot": (
        '<div class="blog-post__meta"><a href="/blog/author/{s}" rel="author">{a}</a><div '
        'class="blog-post__timestamp">{long}</div></div>'
    ),
    "webflow": (
        '<div class="blog-author-wrap"><div class="text-size-small">Written by</div><div '
        'class="text-weight-bold">{a}</div></div><div class="blog-date-wrap"><div class="text-size-small">Published '
        'on</div><div class="text-weight-bold">{long}</div></div>'
    ),
    "hugo-papermod": (
        '<div class=post-meta><span title="{iso} 00:00:00 +0000 UTC">{long}</span>&nbsp;&middot;&nbsp;<span>5 '
        "min</span>&nbsp;&middot;&nbsp;<span>1002 words</span>&nbsp;&middot;&nbsp;<span>{a}</span></div>"
    ),
    "hugo-ananke": (
        '<p class="tracked"><strong>{a}</strong></p><time class="f6 mv4 dib tracked" '
        'datetime="{iso}T00:00:00Z">{long}</time>'
    ),
    "jekyll-minima": (
        '<p class=post-meta><time class=dt-published datetime="{iso}T00:00:00+00:00" '
        "itemprop=datePublished>{long}</time> &bull; <span itemprop=author itemscope "
        'itemtype="http://schema.org/Person"><span class="p-author h-card" itemprop=name>{a}</span></span></p>'
    ),
    "jekyll-chirpy": (
        '<div class="post-meta text-muted"><span> Posted <time data-ts=1700000000 data-df=ll>{long}</time></span><div '
        'class="mt-2 d-flex"><span>By <em><a href="https://twitter.com/{s}">{a}</a></em></span></div></div>'
    ),
    "hexo-next": (
        "<div class=post-meta><span class=post-meta-item><span class=post-meta-item-text>Posted on</span> <time "
        'title="Created: {iso} 10:00:00" itemprop="dateCreated datePublished" '
        'datetime="{iso}T10:00:00+08:00">{iso}</time></span><span class=post-meta-item><span '
        "class=post-meta-item-text>Author: </span><span>{a}</span></span></div>"
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
    "mkdocs-blog": (
        '<aside class="md-source-file"><span class="md-source-file__fact">{long}</span></aside><div '
        'class="md-author"><a href="https://github.com/{s}" class="md-author__name">{a}</a></div>'
    ),
    "pelican": (
        '<footer class="post-info"><abbr class="published" title="{iso}T10:20:00+02:00"> {long} </abbr> <address '
        'class="vcard author"> By <a class="url fn" href="/author/{s}.html">{a}</a></address></footer>'
    ),
    "octopress": (
        '<p class=meta><span class="byline author vcard">Posted by <span class=fn>{a}</span></span> <time '
        'class="entry-date" datetime="{iso}T10:00:00+01:00"><span class=date>{long}</span></time></p>'
    ),
    "astro": '<div class="flex"><p>{a}</p><p><time datetime="{iso}">{long}</time></p></div>',
    "drupal7": (
        '<span property="dc:date dc:created" content="{iso}T12:00:00+02:00" datatype="xsd:dateTime" '
        'rel="sioc:has_creator" class="submitted">Submitted by <a href="/users/{s}" title="View user profile." '
        'class="username" xml:lang="">{a}</a> on {long} - 12:00</span>'
    ),
    "drupal8": (
        '<footer class="node__meta"><div class="node__submitted"> Submitted by <span class="field '
        'field--name-uid"><span class=username>{a}</span></span> on <span class="field '
        'field--name-created">{long}</span></div></footer>'
    ),
    "joomla": (
        '<dl class="article-info"><dt class="article-info-term">Details</dt><dd class="createdby"> Written by <span '
        'itemprop="name">{a}</span></dd><dd class="published"><time datetime="{iso}T10:00:00+00:00">Published: '
        '{long}</time></dd><dd class="hits">Hits: 1933</dd></dl>'
    ),
    "typo3": (
        '<div class="news-single"><p><span class="news-list-date"><time datetime="{iso}">{dmy}</time></span> <span '
        'class="news-list-author">Von {a}</span></p></div>'
    ),
    "plone": (
        '<div class="documentByLine" id="plone-document-byline"><span class="documentAuthor"> by <a '
        'href="/author/{s}">{a}</a> &mdash; </span><span class="documentPublished"><span>published</span> {long}, '
        '</span> <span class="documentModified"><span>last modified</span> Dec 01, 2024 10:00 AM</span></div>'
    ),
    "spip": (
        '<p class="info-publi"><abbr class="published" title="{iso}T08:00:00Z">{dmy}</abbr><span class="sep">, '
        '</span><span class="auteurs"> par <span class="vcard author"><a class="url fn spip_in" '
        'href="auteur7">{a}</a></span></span></p>'
    ),
    "slashcode": "<div class=details>Posted by {a} on {long} @11:20AM <br>from the dept of storms dept.</div>",
    "nyt": (
        '<div class="css-1wx1auc"><div class="css-233int"><p class="css-4anu6l e1jsehar1"><span '
        'class="byline-prefix">By </span><span class="css-1baulvz last-byline" itemprop="name"><a href="/by/{s}" '
        'class="css-n8ff4n">{a}</a></span></p></div></div><time class="css-16f3y1r e16638kd0" '
        'datetime="{iso}T05:00:00-04:00">{long}</time>'
    ),
    "wapo-arc": (
        '<div class="ts-byline"><span>By</span> <a data-qa="author-name" class="wpds-c" '
        'href="/people/{s}/">{a}</a></div><div data-qa="timestamp" class="timestamp">{long} at 5:00 a.m. EDT</div>'
    ),
    "guardian": (
        '<address aria-label="Contributor info" data-component="meta-byline"><div class="dcr-1b"><a rel="author" '
        'href="/profile/{s}">{a}</a> and <a rel=author href="/profile/x">{b}</a> in Berlin</div></address><details '
        'class=dcr-x><summary><span class="dcr-u0h1qy">{long} 06.00 GMT</span></summary></details>'
    ),
    "bbc": (
        '<div class="byline"><span class="byline__name">By {a}</span><span class="byline__title">Health editor, BBC '
        'News</span></div><time datetime="{iso}T00:01:01.000Z">{long}</time>'
    ),
    "chorus": (
        '<div class="c-byline"><span class="c-byline-wrapper">By <span class="c-byline__item"><a '
        'href="/authors/{s}"><span class="c-byline__author-name">{a}</span></a></span> <span '
        'class="c-byline__item"><time class="c-byline__item" datetime="{iso}T10:00:00">{long}, 10:00am '
        "EDT</time></span></span></div>"
    ),
    "brightspot": (
        '<div class="Page-byline"><div class="Page-authors">By <a class="Link" href="/people/{s}">{a}</a></div><div '
        'class="Page-datePublished">Published {long} at 5:00 PM EST</div></div>'
    ),
    "ap-place": (
        '<div class="Component-bylines"><span>By {a}</span></div><span class="Timestamp" '
        'title="{iso}T12:00:00Z">{long}</span>'
    ),
    "role-comma": "<p class=article-author>By {a}, Staff Writer</p><p class=article-date>{long}</p>",
    "role-place": "<div class=meta>By {a} in Berlin | {long}</div>",
    "agency": '<div class="byline">{a} | Reuters</div><div class="date">{long}</div>',
    "with-by": '<div class="byline">By {a} and {b}, Associated Press</div><div class="date">{long}</div>',
    "caps": '<div class="byline">BY {A}</div><div class="pubdate">{long}</div>',
    "de-von": (
        '<div class="article__meta">Von <a href="/autoren/{s}">{a}</a>, Berlin</div><div class="article__date">{dmy}, '
        "10:30 Uhr</div>"
    ),
    "de-und": '<p class="autor">Von {a} und {b}</p><p class="datum">Stand: {dmy}</p>',
    "de-kommentar": '<p class="byline">Ein Kommentar von {a}</p><time datetime="{iso}">{dmy}</time>',
    "de-interview": '<p class="byline">Interview: {a}</p><time datetime="{iso}">{dmy}</time>',
    "fr-par": (
        '<span class="article__author">Par <a href="/signataires/{s}">{a}</a> et <a '
        'href="/signataires/x">{b}</a></span> <span class="article__date">Publié le {dmy} à 10h00</span>'
    ),
    "fr-lemonde": (
        '<section class="meta__authors"><span class="meta__author-prefix">Par</span> <a class="article__author-link" '
        'href="/signataires/{s}/">{a}</a> (Berlin, correspondant)</section><span class="meta__date">Publié le {dmy} à '
        "05h30</span>"
    ),
    "es-autor": (
        '<div class="a_md_a"><a href="/autor/{s}/" class="a_md_a_n">{a}</a></div><div class="a_md_l">Madrid - <time '
        'datetime="{iso}T05:00:00Z"><a>{long}</a></time></div>'
    ),
    "it-di": '<div class="story__author">di <em>{a}</em></div><time class="story__date" datetime="{iso}">{dmy}</time>',
    "pt-por": (
        '<p class="content-publication-data__from" title="{a}">Por {a} — São Paulo</p><time '
        'datetime="{iso}T10:00:00">{dmy} 10h00</time>'
    ),
    "nl-door": '<div class="artikel-meta"><span class="auteur">Door {a}</span> <span class="datum">{dmy}</span></div>',
    "pl-autor": '<div class="authors"><span>Autor:</span> <b>{a}</b></div><div class=time>{dmy}, 10:30</div>',
    "ru-avtor": (
        '<div class="article-info"><span class="author">Автор: {a}</span> <span class="date">{dmy}</span></div>'
    ),
    "tr-author": (
        '<div class="author-info"><a href="/yazar/{s}"><strong>{a}</strong></a></div><div class=date>{dmy}</div>'
    ),
    "ja": '<div class="meta"><span class="writer">文：{j}</span><span class="date">{iso}</span></div>',
    "ja-kisha": '<div class="articleInfo"><span>記者 {j}</span><time datetime="{iso}">{iso}</time></div>',
    "zh": '<div class="info">来源：新华网 作者：{j} {iso} 10:20</div>',
    "itemprop-nested": (
        '<div itemprop=author itemscope itemtype="https://schema.org/Person"><meta itemprop=url content="/u/1"><span '
        'itemprop=name>{a}</span></div><meta itemprop=datePublished content="{iso}"><span>{long}</span>'
    ),
    "address-rel": (
        '<address>By <a rel=author href="/staff/{s}">{a}</a> on <time datetime="{iso}">{long}</time></address>'
    ),
    "email": (
        '<div class="contact">{a} <a href="mailto:{s}@example.org">{s}@example.org</a></div><div '
        "class=date>{long}</div>"
    ),
    "twitter": (
        '<div class="byline">By <a href="/staff/{s}">{a}</a> <a href="https://twitter.com/{s}">@{s}</a></div><div '
        "class=date>{long}</div>"
    ),
    "bio-box": "<div class=date>{long}</div>",
    "reviewed": (
        '<div class=bylines><p>Written by <a href="/team/{s}">{a}</a></p><p>Medically reviewed by <a '
        'href="/team/x">{b} MD</a></p></div><p class=updated>Updated on {long}</p>'
    ),
    "editor": (
        '<div class=bylines><p>Written by <a href="/team/{s}">{a}</a></p><p>Edited by <a '
        'href="/team/x">{b}</a></p></div><p class=date>{long}</p>'
    ),
    "photo-by": "<div class=byline>Text: {a} | Fotos: {b}</div><p class=date>{long}</p>",
    "icon": (
        '<ul class=meta-list><li><i class="icon-user"></i> {a}</li><li><i class="icon-calendar"></i> {long}</li></ul>'
    ),
    "table": "<table><tr><th>Author</th><td>{a}</td></tr><tr><th>Date</th><td>{long}</td></tr></table>",
    "dl": "<dl><dt>Author</dt><dd>{a}</dd><dt>Published</dt><dd>{long}</dd></dl>",
    "dl-colon": "<dl class=field-list><dt>Author:</dt><dd>{a}</dd><dt>Release:</dt><dd>{long}</dd></dl>",
}
"""Markup after the title."""

COMMENTS = (
    "<div id=comments><h3>2 comments</h3><ol><li class=comment><div class=comment-author><b class=fn>Kim Poe</b> "
    "says:</div><time datetime=2024-11-02>November 2, 2024</time><p>Well said indeed.</p></li></ol></div>"
)

BEHIND: dict[str, str] = {
    **dict.fromkeys("wp-2010 wp-2015 wp-kubrick blogger typepad movabletype".split(), COMMENTS),
    "wp-genesis": (
        "<aside class=sidebar><h3>Recent comments</h3><ul><li><a href=/author/zed>Zed Moe</a> on <a "
        "href=/x>Storms</a></li></ul></aside>"
    ),
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
    "phpbb2": (
        "<tr><td class=row1><span class=name><a name={n}></a><b>{a}</b></span><br><span class=postdetails>Joined: 03 "
        "Mar 2011<br>Posts: 12</span></td><td class=row1><span class=postdetails>Posted: {d} 10:11 am<span "
        "class=gen>&nbsp;</span>Post subject: x</span><hr><span class=postbody>{t}</span></td></tr>"
    ),
    "vbulletin4": (
        '<li class="postbitlegacy postbitim postcontainer old" id=post_{n}><div class=posthead><span class="postdate '
        'old"><span class=date>{d},&nbsp;<span class=time>10:11 AM</span></span></span></div><div '
        'class=postdetails><div class=userinfo><div class=username_container><a class="username offline popupctrl" '
        'href="member.php?u={n}"><strong>{a}</strong></a></div><span class=usertitle>Member</span><dl '
        "class=userinfo_extra><dt>Join Date</dt><dd>Mar 2011</dd></dl></div><div class=postbody><blockquote "
        'class="postcontent restore">{t}</blockquote></div></div></li>'
    ),
    "vbulletin3": (
        "<table id=post{n} class=tborder><tr><td class=thead><a name=post{n}></a> {d}, 10:11 AM</td></tr><tr><td "
        'class=alt2><div><a class=bigusername href="member.php?u={n}">{a}</a></div><div '
        "class=smallfont>Member</div><div class=smallfont><div>Join Date: Mar 2011</div></div></td><td class=alt1><div "
        "id=post_message_{n}>{t}</div></td></tr></table>"
    ),
    "xenforo2": (
        '<article class="message message--post" data-author="{a}"><div class=message-cell--user><section '
        'class=message-user><h4 class=message-name><a href="/members/{s}.{n}/" class="username" '
        'itemprop=name>{a}</a></h4><h5 class="userTitle message-userTitle">Member</h5><dl><dt>Joined</dt><dd>Mar 3, '
        '2011</dd></dl></section></div><div class=message-main><header class="message-attribution"><ul><li '
        'class=u-concealed><a href=/x><time class=u-dt datetime="{i}" title="{d} at 10:11 '
        'AM">{d}</time></a></li></ul></header><div class=message-body><article '
        "class=bbWrapper>{t}</article></div></div></article>"
    ),
    "smf": (
        '<div class="windowbg"><div class=post_wrapper><div class=poster><h4><a href="index.php?action=profile;u={n}" '
        'title="View the profile of {a}">{a}</a></h4><ul><li class=membergroup>Member</li><li class=postcount>Posts: '
        "12</li></ul></div><div class=postarea><div class=keyinfo><h5 id=subject_{n}><a href=#>Re: x</a></h5><div "
        "class=smalltext>&#171; <strong>on:</strong> {d}, 10:11:12 AM &#187;</div></div><div "
        "class=post>{t}</div></div></div></div>"
    ),
    "mybb": (
        '<div class="post" id=post_{n}><div class=post_author><div class=author_information><strong><span '
        'class=largetext><a href="member.php?action=profile&uid={n}">{a}</a></span></strong><br><span '
        "class=smalltext>Junior Member</span></div><div class=author_statistics>Posts: 4<br>Joined: Mar "
        "2011</div></div><div class=post_content><div class=post_head><span class=post_date>{d}, 10:11 "
        "AM</span></div><div class=post_body>{t}</div></div></div>"
    ),
    "discourse": (
        '<div id=post_{n} itemprop=comment itemscope itemtype="http://schema.org/DiscussionForumPosting" '
        'class="topic-body crawler-post"><div class=crawler-post-meta><span class=creator itemprop=author itemscope '
        'itemtype="http://schema.org/Person"><a itemprop=url href="https://f.example/u/{s}"><span '
        'itemprop=name>{a}</span></a></span><span class=crawler-post-infos><time datetime="{i}" '
        "class=post-time>{d}</time><span itemprop=position>{n}</span></span></div><div class=post "
        "itemprop=text><p>{t}</p></div></div>"
    ),
    "invision": (
        '<article class="cPost ipsBox"><aside class="ipsComment_author cAuthorPane"><h3 '
        'class="cAuthorPane_author"><strong><a href="/profile/{n}-{s}/" title="Go to {a}\'s '
        'profile">{a}</a></strong></h3><ul><li>Members</li></ul></aside><div class="ipsComment_meta"><p '
        'class=ipsType_reset><a href=/x>Posted <time datetime="{i}" title="{d}">{d}</time></a></p></div><div '
        "class=cPost_contentWrap>{t}</div></article>"
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
    "gitlab": (
        '<div class="note"><div class=note-header><a class="author-link js-user-link" href="/{s}"><span '
        'class="note-header-author-name author">{a}</span> <span class="note-headline-light">@{s}</span></a> <span '
        'class=note-headline-meta>&middot; <time datetime="{i}" title="{d}">{d}</time></span></div><div '
        "class=note-body>{t}</div></div>"
    ),
    "bugzilla": (
        '<div id=c{n} class="bz_comment"><div class="bz_comment_head"><span class=bz_comment_number>Comment {n}</span> '
        '<span class=bz_comment_user><span class=vcard><a class=email href="mailto:x"><span '
        "class=fn>{a}</span></a></span></span> <span class=bz_comment_time>{d} 10:11:12 UTC</span></div><pre "
        "class=bz_comment_text>{t}</pre></div>"
    ),
    "redmine": (
        '<div class="issue"><p class=author>Added by <a class="user active" href="/users/{n}">{a}</a> <a title="{d} '
        '10:00">{d}</a>. </p><div class=wiki>{t}</div></div>'
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
    "hypermail": (
        "<ul><li><dfn>From</dfn>: {a} &lt;x_at_y.example&gt;</li><li><dfn>Date</dfn>: {d}</li></ul><div "
        "class=mail><pre>{t}</pre></div>"
    ),
}
"""Post by ``{a}`` at ``{d}``, ``{i}`` for programs, with the number ``{n}`` and the text ``{t}``."""

MAILS = frozenset({"pipermail", "mhonarc", "hypermail"})
"""Kinds of pages with a byline."""
