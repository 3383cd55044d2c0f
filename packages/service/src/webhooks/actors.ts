import { forPlatforms } from "../operation/actors.ts";

/** Operations on a platform's webhooks: also for operators, whose calls name the platform. */
export const forWebhooks = {
  ...forPlatforms,
  documented: false,
  actors: ["platform", "internal", "operator"],
} as const;
