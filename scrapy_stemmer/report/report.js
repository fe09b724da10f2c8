"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const listen = (selector, name, does) => {
    for (const element of all(selector)) element.addEventListener(name, () => { does(element); });
  };
  const made = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // Corrections: kept by the browser for all pages of the report, where it can keep something for files.

  const taught = JSON.parse(by("basket").dataset.taught);
  const what = (each) => each.field ?? each.action, where = (each) => each.at ?? each.selector;
  const isTaught = (each) => taught.some((rule) => rule[0] === each.site && rule[1] === what(each) && rule[2] === where(each));
  const store = `scrapy-stemmer ${by("basket").dataset.key}`;
  let corrections = [];
  const load = () => {
    try { corrections = JSON.parse(localStorage.getItem(store)) || corrections; } catch { /* this page alone then */ }
    corrections = corrections.filter((each) => !isTaught(each));
  };
  const save = () => {
    try { localStorage.setItem(store, JSON.stringify(corrections)); } catch { /* this page alone then */ }
    showBasket();
  };
  const showBasket = () => {
    by("basket").hidden = corrections.length === 0;
    by("corrections").replaceChildren(...corrections.map((each, number) => {
      const item = made("li");
      const remove = made("button", "×");
      remove.ariaLabel = "Remove";
      remove.type = "button";
      remove.addEventListener("click", () => { corrections.splice(number, 1); save(); });
      item.append(made("span", what(each), `tag ${what(each)}`), made("code", where(each)), made("span", each.site, "dim"), remove);
      return item;
    }));
  };
  by("download").addEventListener("click", () => {
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([`${JSON.stringify(corrections, null, 1)}\n`], { type: "application/json" }));
    link.download = "corrections.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  by("clear").addEventListener("click", () => { corrections = []; save(); });
  addEventListener("storage", () => { load(); showBasket(); });
  load();
  showBasket();

  // The index: sorted by the column whose head is pressed, first so that the worst come first.

  listen(".sites thead button", "click", (button) => {
    const head = button.parentElement, column = head.cellIndex, body = document.querySelector(".sites tbody");
    const first = head.dataset.first || "ascending", other = first === "ascending" ? "descending" : "ascending";
    const sort = head.getAttribute("aria-sort") === first ? other : first;
    const value = (row) => column ? Number(row.cells[column].dataset.sort) : row.cells[0].textContent;
    const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (sort === "ascending" ? 1 : -1);
    for (const each of all(".sites thead th")) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sort);
    body.append(...[...body.rows].sort(order));
  });

  listen("[data-filter]", "input", (input) => {
    const words = input.value.toLowerCase().split(/\s+/), rows = all(input.dataset.filter);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    input.nextElementSibling.textContent = input.value ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  });

  // A sample page.

  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  const sample = ({ frame: drawn, data, blocks, result }) => {
    const frame = by("frame"), list = by("blocks");
    list.innerHTML = blocks; // written by the report with all text escaped, as the result is
    by("result").innerHTML = result;
    const items = all("[role=option]", list);
    let page = null, chosen = -1, action = "drop", at = 0, clicked = null;

    const marks = (number) => page ? all(`stemmer-block[data-stemmer-block="${number}"]`, page) : [];
    const flag = (name, numbers) => {
      if (!page) return;
      for (const each of all(`[data-stemmer-${name}]`, page)) each.removeAttribute(`data-stemmer-${name}`);
      for (const each of numbers.flatMap(marks)) each.setAttribute(`data-stemmer-${name}`, "");
    };
    const pathOf = (number) => data.paths[data.blocks[number].path];
    const canCorrect = () => chosen >= 0 && pathOf(chosen).around.length > 0;
    const why = (number) => [
      made("p", items[number].firstChild.textContent, `what ${items[number].className}`),
      made("p", data.blocks[number].why),
      made("code", pathOf(number).path, "path"),
    ];

    const show = (view) => {
      for (const each of all("[data-view]")) each.setAttribute("aria-pressed", each.dataset.view === view);
      const isResult = view === "result";
      frame.hidden = isResult;
      by("result").hidden = !isResult;
      if (page && !isResult) page.documentElement.setAttribute("data-stemmer-view", view);
    };

    // Runs of template are folded, until one of their blocks is chosen.
    const unfold = (run, isOpen) => {
      run.querySelector("ol").hidden = !isOpen;
      run.querySelector("button").setAttribute("aria-expanded", isOpen);
    };
    const isSeen = (item) => !item.closest("[hidden]");

    const ofElement = (name) => ["title", "authors", "published", "field"].includes(name); // about it alone, not all in it
    // Selectors of the clicked element within its block, for fields: `.price` of a line with a price and more.
    const inner = () => {
      const selectors = [];
      for (let each = clicked; each && marks(chosen).some((mark) => each.contains(mark)); each = each.parentElement) {
        const others = all("stemmer-block", each).some((mark) => mark.dataset.stemmerBlock !== String(chosen));
        if (others || selectors.length > 5) break;
        selectors.push(...[...each.classList].map((name) => `.${CSS.escape(name)}`));
      }
      return [...new Set(selectors)].map((selector) => {
        const taken = all(selector, page), inside = taken.flatMap((each) => all("stemmer-block", each));
        return [selector, [...new Set(inside.map((mark) => Number(mark.dataset.stemmerBlock)))], taken.length];
      });
    };
    const offers = () => {
      const of = (ofElement(action) ? pathOf(chosen).own : pathOf(chosen).around).map((each) => data.offers[each]);
      return action === "field" ? [...inner(), ...of] : of;
    };
    const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const named = () => by("name").value.trim();
    const rule = () => {
      const selector = offers()[at][0], shared = { site: data.site, url: data.url };
      return action === "field" ? { field: named(), at: selector, ...shared } : { action, selector, ...shared };
    };
    const showRule = () => {
      const [selector, here, blocks, pages] = offers()[at];
      by("naming").hidden = action !== "field";
      for (const each of all("[data-action]")) each.setAttribute("aria-pressed", each.dataset.action === action);
      by("selector").textContent = selector;
      by("narrower").disabled = at === 0;
      by("wider").disabled = at === offers().length - 1;
      by("takes").textContent = pages === undefined ? `takes ${counted(blocks, "element")} of this page` :
        `takes ${counted(here.length, "block")} of this page, ${counted(blocks, "block")} on ${counted(pages, "sample page")}`;
      const isDone = isTaught(rule()), isUnnamed = action === "field" && !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(named());
      by("add").disabled = isDone || isUnnamed;
      by("add").textContent = isDone ? "Taught already" : isUnnamed ? "Name the field" : "Add the correction";
      by("line").textContent = `${JSON.stringify(action === "field" ? { field: named(), at: selector } : { [action]: selector })},`;
      flag("taken", here);
    };
    const act = (name) => {
      action = name;
      at = ofElement(name) ? 0 : pathOf(chosen).start;
      showRule();
      if (name === "field") by("name").focus();
    };

    // Scrolls the list alone: of a phone's screen the page would go out of sight.
    const showInList = (item) => {
      const own = item.getBoundingClientRect(), around = list.getBoundingClientRect();
      list.scrollTop += Math.min(0, own.top - around.top) + Math.max(0, own.bottom - around.bottom);
    };

    const choose = (number, scrolls, element = null) => {
      if (number < 0 || number >= items.length) return;
      clicked = element;
      if (items[chosen]) items[chosen].setAttribute("aria-selected", "false");
      chosen = number;
      const run = items[number].closest(".run");
      if (run) unfold(run, true);
      items[number].setAttribute("aria-selected", "true");
      list.setAttribute("aria-activedescendant", items[number].id);
      by("about").replaceChildren(...why(number));
      by("inspector").classList.add("used");
      flag("on", [number]);
      const [first] = marks(number);
      if (scrolls && first) first.scrollIntoView({ block: "center" });
      by("correct").hidden = !canCorrect();
      if (canCorrect()) act(items[number].matches(".title, .text") ? "drop" : "keep");
      showInList(items[number]);
    };

    const subject = (each) => each.field ?? (ofElement(each.action) ? each.action : "text");
    const add = () => {
      if (by("add").disabled) return;
      const added = rule();
      corrections = corrections.filter((each) => each.site !== added.site || where(each) !== where(added) ||
        subject(each) !== subject(added));
      corrections.push(added);
      save();
      showInList(items[chosen]);
    };

    list.addEventListener("click", (event) => {
      const item = event.target.closest("[role=option]"), button = event.target.closest(".run > button");
      if (item) choose(items.indexOf(item), true);
      if (button) unfold(button.parentElement, button.getAttribute("aria-expanded") !== "true");
    });
    // By keyboard alone: at a click the panel would grow, and the list move away below it, before the click is one.
    list.addEventListener("focus", () => { if (chosen < 0 && list.matches(":focus-visible")) step(1); });
    list.addEventListener("mouseover", (event) => {
      const item = event.target.closest("[role=option]");
      flag("over", item ? [items.indexOf(item)] : []);
    });
    listen("[data-view]", "click", (button) => show(button.dataset.view));
    listen("[data-action]", "click", (button) => act(button.dataset.action));
    const move = (number) => { if (offers()[at + number]) { at += number; showRule(); } };
    by("narrower").addEventListener("click", () => move(-1));
    by("wider").addEventListener("click", () => move(1));
    by("add").addEventListener("click", add);
    by("name").addEventListener("input", showRule);
    by("name").addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
    by("copy").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(by("line").textContent);
        by("copy").textContent = "Copied";
        setTimeout(() => { by("copy").textContent = "Copy"; }, 1500);
      } catch { getSelection().selectAllChildren(by("line")); }
    });

    // Keys work wherever the focus is but in a field: in the page too, where a click puts it.

    const step = (ahead) => {
      let number = chosen + ahead;
      while (items[number] && !isSeen(items[number])) number += ahead;
      choose(number, true);
    };
    const keys = {
      1: () => show("original"), 2: () => show("both"), 3: () => show("stripped"), 4: () => show("result"),
      ArrowDown: () => step(1), ArrowUp: () => step(-1),
      Home: () => choose(0, true), End: () => choose(items.length - 1, true),
    };
    const ruleKeys = {
      Enter: add, k: () => act("keep"), d: () => act("drop"), t: () => act("title"),
      a: () => act("authors"), p: () => act("published"), f: () => act("field"),
      ArrowLeft: () => move(-1), ArrowRight: () => move(1),
    };
    const isTaken = (key, target) => target.tagName === "INPUT" || (target.closest?.("button, a, #result") && key.length > 1);
    const pressed = (event) => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || (target.ownerDocument === document && isTaken(key, target))) return;
      const does = keys[key] || (canCorrect() && ruleKeys[key]);
      if (!does) return;
      event.preventDefault();
      does();
    };
    addEventListener("keydown", pressed);

    // The frame runs no scripts; what happens in it is seen from here.

    const tip = by("tip");
    // Of an element that holds a single block any part is that block, as the end of a heading's line.
    const blockAt = ({ target }) => {
      const block = "stemmer-block[data-stemmer-block]", around = target.closest?.(block);
      const marked = around ? [around] : [...(target.querySelectorAll?.(block) ?? [])];
      const numbers = new Set(marked.map((mark) => Number(mark.getAttribute("data-stemmer-block"))));
      const [number] = numbers;
      return numbers.size === 1 && items[number] ? number : -1;
    };
    const watch = () => {
      page = frame.contentDocument;
      if (!page?.documentElement.hasAttribute("data-stemmer-view")) { page = null; return; }
      for (const name of ["click", "auxclick", "submit"]) {
        page.addEventListener(name, (event) => {
          event.preventDefault();
          if (name !== "click") return;
          tip.hidden = true;
          choose(blockAt(event), false, event.target.closest?.("stemmer-block")?.parentElement ?? event.target);
        });
      }
      page.addEventListener("keydown", pressed);
      page.addEventListener("mousemove", (event) => {
        const number = blockAt(event), box = frame.getBoundingClientRect();
        tip.hidden = number < 0 || number === chosen || page.documentElement.getAttribute("data-stemmer-view") === "original";
        flag("over", number < 0 ? [] : [number]);
        if (tip.hidden) return;
        tip.replaceChildren(...why(number));
        const x = box.left + event.clientX + 14, y = box.top + event.clientY + 18;
        tip.style.left = `${Math.max(4, Math.min(x, innerWidth - tip.offsetWidth - 8))}px`;
        tip.style.top = `${y + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 30 : y}px`;
      });
      page.addEventListener("mouseleave", () => { tip.hidden = true; flag("over", []); });
      show(document.querySelector("[data-view][aria-pressed=true]").dataset.view);
    };
    frame.addEventListener("load", watch);
    frame.srcdoc = drawn;
  };

  if (by("packed")) {
    unpacked(by("packed").textContent).then(sample, (error) => {
      by("about").replaceChildren(made("p", `This browser can't unpack the page (${error.message}): use a newer one.`, "note"));
    });
  }
})();
