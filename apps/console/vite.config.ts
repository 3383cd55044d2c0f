import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    target: "es2024",
    modulePreload: { polyfill: false },
    // The list of a release's components reads the maps; no page names them.
    sourcemap: "hidden",
  },
});
