import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";

/**
 * Whether acts that cannot be taken back need two persons (FOUR_EYES). Until it is known, no: then the words say that
 * the act happens at once, and ask for more.
 */
export const useFourEyes = (): boolean =>
  useQuery(api.service.status.queryOptions({}, background)).data?.fourEyes === true;
