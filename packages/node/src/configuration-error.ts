/** An invalid configuration. `reasons` lists every missing or unsafe value. */
export class ConfigurationError extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`The configuration is invalid:\n${reasons.map((reason) => `  - ${reason}`).join("\n")}`);
    this.name = "ConfigurationError";
    this.reasons = reasons;
  }
}
