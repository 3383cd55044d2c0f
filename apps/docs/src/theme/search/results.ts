import type { Hit } from "./index.ts";

/**
 * Makes the elements of the results: a group of each page, with an option of each section.
 *
 * @param sections the titles of the site's sections by the first part of their addresses
 */
export function renderResults(pages: readonly Hit[][], sections: Record<string, string>): HTMLElement[] {
  return pages.map((hits, page) => {
    const [first] = hits;
    const section = sections[first?.id.split("/")[2] ?? ""];
    const title = element("p", "search-page", first?.title);
    title.id = `search-page-${page}`;
    if (section) title.append(element("span", "search-section", section));
    const group = element("div", "search-group");
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", title.id);
    group.append(title, ...hits.map((hit, index) => option(hit, `search-hit-${page}-${index}`)));
    return group;
  });
}

function option(hit: Hit, id: string): HTMLElement {
  const link = element("a", "search-hit");
  link.id = id;
  link.href = hit.id;
  link.tabIndex = -1;
  link.setAttribute("role", "option");
  link.setAttribute("aria-selected", "false");
  link.append(
    element("span", "search-heading", hit.heading || hit.title),
    element("span", "search-excerpt", hit.excerpt),
  );
  return link;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
