import type { PlatformSpec } from "@stowage/machinery";
import type { FigureFamily } from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import { saidCategories } from "../driver-settings.ts";

/** `vsphere_topology_tags` and `vsphere_infrastructure_failure_domains`, read when somebody asks. */
export function topologyFigures({
  operator,
  facts,
}: Pick<DriverOperatorContext, "operator" | "facts">): FigureFamily[] {
  const { signal } = new AbortController();
  return [
    {
      name: "vsphere_topology_tags",
      help: "Number of vSphere topology tags",
      label: "source",
      async values() {
        const driver = operator.current();
        if (driver === undefined) return undefined;
        const said = saidCategories(driver, (await facts.current(signal)).platformSpec);
        return new Map(Object.entries(said).map(([source, categories]) => [source, categories.length]));
      },
    },
    {
      name: "vsphere_infrastructure_failure_domains",
      help: "Number of vSphere failure domains",
      label: "scope",
      values: async () => failureDomainCounts((await facts.current(signal)).platformSpec),
    },
  ];
}

/** How many there are of what failure domains are made of. A zone is one of its region, and a datastore one of its datacenter. */
export function failureDomainCounts({ vsphere }: Pick<PlatformSpec, "vsphere">): ReadonlyMap<string, number> {
  const domains = vsphere?.failureDomains ?? [];
  const count = (...parts: readonly ((domain: (typeof domains)[number]) => string | undefined)[]) =>
    new Set(
      domains
        .map((domain) => parts.map((part) => part(domain) ?? ""))
        .filter((names) => !names.includes(""))
        .map((names) => JSON.stringify(names)),
    ).size;
  return new Map([
    ["datacenters", count(({ topology }) => topology.datacenter)],
    [
      "datastores",
      count(
        ({ topology }) => topology.datacenter,
        ({ topology }) => topology.datastore,
      ),
    ],
    ["regions", count(({ region }) => region)],
    [
      "zones",
      count(
        ({ region }) => region,
        ({ zone }) => zone,
      ),
    ],
    ["vcenters", count(({ server }) => server)],
    ["failure_domains", domains.length],
  ]);
}
