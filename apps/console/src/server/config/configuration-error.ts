/** The environment does not configure the console. */
export class ConfigurationError extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`The configuration is not valid:\n${reasons.map((reason) => `- ${reason}`).join("\n")}`);
    this.reasons = reasons;
  }
}
