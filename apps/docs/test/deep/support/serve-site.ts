import { fileURLToPath } from "node:url";
import { createDocsApp } from "@cardbridge/api/docs/app";
import { openSite } from "@cardbridge/api/docs/site";
import { serve } from "@cardbridge/api/serve";
import { Hono } from "hono";
import { developmentUrl } from "../../../src/document/document.ts";
import { site } from "../../support/site.ts";

/** Serves the built site with the service's own code: its addresses, its types and its Content-Security-Policy. */
export async function serveSite(): Promise<{ url: string; close(): Promise<void> }> {
  const docs = createDocsApp(openSite(fileURLToPath(site), { publicUrl: developmentUrl, demo: true }));
  const { url, close } = await serve(new Hono().route("/docs", docs).fetch, { host: "127.0.0.1", port: 0 });
  return { url, close: () => close(0) };
}
