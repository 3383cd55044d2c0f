/** An error in the shape of the service. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  shape(path: string) {
    const { status: httpStatus, code, message } = this;
    const problem = { code, message, requestId: "req_01m8f4k2v7q0c3x9z5b1n8d6ta0", errors: [] };
    return { message, code: -32_000, data: { code: "BAD_REQUEST", httpStatus, path, problem } };
  }
}
