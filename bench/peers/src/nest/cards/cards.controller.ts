import { Controller, Get, Query, UseGuards } from "@nestjs/common";
import type { Caller } from "../../common/submit.js";
import { ApiKeyGuard } from "../auth/api-key.guard.js";
import { CurrentCaller, RequireScope } from "../auth/caller.js";
import { CardsQuery } from "./cards.dto.js";
import { CardsService } from "./cards.service.js";

@Controller("openapi/v1/cards")
@UseGuards(ApiKeyGuard)
export class CardsController {
  constructor(private readonly cards: CardsService) {}

  @Get("list")
  @RequireScope("cards:read")
  list(@CurrentCaller() caller: Caller, @Query() query: CardsQuery) {
    return this.cards.list(caller, query);
  }
}
