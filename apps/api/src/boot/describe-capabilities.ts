import {
  type FieldSupport,
  type ProviderCapabilities,
  type ServiceStatus,
  submissionFields,
} from "@cardbridge/domain";

/** How the provider gets files, and the fields that it does not support in full. */
export function describeCapabilities({
  fileDelivery,
  files,
  fields,
}: ProviderCapabilities): ServiceStatus["provider"]["capabilities"] {
  const delivery = fileDelivery === "url" ? "The provider fetches files by URL." : "The service sends files.";
  const limits = files ? ` Up to ${files.maxBytes} bytes: ${files.types.join(", ")}.` : "";
  const described = submissionFields.map((field) => ({ field, limits: describe(fields[field]) }));
  return { files: `${delivery}${limits}`, fields: described.filter((one) => one.limits !== "") };
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
