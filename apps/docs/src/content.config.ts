import { defineCollection } from "astro:content";
import { docsSchema, i18nSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: ".content",
      pattern: "**/*.md",
      generateId: ({ entry }) => entry.replace(/\.md$/, ""),
    }),
    schema: docsSchema(),
  }),
  // Starlight's own words, unchanged. It warns if the collection is empty.
  i18n: defineCollection({ loader: () => [{ id: "en" }], schema: i18nSchema() }),
};
