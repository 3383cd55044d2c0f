import { type FieldSupport, type ProviderCapabilities, submissionFields } from "@cardbridge/domain";

const supportLabels: Record<FieldSupport["support"], string> = {
  carried: "supported",
  "carried with loss": "partly supported",
  "not carried": "not supported",
};

/** Renders the fields that a provider supports as a Markdown page, with one row per field of a submission. */
export function capabilitiesPage(name: string, capabilities: ProviderCapabilities): string {
  const rows = submissionFields.map((field) => {
    const support = capabilities.fields[field];
    const place = "place" in support ? `\`${escaped(support.place)}\`` : "";
    return `| \`${field}\` | ${supportLabels[support.support]} | ${place} | ${notesOf(support).map(escaped).join(" ")} |`;
  });
  return [
    `# Supported fields: ${name}\n`,
    `This page lists the fields of a submission that the provider \`${name}\` receives, and their limits. \`pnpm docs:providers\` generates it`,
    "from the declaration of the adapter, which submissions, validations and requirements use ([G34](../../platforms/decisions.md)).",
    "`memberId` is never sent to the provider.\n",
    ...filesOf(capabilities),
    capabilities.renews
      ? "An approved user whose document expires is verified again, and keeps the account and the cards.\n"
      : "An approval cannot be renewed: a submission of an approved user whose document expires is rejected with `KYC_ALREADY_SUBMITTED`.\n",
    "| Field | Support | Field of the provider | Limits and losses |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    ...listOf(
      "Rules between fields:",
      capabilities.rules?.map(({ description }) => description),
    ),
    ...listOf("Assumptions that nobody has confirmed with the provider:", capabilities.assumptions),
  ].join("\n");
}

function filesOf({ fileDelivery, files }: ProviderCapabilities): string[] {
  const delivery = {
    url: "The provider fetches files by URL: the adapter sends signed URLs of uploads, and external URLs unchanged.",
    bytes: "The adapter reads the bytes of the files and uploads them to the provider.",
  };
  const limits = files
    ? `The provider accepts ${files.types.join(", ")}, up to ${files.maxBytes} bytes.`
    : "The provider accepts every file that the service stores.";
  return [`${delivery[fileDelivery]}\n${limits}\n`];
}

function listOf(title: string, items: readonly string[] = []): string[] {
  return items.length === 0 ? [] : [`${title}\n`, ...items.map((item) => `- ${item}`), ""];
}

function notesOf(support: FieldSupport): string[] {
  const loss = "loss" in support ? [support.loss] : [];
  if (support.support === "not carried") {
    return support.refused ? [...loss, "A submission with this field is rejected."] : loss;
  }
  const { values, countries, maxLength } = support;
  return [
    ...loss,
    ...(values ? [`Accepts only: ${values.join(", ")}.`] : []),
    ...(countries ? [`Accepts only the countries ${countries.join(", ")}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ];
}

const escaped = (text: string) => text.replaceAll("|", "\\|");
