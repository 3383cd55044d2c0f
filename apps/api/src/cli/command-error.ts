/** A command cannot be executed; the message is a sentence for the operator. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandError";
  }
}
