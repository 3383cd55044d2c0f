/** The configuration cannot be used: `reasons` lists everything that is missing or unsafe. */
export class ConfigurationError extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`The configuration cannot be used:\n${reasons.map((reason) => `  - ${reason}`).join("\n")}`);
    this.name = "ConfigurationError";
    this.reasons = reasons;
  }
}
