/** The scarce resources of a process, by their names in metrics. */
export const resources = [
  "reads",
  "writes",
  "provider",
  "database",
  "uploads",
  "decoders",
  "bodies",
  "subscriptions",
] as const;
export type Resource = (typeof resources)[number];
