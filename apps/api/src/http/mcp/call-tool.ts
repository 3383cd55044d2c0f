import { Failure, parseInput } from "@cardbridge/domain";
import { type Call, holderOf, type Operation, type Ports } from "@cardbridge/service";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { FairSemaphore } from "../../admission/fair-semaphore.ts";
import { type Allowance, type RateLimiter, rateClassOfProcedure } from "../../admission/rate.ts";
import { isKyc, trpcPath } from "../../config/paths.ts";
import { toFailure } from "../errors/mapping.ts";
import { toProblem } from "../errors/problem.ts";
import { fieldNames, knownFields } from "../middleware/unknown-parameters.ts";
import { markedError, markedResult } from "./marked.ts";
import type { Search } from "./search.ts";
import { searchInput } from "./search-tool.ts";

export interface ToolCall {
  ports: Ports;
  rateLimiter: RateLimiter;
  search: Search;
  /** The slots of searches. */
  searches: Pick<FairSemaphore, "run">;
  call: Call;
  /** Receives the called operation, `search_docs` or `unknown`, for the log. */
  onTool(name: string): void;
  onFailure(failure: Failure): void;
  /** Receives the state of the rate of writes or submissions. */
  onCounted(allowance: Allowance | undefined): void;
}

/** Runs an operation with the arguments of a tool. Every failure becomes a result, as the protocol requires. */
export function callOperation(operation: Operation, sent: unknown, tool: ToolCall): Promise<CallToolResult> {
  const isRead = operation.kind === "read";
  return withErrors(
    tool,
    { style: isRead ? "parameter" : "pointer", ofKyc: isOfKyc(operation) },
    async () => {
      const { ports, call } = tool;
      if (!isRead) await countWrite(operation, tool);
      const { input, violations } = isRead
        ? knownFields(sent, fieldNames(operation.input))
        : { input: sent, violations: [] };
      const { data } = await operation.execute(ports, call, input, violations);
      return markedResult(data);
    },
  );
}

/** Searches the documentation. Its results are the service's own words, so they have no notice. */
export function callSearch(sent: unknown, tool: ToolCall): Promise<CallToolResult> {
  return withErrors(tool, { style: "parameter", ofKyc: false }, async () => {
    const parsed = parseInput(searchInput, [], sent);
    if (!parsed.ok) throw new Failure("INVALID_INPUT", { violations: parsed.violations });
    const { query } = parsed.value;
    const structuredContent = await tool.searches.run(holderOf(tool.call), () => tool.search(query));
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  });
}

/** The gates counted the request as a read. */
async function countWrite({ id }: Operation, { rateLimiter, call, onCounted }: ToolCall): Promise<void> {
  const allowance = await rateLimiter.count(holderOf(call), rateClassOfProcedure("POST", id));
  onCounted(allowance);
  if (allowance?.allowed === false) {
    throw new Failure("RATE_LIMITED", { retryAfterSeconds: allowance.retryAfterSeconds });
  }
}

async function withErrors(
  { call, onFailure }: ToolCall,
  options: { style: "parameter" | "pointer"; ofKyc: boolean },
  run: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    const failure = toFailure(error, call.signal);
    onFailure(failure);
    const problem = toProblem(failure, { requestId: call.requestId ?? "", ...options });
    return markedError(problem, failure.details.retryAfterSeconds);
  }
}

const isOfKyc = ({ id }: Operation) => isKyc(`${trpcPath}/${id}`);
