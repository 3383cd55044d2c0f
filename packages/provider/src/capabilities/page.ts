import { type FieldSupport, type ProviderCapabilities, submissionFields } from "@cardbridge/domain";

/** Renders the capabilities of a provider as a Markdown page with one row per field of a submission. */
export function capabilitiesPage(name: string, capabilities: ProviderCapabilities): string {
  const rows = submissionFields.map((field) => {
    const support = capabilities.fields[field];
    const place = "place" in support ? `\`${escaped(support.place)}\`` : "";
    return `| \`${field}\` | ${support.support} | ${place} | ${notesOf(support).map(escaped).join(" ")} |`;
  });
  return [
    `# What the provider ${name} carries\n`,
    "The adapter declares this as data, and `pnpm docs:providers` generates the page. Submissions, validations and",
    "requirements follow the same declaration ([G34](../decisions.md)). `memberId` never leaves the service.\n",
    ...filesOf(capabilities),
    "| Field | Support | At the provider | What it takes, and what it does not get |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    ...rulesOf(capabilities),
  ].join("\n");
}

function filesOf({ fileDelivery, files }: ProviderCapabilities): string[] {
  const delivery = {
    url: "The provider fetches files by URL: the adapter sends signed URLs of uploads, and external URLs unchanged.",
    bytes: "The adapter reads their bytes and uploads the files to the provider.",
  };
  const limits = files
    ? `The provider takes ${files.types.join(", ")}, up to ${files.maxBytes} bytes.`
    : "It takes every file that the service stores.";
  return [`${delivery[fileDelivery]}\n${limits}\n`];
}

function rulesOf({ rules = [] }: ProviderCapabilities): string[] {
  return rules.length === 0
    ? []
    : ["Rules between fields:\n", ...rules.map(({ description }) => `- ${description}`), ""];
}

function notesOf(support: FieldSupport): string[] {
  const loss = "loss" in support ? [support.loss] : [];
  if (support.support === "not carried") {
    return support.refused ? [...loss, "A submission with the field is refused."] : loss;
  }
  const { values, countries, maxLength } = support;
  return [
    ...loss,
    ...(values ? [`Takes only: ${values.join(", ")}.`] : []),
    ...(countries ? [`Takes only the countries ${countries.join(", ")}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ];
}

const escaped = (text: string) => text.replaceAll("|", "\\|");
