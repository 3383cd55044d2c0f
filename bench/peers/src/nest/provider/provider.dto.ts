import { Type } from "class-transformer";
import { Equals, IsArray, IsInt, IsString, Min, ValidateNested } from "class-validator";
import { Card } from "../cards/cards.dto.js";
import { Nullable } from "../http/decorators.js";

export class ProviderCard extends Card {
  @IsString()
  userReference: string;
}

/** A page of cards as the provider answers it; what is not named here is dropped. */
export class ProviderPage {
  @IsString()
  userReference: string;

  @IsInt()
  page: number;

  @IsInt()
  pageSize: number;

  @IsInt()
  @Min(0)
  total: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ProviderCard)
  items: ProviderCard[];
}

/** The state of a submission. */
export class ProviderState {
  @IsString()
  reference: string;

  @IsString()
  userReference: string;

  @IsString()
  status: string;

  @Nullable()
  @IsString()
  cardAccountId: string | null = null;

  @IsInt()
  revision: number;
}

class RefusalError {
  @Equals("kyc_refused")
  code: string;
}

/** The one documented refusal. */
export class ProviderRefusal {
  @IsString()
  reference: string;

  @ValidateNested()
  @Type(() => RefusalError)
  error: RefusalError;
}
