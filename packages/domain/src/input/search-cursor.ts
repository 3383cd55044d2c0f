import * as z from "zod";
import { idPattern } from "./id-pattern.ts";

export const searchCursor = z
  .stringFormat("search-cursor", idPattern(256))
  .meta({ description: "The nextCursor of the previous page. It is valid for the same filter only." });
