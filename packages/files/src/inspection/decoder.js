import { answerRequests } from "../processes/answer-requests.ts";
import { decode } from "./decode.ts";

// The program of a decoder process. It is JavaScript so that its name is the same in the sources and in a bundle.
answerRequests(decode);
