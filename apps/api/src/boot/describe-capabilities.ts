import { type FieldSupport, type ProviderCapabilities, submissionFields } from "@cardbridge/domain";

/** What the provider does not support in full, in words, by the names of fields; and how it gets files. */
export function describeCapabilities({
  fileDelivery,
  files,
  fields,
}: ProviderCapabilities): Record<string, string> {
  const delivery = fileDelivery === "url" ? "The provider fetches files by URL." : "The service sends files.";
  const limits = files ? ` Up to ${files.maxBytes} bytes: ${files.types.join(", ")}.` : "";
  const described = submissionFields.flatMap((field) => {
    const text = describe(fields[field]);
    return text === "" ? [] : [[field, text] as const];
  });
  return { files: `${delivery}${limits}`, ...Object.fromEntries(described) };
}

/** The loss and the limits of a field; empty for a field that the provider supports in full. */
function describe(support: FieldSupport): string {
  const loss = "loss" in support ? [support.loss] : [];
  if (support.support === "not carried") {
    return [...loss, ...(support.refused ? ["Submissions with the field are refused."] : [])].join(" ");
  }
  const { values, countries, maxLength } = support;
  return [
    ...loss,
    ...(values ? [`Values: ${values.join(", ")}.`] : []),
    ...(countries ? [`Countries: ${countries.join(", ")}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ].join(" ");
}
