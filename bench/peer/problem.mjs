/** A failure that the caller is told of. */
export class Problem extends Error {
  constructor(statusCode, code, details = {}) {
    super(code);
    Object.assign(this, { statusCode, code, details });
  }
}
