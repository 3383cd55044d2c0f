import { defineRouteMiddleware, type StarlightRouteData } from "@astrojs/starlight/route-data";

type Entry = StarlightRouteData["sidebar"][number];

/**
 * Shows only the section of the current page in the sidebar, and keeps previous and next within it. The header has links
 * to the sections. A page outside of all sections shows the first one. A page without headings has no list of them.
 */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const route = locals.starlightRoute;
  const current = route.sidebar.find(hasCurrent);
  locals.sections = route.sidebar.map((section) => ({
    title: section.label,
    href: pagesOf(section)[0]?.href ?? "",
    isCurrent: section === current,
  }));
  locals.place = current ? labelsAbove(current) : [];
  const shown = current ?? route.sidebar[0];
  const pages = shown ? pagesOf(shown) : [];
  const position = pages.findIndex(({ isCurrent }) => isCurrent);
  route.pagination = { prev: pages[position - 1], next: position < 0 ? undefined : pages[position + 1] };
  route.sidebar = shown?.type === "group" ? shown.entries : [];
  if (route.toc?.items.length === 1 && route.toc.items[0]?.children.length === 0) route.toc = undefined;
});

const pagesOf = (entry: Entry): Extract<Entry, { type: "link" }>[] =>
  entry.type === "link" ? [entry] : entry.entries.flatMap(pagesOf);

const hasCurrent = (entry: Entry): boolean => pagesOf(entry).some(({ isCurrent }) => isCurrent);

/** The labels of the groups that contain the current page, from the outermost one. */
function labelsAbove(entry: Entry): string[] {
  if (entry.type === "link") return [];
  const inner = entry.entries.find(hasCurrent);
  return [entry.label, ...(inner ? labelsAbove(inner) : [])];
}
