import type { ListedPlatform, Platform } from "./platform.ts";

type Known = Pick<Platform, "platformId">;

/** The platforms, except the platform of internal apps. */
export interface Platforms {
  /** Null if the platform does not exist. A cached result is returned without a promise. */
  find(platformId: string): Known | null | Promise<Known | null>;
  /** Oldest first. The limit is 1 to 1000. */
  list(limit: number): Promise<ListedPlatform[]>;
  create(platform: Pick<Platform, "platformId" | "name">): Promise<Platform>;
  /** Null if the platform does not exist. */
  rename(platform: Pick<Platform, "platformId" | "name">): Promise<Platform | null>;
}
