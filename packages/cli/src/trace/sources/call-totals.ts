import { text } from "node:stream/consumers";
import type { Transport } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import type { CallTotal } from "../step.ts";

/** The metrics that a port of a Pod serves; undefined where they cannot be had. */
export type ReadMetrics = (port: MetricsPort) => Promise<string | undefined>;

export interface MetricsPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

const PATIENCE_MS = 3000;

/** Through the API server, which reaches Pods that this machine does not. */
export function proxiedMetrics(transport: Pick<Transport, "send">, signal: AbortSignal): ReadMetrics {
  return async ({ namespace, pod, port }) => {
    for (const scheme of ["", "https:"]) {
      const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      try {
        const response = await transport.send({
          method: "GET",
          path: `/api/v1/namespaces/${namespace}/pods/${scheme}${pod}:${port}/proxy/metrics`,
          signal: either,
          responseHeaderTimeoutMs: PATIENCE_MS,
        });
        const body = await text(response.body);
        if (response.status === 200) return body;
      } catch {
        // Totals are an extra: that they could not be read is told with the rest that was not.
        signal.throwIfAborted();
      }
    }
    return undefined;
  };
}

export interface TotalsOfPods {
  readonly totals: readonly CallTotal[];
  /** Pods that serve metrics which could not be read. */
  readonly unread: readonly string[];
}

/** How often the driver was called since its Pods run, for all volumes together. */
export async function callTotals(pods: readonly Pod[], read: ReadMetrics): Promise<TotalsOfPods> {
  const totals: CallTotal[] = [];
  const unread: string[] = [];
  for (const pod of pods) {
    const { namespace = "", name = "" } = pod.metadata;
    for (const port of metricsPorts(pod)) {
      const metrics = await read({ namespace, pod: name, port });
      if (metrics === undefined) unread.push(`metrics of Pod ${namespace}/${name}, port ${port}: not reachable`);
      else totals.push(...totalsIn(metrics, `${namespace}/${name}`));
    }
  }
  return { totals, unread };
}

/** By the names that the originals and ours give such ports. */
function metricsPorts({ spec }: Pod): readonly number[] {
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports
    .filter(({ name = "" }) => /metrics|http-endpoint|-m$/u.test(name))
    .map(({ containerPort }) => containerPort);
}

const sample = /^(?:csi_sidecar_operations_seconds|csi_operations_seconds)_(count|sum)\{([^}]*)\} (\S+)/u;

export function totalsIn(metrics: string, pod: string): readonly CallTotal[] {
  const byCall = new Map<string, CallTotal>();
  for (const line of metrics.split("\n")) {
    const [, what, labels = "", value = ""] = sample.exec(line) ?? [];
    if (what === undefined) continue;
    const path = labelIn(labels, "method_name") ?? labelIn(labels, "method") ?? "";
    const method = path.slice(path.lastIndexOf("/") + 1);
    const code = labelIn(labels, "grpc_status_code") ?? "";
    const key = `${method} ${code}`;
    const before = byCall.get(key) ?? { pod, method, code, count: 0, seconds: 0 };
    byCall.set(key, what === "count" ? { ...before, count: Number(value) } : { ...before, seconds: Number(value) });
  }
  return [...byCall.values()].filter(({ count }) => count > 0);
}

function labelIn(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`, "u").exec(labels)?.[1];
}
