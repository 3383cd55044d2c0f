import { Injectable } from "@nestjs/common";
import type { Submission } from "../../common/submission.js";
import { submit } from "../../common/submit.js";
import { ProviderService } from "../provider/provider.service.js";
import { RecordsService } from "./records.service.js";

@Injectable()
export class KycService {
  constructor(
    private readonly records: RecordsService,
    private readonly provider: ProviderService,
  ) {}

  submit(call: { platformId: string; requestId: string }, submission: Submission) {
    const { records, provider } = this;
    return submit({ records, provider }, call, submission);
  }
}
