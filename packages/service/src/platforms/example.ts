import type { Platform } from "@cardbridge/domain";

export const examplePlatform: Platform = {
  platformId: "plt_01jexample0000000000000000",
  name: "Example Ltd",
  createdAt: "2026-01-31T12:00:00.000Z",
};
