import { decideDelivery, maxWebhookAttempts, webhookEvents, webhookPayloads } from "@cardbridge/domain";
import { durationOf } from "./duration.ts";
import { code, tableOf } from "./rows.ts";

interface FieldSchema {
  type?: string | string[];
  anyOf?: FieldSchema[];
  description?: string;
}

/** A row of each type of event. */
export const webhookEventTypes = () =>
  tableOf(
    ["`type`", "Meaning"],
    webhookPayloads.map(({ type, summary }) => [code(type), `${summary}.`]),
  );

/** A row of each field of the events' data. */
export function webhookEventFields(): string {
  const rows = webhookPayloads.flatMap(({ type }) =>
    Object.entries(fieldsOf(type)).map(([name, field]) => [
      code(type),
      code(name),
      typesOf(field).join(" or "),
      field.description ?? "",
    ]),
  );
  return tableOf(["`type`", "Field of `data`", "Type", "Meaning"], rows);
}

function fieldsOf(type: keyof typeof webhookEvents): Record<string, FieldSchema> {
  const { data } = webhookEvents[type];
  const { $defs = {} } = data.toJSONSchema();
  return ($defs[data.meta()?.id ?? ""]?.properties ?? {}) as Record<string, FieldSchema>;
}

const typesOf = ({ type = [], anyOf = [] }: FieldSchema): string[] => [
  ...[type].flat(),
  ...anyOf.flatMap(typesOf),
];

/** A row of each attempt of a delivery, without the random part of its delay. */
export function webhookAttempts(): string {
  const rows: string[][] = [["1", "", ""]];
  let sinceFirst = 0;
  for (let attempt = 1; attempt < maxWebhookAttempts; attempt += 1) {
    const decision = decideDelivery(attempt, { kind: "undelivered", reason: "deadline" }, 0.5);
    const delay = decision.kind === "retry" ? decision.delayMs : 0;
    sinceFirst += delay;
    rows.push([String(attempt + 1), durationOf(delay), durationOf(sinceFirst)]);
  }
  return tableOf(["Attempt", "Delay after the previous attempt", "Time since the first attempt"], rows);
}
