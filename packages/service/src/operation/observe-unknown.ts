import type { Ports } from "./ports.ts";

/**
 * Reports an event of the provider about a record or a user that the database does not know: after a restore the
 * database may have forgotten it (gap G40). Otherwise the provider may confuse users.
 *
 * @param id the reference of the event; undefined if only the provider knows it
 */
export async function observeUnknown(
  { restores, observer }: Pick<Ports, "restores" | "observer">,
  id: string | undefined,
): Promise<void> {
  if (await restores.explains(id)) observer.observe("restored_record_unknown", { operation: "event" });
  else observer.observe("provider_answer_mismatched", { operation: "event", reason: "mismatched" });
}
