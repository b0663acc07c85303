import { Gauge, type Registry } from "prom-client";

/** `leader_election_master_status`: 1 while this process leads. */
export function leadershipMetrics(registry: Registry): { set(leaseName: string, isLeader: boolean): void } {
  const status = new Gauge({
    name: "leader_election_master_status",
    help: "Whether this process holds the lease of this name: 1 when it does",
    labelNames: ["name"],
    registers: [registry],
  });
  return { set: (name, isLeader) => status.set({ name }, isLeader ? 1 : 0) };
}
