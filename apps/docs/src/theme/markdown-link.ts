import { defineRouteMiddleware } from "@astrojs/starlight/route-data";

/** Links each page to its Markdown. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { id, head } = locals.starlightRoute;
  if (id === "404") return;
  const href = `/docs/${id || "index"}.md`;
  head.push({ tag: "link", attrs: { rel: "alternate", type: "text/markdown", href }, content: "" });
});
