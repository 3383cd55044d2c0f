import type { LinkProps } from "@tanstack/react-router";
import type { Scope } from "../lib/use-me.ts";
import { filterOfId } from "./filter.ts";

export type May = (...scopes: Scope[]) => boolean;

/** The view of a thing, by its id, or the audit's entries about it; undefined for whoever may read neither. */
export function linkOf(id: string, platformId: string, may: May): LinkProps | undefined {
  if (id.startsWith("kyc_")) return { to: "/records/$kycRecordId", params: { kycRecordId: id } };
  if (id.startsWith("usr_") && may("ops.users.read"))
    return { to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId: id } };
  if (id.startsWith("whe_") && may("ops.webhooks"))
    return { to: "/webhooks/$platformId/$endpointId", params: { platformId, endpointId: id }, search: {} };
  if (id === platformId) return { to: "/platforms/$platformId", params: { platformId } };
  return id !== "" && may("ops.audit") ? { to: "/audit", search: filterOfId(id) } : undefined;
}
