import { type CsiClient, CsiError } from "@stowage/csi";
import type { Clock } from "@stowage/machinery";
import type { AttacherOptions } from "./options.ts";

interface Listing {
  readonly csi: Pick<CsiClient, "controller">;
  readonly clock: Clock;
  readonly options: Pick<AttacherOptions, "timeoutMs" | "maxEntries">;
}

/** By the volume's id, the nodes that the driver says it is published to. All pages together have the time of one call. */
export async function publishedNodes(
  { csi, clock, options: { timeoutMs, maxEntries } }: Listing,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  const nodes = new Map<string, readonly string[]>();
  let startingToken = "";
  do {
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) throw new CsiError("DEADLINE_EXCEEDED", `not all volumes were listed within ${timeoutMs} ms`);
    const page = await csi.controller.listVolumes({ startingToken, maxEntries }, { timeoutMs: leftMs, signal });
    for (const { volume, status } of page.entries) {
      if (volume !== undefined && status !== undefined) nodes.set(volume.volumeId, status.publishedNodeIds);
    }
    startingToken = page.nextToken;
  } while (startingToken !== "");
  return nodes;
}
