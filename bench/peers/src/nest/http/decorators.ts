import { applyDecorators } from "@nestjs/common";
import { Transform } from "class-transformer";
import {
  IsISO8601,
  IsNotEmpty,
  IsString,
  IsUrl,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
} from "class-validator";
import { countryCode, isInFuture, withoutControls } from "../../common/vocabulary.js";

const onText = (change: (text: string) => string) =>
  Transform(({ value }) => (typeof value === "string" ? change(value) : value));

/** Checks a field when it was sent; unlike IsOptional, null counts as sent. */
export const IfGiven = () => ValidateIf((_, value) => value !== undefined);

/** Checks a field of the provider's unless it is null. */
export const Nullable = () => ValidateIf((_, value) => value !== null);

export const IsText = (max: number) =>
  applyDecorators(
    onText((text) => text.trim()),
    IsString(),
    IsNotEmpty(),
    MaxLength(max),
    Matches(withoutControls),
  );

/** A name of the platform's or the provider's own, compared as sent. */
export const IsName = () => applyDecorators(IsString(), Length(1, 64), Matches(withoutControls));

export const IsCountry = () =>
  applyDecorators(
    onText((text) => text.toUpperCase()),
    IsString(),
    Matches(countryCode),
  );

export const IsDay = () => applyDecorators(IsISO8601({ strict: true }), Matches(/^\d{4}-\d{2}-\d{2}$/));

export const IsFileUrl = () =>
  applyDecorators(
    IsUrl({ protocols: ["http", "https"], require_protocol: true, require_tld: false }),
    MaxLength(2048),
  );

export const IsNotInFuture = () =>
  ValidateBy({
    name: "isNotInFuture",
    validator: {
      validate: (value) => typeof value === "string" && !isInFuture(value),
      defaultMessage: () => "$property must not be in the future",
    },
  });

/** Never together with another field. */
export const IsWithout = (other: string) =>
  ValidateBy({
    name: "isWithout",
    validator: {
      validate: (_, { object }: ValidationArguments) =>
        (object as Record<string, unknown>)[other] === undefined,
      defaultMessage: () => `Send either $property or ${other}, not both.`,
    },
  });
