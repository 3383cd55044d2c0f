import { ValidationPipe } from "@nestjs/common";
import { type ClassConstructor, plainToInstance } from "class-transformer";
import { type ValidationError, validate } from "class-validator";
import { Problem, type Violation } from "../../common/problem.js";

/** For queries and bodies: what has no decorator is dropped, everything wrong is named at once. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    transform: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) =>
      new Problem("INVALID_INPUT", { errors: errors.flatMap((one) => flat(one)) }),
  });
}

/** For what the provider answers; undefined when it is not of this class. */
export async function parse<T extends object>(
  dto: ClassConstructor<T>,
  answer: unknown,
): Promise<T | undefined> {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return undefined;
  const instance = plainToInstance(dto, answer);
  const errors = await validate(instance, { whitelist: true });
  return errors.length === 0 ? instance : undefined;
}

function flat({ property, constraints = {}, children = [] }: ValidationError, above = ""): Violation[] {
  const path = `${above}/${property}`;
  const own = Object.entries(constraints).map(([rule, message]) => ({ path, rule, message }));
  return [...own, ...children.flatMap((child) => flat(child, path))];
}
