import { text } from "node:stream/consumers";
import type { Transport } from "@stowage/kube";
import type { LogRequest } from "./facts.ts";

export interface ContainerLogDeps {
  readonly transport: Pick<Transport, "send">;
  readonly signal: AbortSignal;
  /** How many of each container at most. */
  readonly lines?: number;
}

/** A node that does not answer is often the very trouble: it is not waited for. */
const PATIENCE_MS = 5000;
const LINES = 500;

/** The last lines of containers' logs; undefined where they cannot be had, whatever the reason. */
export function containerLogs({ transport, signal, lines = LINES }: ContainerLogDeps) {
  return async ({ namespace, pod, container }: LogRequest): Promise<string | undefined> => {
    const query = new URLSearchParams({ container, tailLines: String(lines) });
    const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const response = await transport.send({
        method: "GET",
        path: `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query.toString()}`,
        isStream: true,
        signal: either,
        responseHeaderTimeoutMs: PATIENCE_MS,
      });
      if (response.status === 200) return await text(response.body);
      response.body.destroy();
    } catch {
      // Without the log there is still all the rest: that it could not be read is told with the looks.
      signal.throwIfAborted();
    }
    return undefined;
  };
}
