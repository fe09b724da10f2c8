"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const made = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // Corrections: kept by the browser for all pages of the report, where it can keep something for files.

  const store = `scrapy-stemmer ${by("basket").dataset.key}`;
  let corrections = [];
  const load = () => {
    try { corrections = JSON.parse(localStorage.getItem(store)) || corrections; } catch { /* this page alone then */ }
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
      item.append(made("span", each.action, `tag ${each.action}`), made("code", each.selector), made("span", each.site, "dim"), remove);
      return item;
    }));
  };
  by("download").addEventListener("click", () => {
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(corrections, null, 1) + "\n"], { type: "application/json" }));
    link.download = "corrections.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  by("clear").addEventListener("click", () => { corrections = []; save(); });
  addEventListener("storage", () => { load(); showBasket(); });
  load();
  showBasket();

  // The index: sorted by the column whose head is pressed.

  document.querySelectorAll(".sites thead button").forEach((button) => button.addEventListener("click", () => {
    const head = button.parentElement, column = head.cellIndex, body = document.querySelector(".sites tbody");
    const falls = head.getAttribute("aria-sort") === "ascending";
    const value = (row) => column ? Number(row.cells[column].dataset.sort) : row.cells[0].textContent;
    const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (falls ? -1 : 1);
    document.querySelectorAll(".sites thead th").forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", falls ? "descending" : "ascending");
    body.append(...[...body.rows].sort(order));
  }));

  // A sample page.

  const frame = by("frame");
  if (!frame) return;
  const data = JSON.parse(by("data").textContent);
  const list = by("blocks"), items = [...list.children];
  let page = null, chosen = -1, action = "drop", step = 0;

  const marks = (number) => page ? [...page.querySelectorAll(`stemmer-block[data-stemmer-block="${number}"]`)] : [];
  const flag = (name, numbers) => {
    if (!page) return;
    page.querySelectorAll(`[data-stemmer-${name}]`).forEach((each) => each.removeAttribute(`data-stemmer-${name}`));
    numbers.forEach((number) => marks(number).forEach((each) => each.setAttribute(`data-stemmer-${name}`, "")));
  };
  const pathOf = (number) => data.paths[data.blocks[number].path];
  const canCorrect = () => chosen >= 0 && pathOf(chosen).around.length > 0;
  const why = (number) => [
    made("p", items[number].firstChild.textContent, `what ${items[number].className}`),
    made("p", data.blocks[number].why),
    made("code", pathOf(number).path, "path"),
  ];

  const show = (view) => {
    document.querySelectorAll("[data-view]").forEach((each) => each.setAttribute("aria-pressed", each.dataset.view === view));
    if (page) page.documentElement.setAttribute("data-stemmer-view", view);
  };

  const ofElement = (name) => ["title", "authors", "published"].includes(name); // about it alone, not all in it
  const offers = () => (ofElement(action) ? pathOf(chosen).own : pathOf(chosen).around).map((each) => data.offers[each]);
  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const rule = () => ({ site: data.site, action, selector: offers()[step][0], url: data.url });
  const showRule = () => {
    const [selector, here, blocks, pages] = offers()[step];
    document.querySelectorAll("[data-action]").forEach((each) => each.setAttribute("aria-pressed", each.dataset.action === action));
    by("selector").textContent = selector;
    by("narrower").disabled = step === 0;
    by("wider").disabled = step === offers().length - 1;
    by("takes").textContent =
      `takes ${counted(here.length, "block")} of this page, ${counted(blocks, "block")} on ${counted(pages, "sample page")}`;
    by("line").textContent = `${JSON.stringify({ [action]: selector })},`;
    flag("taken", here);
  };
  const act = (name) => {
    action = name;
    step = ofElement(name) ? 0 : pathOf(chosen).start;
    showRule();
  };

  const choose = (number, scrolls) => {
    if (number < 0 || number >= items.length) return;
    if (items[chosen]) items[chosen].setAttribute("aria-selected", "false");
    chosen = number;
    items[number].setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", items[number].id);
    by("about").replaceChildren(...why(number));
    flag("on", [number]);
    const [first] = marks(number);
    if (scrolls && first) first.scrollIntoView({ block: "center" });
    by("correct").hidden = !canCorrect();
    if (canCorrect()) act(items[number].matches(".title, .text") ? "drop" : "keep");
    items[number].scrollIntoView({ block: "nearest" });
  };

  const subject = (each) => ofElement(each.action) ? each.action : "text";
  const add = () => {
    const made = rule();
    corrections = corrections.filter((each) => each.site !== made.site || each.selector !== made.selector ||
      subject(each) !== subject(made));
    corrections.push(made);
    save();
    items[chosen].scrollIntoView({ block: "nearest" });
  };

  list.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item) choose(items.indexOf(item), true);
  });
  list.addEventListener("focus", () => { if (chosen < 0) choose(0, true); });
  list.addEventListener("mouseover", (event) => {
    const item = event.target.closest("li");
    flag("over", item ? [items.indexOf(item)] : []);
  });
  document.querySelectorAll("[data-view]").forEach((each) => each.addEventListener("click", () => show(each.dataset.view)));
  document.querySelectorAll("[data-action]").forEach((each) => each.addEventListener("click", () => act(each.dataset.action)));
  const move = (by) => { if (offers()[step + by]) { step += by; showRule(); } };
  by("narrower").addEventListener("click", () => move(-1));
  by("wider").addEventListener("click", () => move(1));
  by("add").addEventListener("click", add);
  by("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(by("line").textContent);
      by("copy").textContent = "Copied";
      setTimeout(() => { by("copy").textContent = "Copy"; }, 1500);
    } catch { getSelection().selectAllChildren(by("line")); }
  });

  const keys = {
    ArrowDown: () => choose(chosen + 1, true), ArrowUp: () => choose(chosen - 1, true),
    Home: () => choose(0, true), End: () => choose(items.length - 1, true),
  };
  const ruleKeys = {
    Enter: add, k: () => act("keep"), d: () => act("drop"), t: () => act("title"),
    a: () => act("authors"), p: () => act("published"),
    ArrowLeft: () => move(-1), ArrowRight: () => move(1),
  };
  list.addEventListener("keydown", (event) => {
    const does = keys[event.key] || (canCorrect() && ruleKeys[event.key]);
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    does();
  });
  addEventListener("keydown", (event) => {
    const view = { 1: "original", 2: "both", 3: "stripped" }[event.key];
    if (view && !event.ctrlKey && !event.metaKey && !event.altKey) show(view);
  });

  // The frame runs no scripts; what happens in it is seen from here.

  const tip = by("tip");
  const blockAt = (event) => {
    const mark = event.target.closest ? event.target.closest("stemmer-block[data-stemmer-block]") : null;
    const number = mark ? Number(mark.getAttribute("data-stemmer-block")) : -1;
    return items[number] ? number : -1;
  };
  const watch = () => {
    page = frame.contentDocument;
    if (!page || !page.documentElement.hasAttribute("data-stemmer-view")) { page = null; return; }
    ["click", "auxclick", "submit"].forEach((name) => page.addEventListener(name, (event) => {
      event.preventDefault();
      if (name === "click") choose(blockAt(event), false);
    }));
    page.addEventListener("mousemove", (event) => {
      const number = blockAt(event), box = frame.getBoundingClientRect();
      tip.hidden = number < 0 || page.documentElement.getAttribute("data-stemmer-view") === "original";
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
  if (frame.contentDocument && frame.contentDocument.readyState === "complete") watch();
})();
