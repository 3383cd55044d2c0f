import { answerRequests } from "../processes/answer-requests.ts";
import { renderPage } from "./render-page.ts";

// The program of a render process. It is JavaScript so that its name is the same in the sources and in a bundle.
answerRequests(renderPage);
