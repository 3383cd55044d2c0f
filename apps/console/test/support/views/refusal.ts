/** An error in the shape of the service. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly rule: string | undefined;

  constructor(status: number, code: string, message: string, rule?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.rule = rule;
  }

  shape(path: string) {
    const { status: httpStatus, code, message, rule } = this;
    const errors = rule === undefined ? [] : [{ field: "", rule, message }];
    const problem = { code, message, requestId: "req_01m8f4k2v7q0c3x9z5b1n8d6ta0", errors };
    return { message, code: -32_000, data: { code: "BAD_REQUEST", httpStatus, path, problem } };
  }
}
