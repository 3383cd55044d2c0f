import type { Platform } from "./platform.ts";

type Known = Pick<Platform, "platformId">;

/** The platforms, except the platform of internal apps. */
export interface Platforms {
  /** Null if the platform does not exist. A cached result is returned without a promise. */
  find(platformId: string): Known | null | Promise<Known | null>;
}
