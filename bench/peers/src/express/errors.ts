import type { ErrorRequestHandler, RequestHandler } from "express";
import { ZodError } from "zod";
import { Problem, problemOf } from "../common/problem.js";

export const notFound: RequestHandler = () => {
  throw new Problem("ROUTE_NOT_FOUND");
};

/** Every failure leaves as application/problem+json. */
export const errorHandler: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = error instanceof ZodError ? invalid(error, request.method === "GET") : problemOf(error);
  if (problem.status === 500)
    request.log.error({ error: error?.name, code: error?.code }, "unforeseen error");
  const body = problem.toBody(String(request.id));
  response.status(problem.status).set(problem.headers).type("application/problem+json").json(body);
};

function invalid({ issues }: ZodError, inQuery: boolean): Problem {
  const errors = issues.map(({ path, code, message }) => ({
    path: inQuery ? path.join(".") : `/${path.join("/")}`,
    rule: code,
    message,
  }));
  return new Problem("INVALID_INPUT", { errors });
}
