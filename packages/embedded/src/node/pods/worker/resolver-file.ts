import type { Pod } from "@stowage/machinery";

interface Resolver {
  readonly nameservers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/**
 * `/etc/resolv.conf` of a Pod that says something of it; undefined when it has the machine's. There is no DNS of the cluster: Pods that
 * would ask it first ask whom the machine asks.
 */
export function resolverFile({ spec }: Pod, machines: string): string | undefined {
  const { dnsPolicy, dnsConfig } = spec ?? {};
  if (dnsPolicy !== "None" && dnsConfig === undefined) return undefined;
  const base = dnsPolicy === "None" ? parseResolver("") : parseResolver(machines);
  const own = (dnsConfig?.options ?? []).map(({ name = "", value }) =>
    value === undefined ? name : `${name}:${value}`,
  );
  const isReplaced = (option: string) => own.some((each) => each.split(":")[0] === option.split(":")[0]);
  const searches = [...new Set([...base.searches, ...(dnsConfig?.searches ?? [])])];
  const nameservers = [...new Set([...base.nameservers, ...(dnsConfig?.nameservers ?? [])])];
  const options = [...base.options.filter((option) => !isReplaced(option)), ...own];
  const lines = [
    ...(searches.length === 0 ? [] : [`search ${searches.join(" ")}`]),
    ...nameservers.map((address) => `nameserver ${address}`),
    ...(options.length === 0 ? [] : [`options ${options.join(" ")}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function parseResolver(text: string): Resolver {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const valuesOf = (wanted: string) => rows.filter(([key]) => key === wanted).map(([, ...values]) => values);
  return {
    nameservers: valuesOf("nameserver").flatMap(([address = ""]) => (address === "" ? [] : [address])),
    searches: valuesOf("search").at(-1) ?? [],
    options: valuesOf("options").flat(),
  };
}
