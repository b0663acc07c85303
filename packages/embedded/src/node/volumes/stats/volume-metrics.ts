import type { ClaimReference, PodStats, VolumeStats } from "./summary-document.ts";

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (stats: VolumeStats) => number | undefined;
}

/** In the order of their names, as they are written out. */
const metrics: readonly Metric[] = [
  {
    name: "available_bytes",
    help: "Number of available bytes in the volume",
    valueOf: ({ availableBytes }) => availableBytes,
  },
  { name: "capacity_bytes", help: "Capacity in bytes of the volume", valueOf: ({ capacityBytes }) => capacityBytes },
  {
    name: "health_status_abnormal",
    help: "Abnormal volume health status. The count is either 1 or 0. 1 indicates the volume is unhealthy, 0 indicates volume is healthy",
    valueOf: ({ volumeHealthStats: health }) => (health === undefined ? undefined : Number(health.abnormal)),
  },
  { name: "inodes", help: "Maximum number of inodes in the volume", valueOf: ({ inodes }) => inodes },
  { name: "inodes_free", help: "Number of free inodes in the volume", valueOf: ({ inodesFree }) => inodesFree },
  { name: "inodes_used", help: "Number of used inodes in the volume", valueOf: ({ inodesUsed }) => inodesUsed },
  { name: "used_bytes", help: "Number of used bytes in the volume", valueOf: ({ usedBytes }) => usedBytes },
];

type ClaimStats = VolumeStats & { readonly pvcRef: ClaimReference };

/** What kubelet's `/metrics` tells of claims, each once, however many Pods of the node use it. */
export function volumeMetricsText(pods: readonly PodStats[]): string {
  const claims = new Map<string, ClaimStats>();
  for (const stats of pods.flatMap(({ volume = [] }) => volume)) {
    const { pvcRef } = stats;
    if (pvcRef === undefined || claims.has(claimKey(pvcRef))) continue;
    claims.set(claimKey(pvcRef), { ...stats, pvcRef });
  }
  const ordered = [...claims].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, stats]) => stats);
  return metrics.map((metric) => metricText(metric, ordered)).join("");
}

function metricText({ name, help, valueOf }: Metric, claims: readonly ClaimStats[]): string {
  const full = `kubelet_volume_stats_${name}`;
  const samples = claims.flatMap((stats) => {
    const value = valueOf(stats);
    const { namespace, name: claim } = stats.pvcRef;
    if (value === undefined) return [];
    return [`${full}{namespace="${namespace}",persistentvolumeclaim="${claim}"} ${metricNumber(value)}\n`];
  });
  return samples.length === 0 ? "" : `# HELP ${full} [ALPHA] ${help}\n# TYPE ${full} gauge\n${samples.join("")}`;
}

/** As Go writes a number of a metric: from a million on with an exponent of two digits at least. */
function metricNumber(value: number): string {
  if (Math.abs(value) < 1e6) return String(value);
  return value.toExponential().replace(/e\+(\d)$/, "e+0$1");
}

const claimKey = ({ namespace, name }: ClaimReference) => `${namespace}/${name}`;
