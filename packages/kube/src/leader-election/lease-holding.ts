import type { Logger } from "@stowage/machinery";
import type { Elector } from "./elector.ts";

export interface HoldingEvents {
  onAcquired(term: number): void;
  onLost(reason: string): void;
}

/** Contends, keeps what it has won until the signal is aborted or it is lost, and gives it back in either case. */
export async function holdLeases(
  elector: Elector,
  logger: Logger,
  signal: AbortSignal,
  { onAcquired, onLost }: HoldingEvents,
): Promise<void> {
  try {
    onAcquired(await elector.acquire(signal));
    await elector.keep(signal);
  } catch (error) {
    if (!signal.aborted) onLost(error instanceof Error ? error.message : String(error));
  }
  try {
    // Also after a loss: of several leases some may still be ours.
    await elector.release();
  } catch (error) {
    logger.debug({ error }, "the lease could not be given back; it runs out by itself");
  }
}
