import { Type } from "class-transformer";
import {
  IsEmail,
  IsInt,
  IsISO8601,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from "class-validator";
import { currency, last4 } from "../../common/vocabulary.js";
import { IfGiven, IsName, IsWithout, Nullable } from "../http/decorators.js";

export class CardsQuery {
  @IfGiven()
  @IsEmail()
  @MaxLength(128)
  email?: string;

  @ValidateIf(({ email, memberId }: CardsQuery) => memberId !== undefined || email === undefined)
  @IsName()
  @IsWithout("email")
  memberId?: string;

  @IfGiven()
  @IsName()
  status?: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(10_000)
  page: number = 1;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize: number = 20;
}

/** The fields of a card that callers are shown. */
export class Card {
  @IsString()
  cardId: string;

  @IsString()
  status: string;

  @Nullable()
  @IsString()
  memberId: string | null = null;

  @Nullable()
  @IsString()
  cardAccountId: string | null = null;

  @Nullable()
  @IsString()
  type: string | null = null;

  @Nullable()
  @IsString()
  network: string | null = null;

  @Nullable()
  @Matches(last4)
  last4: string | null = null;

  @Nullable()
  @IsInt()
  @Min(1)
  @Max(12)
  expiryMonth: number | null = null;

  @Nullable()
  @IsInt()
  @Min(2000)
  @Max(2999)
  expiryYear: number | null = null;

  @Nullable()
  @IsString()
  @MaxLength(256)
  nameOnCard: string | null = null;

  @Nullable()
  @Matches(currency)
  currency: string | null = null;

  @Nullable()
  @IsISO8601()
  createdAt: string | null = null;
}
