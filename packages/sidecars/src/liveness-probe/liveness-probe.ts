import { type CsiClient, createCsiClient } from "@stowage/csi";
import type { Logger } from "@stowage/machinery";
import { type ServingServer, startServing } from "@stowage/operator";
import { Registry } from "prom-client";

export interface LivenessProbeOptions {
  /** `--http-endpoint`, or `:` and `--health-port`. */
  readonly address: string;
  /** `--probe-timeout`. */
  readonly probeTimeoutMs: number;
  readonly metricsPath: string;
}

export interface LivenessProbeDeps {
  readonly endpoint: string;
  readonly logger: Logger;
}

/**
 * Serves `/healthz`. Each request dials the driver anew, since a connection made earlier says nothing about whether it would take
 * another; and so the answer is never older than the question.
 */
export async function startLivenessProbe(
  { endpoint, logger }: LivenessProbeDeps,
  { address, probeTimeoutMs, metricsPath }: LivenessProbeOptions,
): Promise<ServingServer> {
  const registry = new Registry();
  const healthz = async () => {
    const csi = createCsiClient({ endpoint, metrics: registry });
    try {
      return await probeProblem(csi, probeTimeoutMs);
    } catch (error) {
      logger.warn({ error }, "the driver does not answer the probe");
      return error instanceof Error ? error.message : String(error);
    } finally {
      csi.close();
    }
  };
  return startServing({ address, metricsPath, registry, checks: { "/healthz": healthz } });
}

async function probeProblem(csi: CsiClient, timeoutMs: number): Promise<string | undefined> {
  const { ready = true } = await csi.identity.probe({}, { timeoutMs });
  return ready ? undefined : "the driver answers, but is not ready";
}
