import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import { checkFields } from "../cardholders/check.ts";
import { checkUnique, findCardholder, sameEmail } from "../cardholders/find.ts";
import { setStatus } from "../cardholders/status.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { answer, readBody } from "../http/json.ts";
import { allowQuery, pageOf } from "../http/page.ts";
import { type Cardholder, type CardholderUpdate, type NewCardholder, view } from "../records/cardholder.ts";
import { ask } from "../rfis/ask.ts";
import { asksAtOnce, statusOfTag } from "../state/settings.ts";

const root = "/api/v1/issuing/cardholders";
const model = "IssuingNonPciCardholderResponseDto";

export function cardholderRoutes(dependencies: Dependencies): Hono<Env> {
  const { store, settings, now } = dependencies;
  const { state } = store;
  const routes = new Hono<Env>();

  routes.post(`${root}/create`, (context) => {
    const request = readBody<NewCardholder>(context, "IssuingNonPciNewCardholderRequestDto");
    checkFields(request, state);
    checkUnique(state, request);
    const status = statusOfTag(request.email) ?? settings.initialStatus;
    const created: Cardholder = { ...request, cardholder_id: randomUUID(), status, createdAt: now() };
    state.cardholders.push(created);
    setStatus(dependencies, created, status);
    if (asksAtOnce(request.email)) {
      const sources = [{ id: created.cardholder_id, type: "CARDHOLDER" }];
      const questions = [{ key: "PROOF_OF_ADDRESS", type: "ATTACHMENT", sources }];
      ask(dependencies, { type: "CARDHOLDER", questions });
    }
    return answer(context, model, view(created), 202);
  });

  routes.get(root, (context) => {
    allowQuery(context, ["cardholder_status", "email", "page_num", "page_size"]);
    const { cardholder_status: status, email } = context.req.query();
    const found = state.cardholders
      .filter(({ createdAt }) => createdAt + settings.listLagMs <= now())
      .filter((cardholder) => status === undefined || cardholder.status === status)
      .filter((cardholder) => email === undefined || sameEmail(cardholder.email, email))
      .toReversed();
    const page = pageOf(context, found.map(view));
    return answer(context, "IssuingNonPciQueryResultOfIssuingNonPciCardholderResponseDto", page);
  });

  routes.get(`${root}/:id`, (context) =>
    answer(context, model, view(findCardholder(state, context.req.param("id")))),
  );

  routes.post(`${root}/:id/update`, (context) => {
    const update = readBody<CardholderUpdate>(context, "IssuingNonPciUpdateCardholderRequestDto");
    const cardholder = findCardholder(state, context.req.param("id"));
    if (cardholder.status === "DISABLED" || cardholder.status === "DELETED") {
      throw new ApiError("bad_request", `The cardholder is ${cardholder.status}.`);
    }
    checkFields(update, state);
    checkUnique(state, update, cardholder);
    Object.assign(cardholder, update);
    // The update may add the missing fields, so the review starts.
    const status = cardholder.status === "READY" ? settings.updatedStatus : "PENDING";
    if (status === cardholder.status) store.save();
    else setStatus(dependencies, cardholder, status);
    return answer(context, model, view(cardholder));
  });

  routes.post(`${root}/:id/delete`, (context) => {
    const cardholder = findCardholder(state, context.req.param("id"));
    setStatus(dependencies, cardholder, "DELETED");
    const { cardholder_id } = cardholder;
    return answer(context, "IssuingNonPciDeleteCardholderResponseDto", { cardholder_id, deleted: true });
  });

  routes.post("/api/v1/simulation/issuing/cardholders/:id/pass_review", (context) => {
    const cardholder = findCardholder(state, context.req.param("id"));
    if (cardholder.status !== "PENDING") throw new ApiError("bad_request", "The cardholder is not PENDING.");
    setStatus(dependencies, cardholder, "READY");
    return context.json(true);
  });

  return routes;
}
