import * as z from "zod";
import { idPattern } from "../input/id-pattern.ts";

export const personId = z
  .stringFormat("person-id", idPattern(80))
  .meta({ description: "The person's id, such as per_…." });
