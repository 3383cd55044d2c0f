import * as z from "zod";
import { personId } from "../identity/person-id.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";
import { personFacts } from "./person.ts";

export const personListQuery = z.object({ limit: listLimit(200) });
export const personPage = z
  .object({ persons: z.array(personFacts), more: moreThanLimit })
  .meta({ id: "PersonPage" });

export const blockPersonInput = z.object({
  personId,
  blocked: z.boolean().default(true).meta({ description: "False ends the block." }),
});
