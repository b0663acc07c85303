import { Gauge, type Registry } from "prom-client";

export interface CapacityCounts {
  /** Objects that there should be. */
  readonly goal: number;
  /** Of those, the ones that there are. */
  readonly current: number;
  /** Objects that there should not be. */
  readonly obsolete: number;
}

/** By the names of the original. Counted when they are asked for. */
export function capacityGauges(registry: Registry, count: () => CapacityCounts): void {
  const gauge = (name: string, help: string, valueOf: (counts: CapacityCounts) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(valueOf(count()));
      },
    });
  gauge("csistoragecapacities_desired_goal", "CSIStorageCapacity objects that there should be", ({ goal }) => goal);
  gauge(
    "csistoragecapacities_desired_current",
    "CSIStorageCapacity objects that there are and should be",
    ({ current }) => current,
  );
  gauge(
    "csistoragecapacities_obsolete",
    "CSIStorageCapacity objects that there are and that will be deleted; not those that only need an update",
    ({ obsolete }) => obsolete,
  );
}
