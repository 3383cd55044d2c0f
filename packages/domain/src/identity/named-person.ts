import * as z from "zod";
import { personId } from "./person-id.ts";

export const personName = z
  .string()
  .nullable()
  .meta({ description: "The name in the person's last token; null if it has none." });

/** A person whom records, notes and keys name. */
export const namedPerson = z.object({ personId, name: personName }).meta({ id: "NamedPerson" });
export type NamedPerson = z.output<typeof namedPerson>;
