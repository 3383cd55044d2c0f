/** A failure that is returned to the caller. */
export class Problem extends Error {
  constructor(statusCode, code, details = {}) {
    super(code);
    Object.assign(this, { statusCode, code, details });
  }
}
