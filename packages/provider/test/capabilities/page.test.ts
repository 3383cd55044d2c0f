import { unlimitedCapabilities } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { capabilitiesPage } from "../../src/capabilities/page.ts";
import { airwallexCapabilities, cardbridgeCapabilities } from "../../src/index.ts";

it.each([
  ["airwallex", airwallexCapabilities],
  ["cardbridge", cardbridgeCapabilities],
])("matches docs/providers/%s.md; pnpm docs:providers updates the page", async (name, capabilities) => {
  const page = capabilitiesPage(name, capabilities);
  await expect(page).toMatchFileSnapshot(`../../../../docs/providers/${name}.md`);
});

it("lists the limits and losses of each field", () => {
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
  });
  expect(page).toContain("The adapter reads their bytes");
  expect(page).toContain("image/jpeg, application/pdf, up to 5000000 bytes");
  expect(page).toContain(
    "| `name` | carried with loss | `first \\| last` | It gets two parts. At most 40 characters. |",
  );
  expect(page).toContain("| `documentType` | carried | `kind` | Takes only: passport. |");
  expect(page).toContain("| `documentCountry` | carried | `country` | Takes only the countries HK, SG. |");
  expect(page).toContain("| `position` | not carried |  | It gets no position. |");
  expect(page).toContain("It has no back image. A submission with the field is refused. |");
});
