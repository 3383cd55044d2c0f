import { Body, Controller, Post, Res, UseGuards } from "@nestjs/common";
import type { Response } from "express";
import type { Caller } from "../../common/submit.js";
import { ApiKeyGuard } from "../auth/api-key.guard.js";
import { CurrentCaller, RequestId, RequireScope } from "../auth/caller.js";
import { KycSubmission } from "./kyc.dto.js";
import { KycService } from "./kyc.service.js";

@Controller("openapi/v1/users")
@UseGuards(ApiKeyGuard)
export class KycController {
  constructor(private readonly kyc: KycService) {}

  @Post("kyc")
  @RequireScope("kyc:write")
  async submit(
    @CurrentCaller() { platformId }: Caller,
    @RequestId() requestId: string,
    @Body() submission: KycSubmission,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { status, headers, body } = await this.kyc.submit({ platformId, requestId }, submission);
    response.status(status).set(headers);
    return body;
  }
}
