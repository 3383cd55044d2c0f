/** The limits of one piece of work. A process that exceeds a limit is killed. */
export interface ProcessBounds {
  /** The CPU time of the process for one piece of work, in milliseconds. */
  cpuMs: number;
  /** The memory of the whole process, in megabytes (`usedMemoryMb`). */
  memoryMb: number;
}

/** The message to a process for each piece of work. */
export interface ProcessRequest<Input> {
  input: Input;
  bounds: ProcessBounds;
}

/** The response of a process. `exceeded` is the exceeded limit; the process then ends itself. */
export type ProcessResponse<Result> =
  | { exceeded: keyof ProcessBounds }
  | { failed: string }
  | { result: Result; memoryMb: number };
