import {
  internalPlatformId,
  isRecord,
  misspelledFields,
  parseInput,
  platformHeader,
  platformId,
  type Violation,
} from "@cardbridge/domain";
import { type Call, findPlatform, type Ports } from "@cardbridge/service";
import * as z from "zod";
import { platformOf } from "../admission/authenticate.ts";

/** The field of an input that names the platform of the call, instead of the header. */
const field = z.object({ platformId });

/** A type alias, because an interface has no implicit index signature. */
export type NamedPlatform = {
  /** The platform of the call, for keys of internal apps. Absent: the platform that the header names. */
  platformId?: string | undefined;
};

interface PlatformCall {
  call: Call;
  /** The input without the platform. */
  input: unknown;
  violations: Violation[];
}

/**
 * Reads the platform that an input names, so that each call of a batch can be for another platform.
 * @throws Failure PLATFORM_FORBIDDEN, PLATFORM_NOT_FOUND.
 */
export async function atNamedPlatform(
  ports: Pick<Ports, "database" | "cache">,
  call: Call,
  sent: unknown,
): Promise<PlatformCall> {
  if (!isRecord(sent) || !("platformId" in sent)) return { call, input: sent, violations: [] };
  const { platformId: named, ...input } = sent;
  const parsed = parseInput(field, [], { platformId: named });
  if (!parsed.ok) return { call, input, violations: parsed.violations };
  const violations = otherThanHeader(call, parsed.value.platformId);
  if (violations.length > 0) return { call, input, violations };
  const find = (id: string) => findPlatform(ports, id);
  const platformId = await platformOf(find, call, parsed.value.platformId);
  return { call: { ...call, platformId }, input, violations };
}

/** Violations for a field that is spelled almost like the platform's. A write ignores other unknown fields. */
export const misspelledPlatform = (input: unknown): Violation[] => misspelledFields(field, input);

function otherThanHeader({ kind, platformId }: Call, named: string): Violation[] {
  if (kind !== "internal" || platformId === internalPlatformId || platformId === named) return [];
  const message = `The header ${platformHeader} names another platform. Send one of the two.`;
  return [{ path: ["platformId"], rule: "one-platform", message }];
}
