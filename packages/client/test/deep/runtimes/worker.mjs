import { journey } from "./journey.mjs";

export default {
  fetch: async (request) => Response.json(await journey(await request.json())),
};
