import { HttpService } from "@nestjs/axios";
import { Injectable } from "@nestjs/common";
import { isAxiosError } from "axios";
import { firstValueFrom } from "rxjs";
import { Problem } from "../../common/problem.js";
import { assertAnswers, cardsCall, kycCall, listFailure } from "../../common/provider-calls.js";
import type { Verdict } from "../../common/record.js";
import type { Submission } from "../../common/submission.js";
import type { Provider } from "../../common/submit.js";
import type { CardsQuery } from "../cards/cards.dto.js";
import { parse } from "../http/validation.js";
import { ProviderPage, ProviderRefusal, ProviderState } from "./provider.dto.js";

/** The provider over axios. */
@Injectable()
export class ProviderService implements Provider {
  constructor(private readonly http: HttpService) {}

  async cards(userReference: string, query: CardsQuery) {
    const { path, headers } = cardsCall(userReference, query);
    const { status, data } = await firstValueFrom(this.http.get<unknown>(path, { headers })).catch(
      throwFailure,
    );
    if (status === 404) return { items: [], total: 0 };
    const failure = listFailure(status);
    if (failure) throw failure;
    const page = await parse(ProviderPage, data);
    if (!page) throw new Problem("PROVIDER_ANSWER_INVALID");
    assertAnswers(page, userReference, query);
    return { items: page.items.map(({ userReference: _, ...card }) => card), total: page.total };
  }

  async submit(reference: string, userReference: string, submission: Submission): Promise<Verdict> {
    const { path, headers, body } = kycCall(reference, userReference, submission);
    const answer = await firstValueFrom(this.http.put<unknown>(path, body, { headers })).catch(
      () => undefined,
    );
    if (answer?.status === 200) {
      const state = await parse(ProviderState, answer.data);
      if (state?.reference === reference) {
        return { settlement: "answered", subStatus: state.status, cardAccountId: state.cardAccountId };
      }
    }
    const refusal = answer?.status === 422 ? await parse(ProviderRefusal, answer.data) : undefined;
    return { settlement: refusal?.reference === reference ? "refused" : "unsettled" };
  }
}

function throwFailure(error: unknown): never {
  const late = isAxiosError(error) && ["ECONNABORTED", "ETIMEDOUT"].includes(error.code ?? "");
  throw new Problem(late ? "PROVIDER_TIMEOUT" : "PROVIDER_UNAVAILABLE");
}
