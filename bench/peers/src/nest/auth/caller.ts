import { createParamDecorator, type ExecutionContext } from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import type { Request } from "express";
import type { Caller } from "../../common/submit.js";

export type CallersRequest = Request & { caller?: Caller };

/** The scope that a route asks for. */
export const RequireScope = Reflector.createDecorator<string>();

/** Whose key it is, as the guard found. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<CallersRequest>().caller,
);

/** The id of the request. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext) =>
  String(context.switchToHttp().getRequest<Request>().id),
);
