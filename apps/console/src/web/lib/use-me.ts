import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import type { Me } from "../api/shapes.ts";

export type Scope = Me["scopes"][number];

/** The signed-in person, and what the person may do; undefined until it is known. */
export function useMe() {
  const me = useQuery(api.persons.me.queryOptions({})).data;
  const may = (...scopes: Scope[]): boolean => scopes.some((scope) => me?.scopes.includes(scope));
  const platformName = (platformId: string): string =>
    me?.platforms.find((platform) => platform.platformId === platformId)?.name ?? platformId;
  return { me, may, platformName };
}
