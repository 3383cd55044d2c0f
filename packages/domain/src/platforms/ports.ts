import type { Platform } from "./platform.ts";

/** The platforms themselves; that of the internal apps is not among them. */
export interface Platforms {
  exists(platformId: string): Promise<boolean>;
  /** Oldest first. The limit is 1 to 1000. */
  list(limit: number): Promise<Platform[]>;
  create(platform: Pick<Platform, "platformId" | "name">): Promise<Platform>;
  /** Null where there is none. */
  rename(platform: Pick<Platform, "platformId" | "name">): Promise<Platform | null>;
}
