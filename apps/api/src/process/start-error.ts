/** A failed start, with a message for the user. */
export class StartError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "StartError";
  }
}
