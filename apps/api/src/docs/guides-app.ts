import { Hono } from "hono";
import { constantContent, revalidated } from "../middleware/constant-content.ts";
import { guidePage } from "./guide-page.ts";
import { guideStyles } from "./guide-styles.ts";
import type { Guide } from "./guides.ts";

/** Creates the pages of the guides, one per path below /docs/platforms. */
export function createGuidesApp(guides: readonly Guide[], publicUrl: string): Hono {
  const app = new Hono();
  const styles = constantContent("text/css; charset=utf-8", async () => guideStyles);
  app.get("/", (c) => c.redirect(`/docs/platforms/${guides[0]?.slug}`));
  app.get("/styles.css", styles.serve(revalidated));
  for (const guide of guides) {
    const page = constantContent("text/html; charset=utf-8", async () =>
      guidePage(guide, { guides, publicUrl, markdown: await guide.load() }),
    );
    app.get(`/${guide.slug}`, page.serve(revalidated));
  }
  return app;
}
