import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Pod } from "@stowage/machinery";
import type { Container, LogWish } from "../../runtime/index.ts";
import { containerNamed } from "../values/container-field.ts";
import { terminationLog } from "./container-start.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";

const MOST_FILE_BYTES = 4096;
const MOST_LOG_BYTES = 2048;
const MOST_LOG_LINES = 80;
const lastLines: LogWish = {
  follow: false,
  timestamps: false,
  sinceMs: undefined,
  tailLines: MOST_LOG_LINES,
  limitBytes: undefined,
};

/** What a container that has ended left to say: in its file, or, where that is asked for and it failed, in its log. */
export async function lastWords(deps: PodWorkerDeps, pod: Pod, container: Container): Promise<string> {
  const { labels, exit } = container;
  const written = endOfFile(terminationLog(deps, pod, labels.containerName, labels.attempt));
  const field = containerNamed(pod, labels.containerName);
  const mayBeLog = field?.terminationMessagePolicy === "FallbackToLogsOnError" && exit?.startError === undefined;
  if (written !== "" || !mayBeLog || exit?.exitCode === 0) return written;
  return endOfLog(container);
}

function endOfFile(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, MOST_FILE_BYTES));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString();
    } finally {
      closeSync(file);
    }
  } catch {
    return ""; // It left none.
  }
}

async function endOfLog(container: Container): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const bytes of container.log(lastLines, new AbortController().signal)) chunks.push(bytes.slice());
    return Buffer.concat(chunks).subarray(-MOST_LOG_BYTES).toString();
  } catch (error) {
    return `Error on reading termination message from logs: ${error instanceof Error ? error.message : String(error)}`;
  }
}
