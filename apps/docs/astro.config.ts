import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { sidebar } from "./src/theme/sidebar.ts";

export default defineConfig({
  base: "/docs",
  // A page is one file, so that the service serves it without a redirect.
  build: { format: "file", inlineStylesheets: "never" },
  trailingSlash: "never",
  // Scripts are files, which browsers cache and the Content-Security-Policy need not list.
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    // In the place of Starlight's sitemap, which needs the address of the service.
    { name: "@astrojs/sitemap", hooks: {} },
    starlight({
      title: "cardbridge",
      // Its search needs WebAssembly, which a strict Content-Security-Policy does not run.
      pagefind: false,
      // 404.md is the page of unknown addresses.
      disable404Route: true,
      sidebar,
      routeMiddleware: ["./src/theme/section-sidebar.ts", "./src/theme/markdown-link.ts"],
      components: {
        Header: "./src/theme/Header.astro",
        PageTitle: "./src/theme/PageTitle.astro",
        Search: "./src/theme/Search.astro",
        Sidebar: "./src/theme/Sidebar.astro",
      },
      customCss: ["colours", "shell", "content", "code", "operation", "search"].map(
        (name) => `./src/theme/${name}.css`,
      ),
      expressiveCode: {
        themes: ["github-dark-default", "github-light-default"],
        defaultProps: { frame: "code", wrap: false },
        shiki: { langAlias: { haproxy: "txt" } },
        styleOverrides: {
          borderRadius: "6px",
          borderColor: "var(--sl-color-gray-5)",
          codeBackground: "var(--code-background)",
          codeForeground: "var(--sl-color-gray-1)",
          codeFontSize: "0.8125rem",
          codeLineHeight: "1.6",
          codePaddingBlock: "0.75rem",
          codePaddingInline: "1rem",
          frames: { shadowColor: "transparent", frameBoxShadowCssValue: "none" },
        },
      },
    }),
  ],
});
