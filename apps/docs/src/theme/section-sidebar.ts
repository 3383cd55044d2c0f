import { defineRouteMiddleware } from "@astrojs/starlight/route-data";

/** Shows the section of the current page alone in the sidebar. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const route = locals.starlightRoute;
  const folder = route.id.split("/")[0];
  const own = route.sidebar.filter(
    (entry) => entry.type === "group" && firstPage(entry).startsWith(`/docs/${folder}/`),
  );
  if (own.length > 0)
    route.sidebar = own.flatMap((entry) => (entry.type === "group" ? entry.entries : entry));
});

type Entry = { type: "link"; href: string } | { type: "group"; entries: Entry[] };

function firstPage(entry: Entry): string {
  if (entry.type === "link") return entry.href;
  return entry.entries[0] ? firstPage(entry.entries[0]) : "";
}
