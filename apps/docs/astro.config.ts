import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { sidebar } from "./src/theme/sidebar.ts";

export default defineConfig({
  base: "/docs",
  // A page is one file, so that the service serves it without a redirect.
  build: { format: "file", inlineStylesheets: "never" },
  trailingSlash: "never",
  integrations: [
    starlight({
      title: "cardbridge",
      // Its search needs WebAssembly, which a strict Content-Security-Policy does not run.
      pagefind: false,
      sidebar,
      routeMiddleware: ["./src/theme/section-sidebar.ts", "./src/theme/markdown-link.ts"],
      customCss: ["./src/theme/styles.css"],
    }),
  ],
});
