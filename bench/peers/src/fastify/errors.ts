import type { FastifyError, FastifyInstance, FastifySchemaValidationError } from "fastify";
import { Problem, problemOf, type Violation } from "../common/problem.js";

/** Every failure leaves as application/problem+json. */
export function handleErrors(app: FastifyInstance): void {
  app.setNotFoundHandler(() => {
    throw new Problem("ROUTE_NOT_FOUND");
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const inQuery = error.validationContext === "querystring";
    const problem = error.validation
      ? new Problem("INVALID_INPUT", { errors: error.validation.map((one) => violation(one, inQuery)) })
      : problemOf(error);
    if (problem.status === 500)
      request.log.error({ error: error.name, code: error.code }, "unforeseen error");
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .type("application/problem+json")
      .send(problem.toBody(request.id));
  });
}

function violation(error: FastifySchemaValidationError, inQuery: boolean): Violation {
  const { instancePath, keyword, message = "", params } = error;
  const missing = keyword === "required" ? `/${params.missingProperty}` : "";
  const path = instancePath + missing;
  return { path: inQuery ? path.slice(1) : path, rule: keyword, message };
}
