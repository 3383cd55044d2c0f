import { type ArgumentsHost, Catch, type ExceptionFilter } from "@nestjs/common";
import type { Request, Response } from "express";
import { InjectPinoLogger, PinoLogger } from "nestjs-pino";
import { problemOf } from "../../common/problem.js";

/** Every failure leaves as application/problem+json. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@InjectPinoLogger(ProblemFilter.name) private readonly logger: PinoLogger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const problem = problemOf(error);
    if (problem.status === 500) {
      this.logger.error({ error: error instanceof Error ? error.name : typeof error }, "unforeseen error");
    }
    const body = problem.toBody(String(http.getRequest<Request>().id));
    response.status(problem.status).set(problem.headers).type("application/problem+json").json(body);
  }
}
