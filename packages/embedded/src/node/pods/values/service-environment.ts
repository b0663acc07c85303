import type { Service } from "@stowage/machinery";

/** Where the services of a namespace are, as variables: kubelet's own, and those that Docker had for its links. */
export function serviceEnvironment(services: readonly Service[]): Record<string, string> {
  return Object.fromEntries(services.flatMap(variablesOf));
}

type Variable = readonly [name: string, value: string];

function variablesOf({ metadata, spec }: Service): Variable[] {
  const { clusterIP = "", ports = [] } = spec ?? {};
  const [first] = ports;
  if (clusterIP === "" || clusterIP === "None" || first === undefined) return [];
  const prefix = variableName(metadata.name ?? "");
  const named = ports.filter(({ name }) => (name ?? "") !== "");
  return [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
    ...named.map(({ name = "", port }): Variable => [`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]),
    [`${prefix}_PORT`, urlOf(clusterIP, first)],
    ...ports.flatMap((port) => linkOf(`${prefix}_PORT`, clusterIP, port)),
  ];
}

type Port = NonNullable<NonNullable<Service["spec"]>["ports"]>[number];

function linkOf(prefix: string, address: string, port: Port): Variable[] {
  const protocol = port.protocol ?? "TCP";
  const own = `${prefix}_${port.port}_${protocol}`;
  return [
    [own, urlOf(address, port)],
    [`${own}_PROTO`, protocol.toLowerCase()],
    [`${own}_PORT`, String(port.port)],
    [`${own}_ADDR`, address],
  ];
}

function urlOf(address: string, { port, protocol = "TCP" }: Port): string {
  return `${protocol.toLowerCase()}://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

function variableName(name: string): string {
  return name.replaceAll("-", "_").toUpperCase();
}
