import type { NodeStats } from "./node-stats.ts";

export interface StatsPage {
  readonly contentType: string;
  readonly body: string;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** What the node's own server says of volumes, at the paths at which kubelet does. */
export async function statsPage(stats: NodeStats, path: string, signal: AbortSignal): Promise<StatsPage | undefined> {
  if (path === "stats/summary") {
    return { contentType: "application/json", body: JSON.stringify(await stats.summary(signal), undefined, 1) };
  }
  return path === "metrics" ? { contentType: METRICS_TYPE, body: await stats.metrics(signal) } : undefined;
}
