import { unlimitedCapabilities } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { capabilitiesPage } from "../../src/capabilities/page.ts";
import { airwallexCapabilities, cardbridgeCapabilities } from "../../src/index.ts";

it.each([
  ["airwallex", airwallexCapabilities],
  ["cardbridge", cardbridgeCapabilities],
])(
  "matches docs/operate/providers/%s.md; pnpm docs:providers updates the page",
  async (name, capabilities) => {
    const page = capabilitiesPage(name, capabilities);
    await expect(page).toMatchFileSnapshot(`../../../../docs/operate/providers/${name}.md`);
  },
);

it("states the support, the limits and the losses of each field", () => {
  const page = capabilitiesPage("acme", {
    fileDelivery: "bytes",
    files: { types: ["image/jpeg", "application/pdf"], maxBytes: 5_000_000 },
    fields: {
      ...unlimitedCapabilities.fields,
      name: {
        support: "carried with loss",
        place: "first | last",
        loss: "It gets two parts.",
        maxLength: 40,
      },
      documentType: { support: "carried", place: "kind", values: ["passport"] },
      documentCountry: { support: "carried", place: "country", countries: ["HK", "SG"] },
      position: { support: "not carried", loss: "It gets no position." },
      backImageUrl: { support: "not carried", loss: "It has no back image.", refused: true },
    },
    rules: [{ id: "one", section: "G34", description: "One rule.", schema: {}, check: () => [] }],
    assumptions: ["It reads everything."],
  });
  expect(page).toContain("Rules between fields:\n\n- One rule.\n");
  expect(page).toContain(
    "Assumptions that nobody has confirmed with the provider:\n\n- It reads everything.\n",
  );
  expect(page).toContain("The adapter reads the bytes of the files");
  expect(page).toContain("image/jpeg, application/pdf, up to 5000000 bytes");
  expect(page).toContain(
    "| `name` | partly supported | `first \\| last` | It gets two parts. At most 40 characters. |",
  );
  expect(page).toContain("| `documentType` | supported | `kind` | Accepts only: passport. |");
  expect(page).toContain(
    "| `documentCountry` | supported | `country` | Accepts only the countries HK, SG. |",
  );
  expect(page).toContain("| `position` | not supported |  | It gets no position. |");
  expect(page).toContain("It has no back image. A submission with this field is rejected. |");
});
