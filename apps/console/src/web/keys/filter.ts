import { idLike, oneOf, withoutAbsent } from "../lib/search-params.ts";

export const keyStates = ["live", "expired", "revoked"] as const;

/** The filters of the keys as search parameters. */
export interface KeysSearch {
  platform?: string;
  state?: (typeof keyStates)[number] | "any";
  expiring?: true;
  unused?: true;
}

/** Reads the search parameters of an address. What is not valid is left out. */
export const validateKeysSearch = (raw: Record<string, unknown>): KeysSearch =>
  withoutAbsent({
    platform: idLike(raw.platform),
    state: oneOf(raw.state, [...keyStates, "any"]),
    expiring: raw.expiring === true ? (true as const) : undefined,
    unused: raw.unused === true ? (true as const) : undefined,
  });

/** The input of keys.list: live keys, unless the filter names others. */
export const toKeysInput = ({ platform, state = "live", expiring, unused }: KeysSearch) =>
  withoutAbsent({
    platformId: platform,
    state: state === "any" ? undefined : state,
    expiresWithinDays: expiring && 30,
    unusedDays: unused && 90,
  });
