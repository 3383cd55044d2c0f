import { expect, it } from "vitest";
import { capabilitiesPage } from "../src/fields-page.ts";
import { airwallexCapabilities, cardbridgeCapabilities } from "../src/index.ts";

it.each([
  ["airwallex", airwallexCapabilities],
  ["cardbridge", cardbridgeCapabilities],
])(
  "matches docs/operate/providers/%s.md; pnpm docs:providers updates the page",
  async (name, capabilities) => {
    const page = capabilitiesPage(name, capabilities);
    await expect(page).toMatchFileSnapshot(`../../../docs/operate/providers/${name}.md`);
  },
);
