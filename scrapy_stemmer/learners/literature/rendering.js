() => {
  // Notes down in a page what the browser knows of its texts; rendering.py reads it. A text belongs to the first element
  // around it that has a width and a height of its own; inline elements have none. (Zhou & Sun, section 3.1)
  const BLOCK = "data-stemmer-block"; // on an element that texts belong to: its width in pixels, the number of its style
  const HIDDEN = "data-stemmer-hidden"; // on an element whose own text has no area on the screen
  const STYLES = "data-stemmer-styles"; // on the body: the styles of the page, each the CSS that differs from the body's
  const unrendered = new Set(["noscript", "script", "style", "template"]);
  // CSS that follows from how much text a block holds, and would put each into a group of its own. The program left out
  // the first six, and all names that begin with a hyphen; the others have lost their hyphen or came later.
  const ignored = new Set(("width height top left right bottom perspective-origin transform-origin " +
    "grid-template-columns grid-template-rows").split(" "));
  // Names such as inline-size, inset-block-start or margin-inline-end: what they say, the names for horizontal and
  // vertical say already, and those of sizes are size-dependent as well.
  const alias = /(^|-)(block|inline)(-|$)/;
  const body = document.body;
  if (!body) return {blocks: 0, styles: 0};
  for (const name of [BLOCK, HIDDEN, STYLES])
    for (const element of document.querySelectorAll(`[${name}]`)) element.removeAttribute(name);

  const usual = {};
  const initial = getComputedStyle(body);
  for (const name of Array.from(initial))
    if (!name.startsWith("-") && !alias.test(name) && !ignored.has(name))
      usual[name] = initial.getPropertyValue(name);
  const names = Object.keys(usual).sort();

  const numbers = new Map(), styles = [];
  const numberOf = (computed) => {
    const style = {};
    for (const name of names) {
      const value = computed.getPropertyValue(name);
      if (value !== usual[name]) style[name] = value;
    }
    const key = JSON.stringify(style);
    if (!numbers.has(key)) {
      numbers.set(key, styles.length);
      styles.push(style);
    }
    return numbers.get(key);
  };

  const sized = (computed) => parseInt(computed.width, 10) * parseInt(computed.height, 10) > 0;
  const visible = (element) => {
    const bound = element.getBoundingClientRect();
    return bound.width * bound.height > 0;
  };

  // All is read before anything is written, since writing makes the browser work out the styles again.
  const blocks = new Map(), hidden = new Set();
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const holder = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || unrendered.has(holder.localName)) continue;
    if (!visible(holder)) {
      hidden.add(holder);
      continue;
    }
    for (let element = holder; element && body.contains(element); element = element.parentElement) {
      if (blocks.has(element)) break;
      const computed = getComputedStyle(element);
      if (!sized(computed)) continue;
      blocks.set(element, `${Math.round(element.getBoundingClientRect().width)} ${numberOf(computed)}`);
      break;
    }
  }
  for (const [element, value] of blocks) element.setAttribute(BLOCK, value);
  for (const element of hidden) element.setAttribute(HIDDEN, "");
  body.setAttribute(STYLES, JSON.stringify(styles));
  return {blocks: blocks.size, styles: styles.length};
}
