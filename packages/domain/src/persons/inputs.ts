import * as z from "zod";
import { personId } from "../identity/person-id.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";
import { colleague, personFacts } from "./person.ts";

export const personListQuery = z.object({ limit: listLimit(200) });
export const personPage = z
  .object({ persons: z.array(personFacts), more: moreThanLimit })
  .meta({ id: "PersonPage" });

/** The number of colleagues that are listed. */
export const maxColleagues = 200;
export const colleagueList = z
  .object({
    colleagues: z.array(colleague).max(maxColleagues).meta({
      description: "By name. Of more than 200, those who were seen last.",
    }),
  })
  .meta({ id: "ColleagueList" });

export const blockPersonInput = z.object({
  personId,
  blocked: z.boolean().default(true).meta({ description: "False ends the block." }),
});
