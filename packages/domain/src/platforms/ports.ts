import type { ListedPlatform, Platform } from "./platform.ts";

/** The platforms, without the one of internal apps. */
export interface Platforms {
  exists(platformId: string): Promise<boolean>;
  /** Oldest first. The limit is 1 to 1000. */
  list(limit: number): Promise<ListedPlatform[]>;
  create(platform: Pick<Platform, "platformId" | "name">): Promise<Platform>;
  /** Null if the platform does not exist. */
  rename(platform: Pick<Platform, "platformId" | "name">): Promise<Platform | null>;
}
