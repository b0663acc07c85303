import type {
  EndpointSlice,
  Endpoints,
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  Service,
  ServiceCIDR,
} from "@stowage/machinery";
import { firstOf, labelText, shownSelector } from "../cell-texts.ts";
import { ageColumn, column, nameColumn, wide } from "../columns.ts";
import { type Printers, printer, type Sparse } from "../printer.ts";

/** Of a longer list, the rest is counted. */
const mostShown = 3;

export const networkingPrinters: Printers = {
  "Service.": printer<Service>({
    columns: [
      nameColumn,
      column("Type", { of: "ServiceSpec.type" }),
      column("Cluster-IP", { of: "ServiceSpec.clusterIP" }),
      column("External-IP", { of: "ServiceSpec.externalIPs" }),
      column("Port(s)", { of: "ServiceSpec.ports" }),
      ageColumn,
      wide("Selector", { of: "ServiceSpec.selector" }),
    ],
    cells: (service, ages) => [
      service.metadata?.name ?? "",
      service.spec?.type ?? "",
      service.spec?.clusterIPs?.[0] ?? "<none>",
      externalAddress(service),
      portsText(service) || "<none>",
      ages.since(service.metadata?.creationTimestamp),
      labelText(service.spec?.selector),
    ],
  }),
  "Endpoints.": printer<Endpoints>({
    columns: [nameColumn, column("Endpoints", { of: "Endpoints.subsets" }), ageColumn],
    cells: (endpoints, ages) => [
      endpoints.metadata?.name ?? "",
      endpointsText(endpoints),
      ages.since(endpoints.metadata?.creationTimestamp),
    ],
  }),
  "EndpointSlice.discovery.k8s.io": printer<EndpointSlice>({
    columns: [
      nameColumn,
      column("AddressType", { of: "EndpointSlice.addressType" }),
      column("Ports", { of: "EndpointSlice.ports" }),
      column("Endpoints", { of: "EndpointSlice.endpoints" }),
      ageColumn,
    ],
    cells({ metadata, addressType, ports, endpoints }, ages) {
      const shownPorts = ports?.map(({ name, port }) => String(port ?? name ?? "*")) ?? [];
      const addresses = endpoints?.flatMap((endpoint) => endpoint.addresses ?? []) ?? [];
      return [
        metadata?.name ?? "",
        addressType ?? "",
        firstOf(shownPorts, mostShown) || "<unset>",
        firstOf(addresses, mostShown) || "<unset>",
        ages.since(metadata?.creationTimestamp),
      ];
    },
  }),
  "Ingress.networking.k8s.io": printer<Ingress>({
    columns: [
      nameColumn,
      column("Class", {
        says: "The name of the IngressClass resource that should be used for additional configuration",
      }),
      column("Hosts", { says: "Hosts that incoming requests are matched against before the ingress rule" }),
      column("Address", { says: "Address is a list containing ingress points for the load-balancer" }),
      column("Ports", { says: "Ports of TLS configurations that open" }),
      ageColumn,
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      spec?.ingressClassName ?? "<none>",
      hostsText(spec?.rules ?? []),
      balancerText(status?.loadBalancer?.ingress),
      (spec?.tls ?? []).length > 0 ? "80, 443" : "80",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "IngressClass.networking.k8s.io": printer<IngressClass>({
    columns: [
      nameColumn,
      column("Controller", { says: "Controller that is responsible for handling this class" }),
      column("Parameters", { says: "A reference to a resource with additional parameters" }),
      ageColumn,
    ],
    cells({ metadata, spec }, ages) {
      const isDefault = metadata?.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true";
      const { kind, apiGroup, name } = spec?.parameters ?? {};
      const parameters = `${kind ?? ""}${apiGroup === undefined ? "" : `.${apiGroup}`}/${name ?? ""}`;
      return [
        `${metadata?.name ?? ""}${isDefault ? " (default)" : ""}`,
        spec?.controller ?? "",
        spec?.parameters === undefined ? "<none>" : parameters,
        ages.since(metadata?.creationTimestamp),
      ];
    },
  }),
  "NetworkPolicy.networking.k8s.io": printer<NetworkPolicy>({
    columns: [nameColumn, column("Pod-Selector", { of: "NetworkPolicySpec.podSelector" }), ageColumn],
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      shownSelector(spec?.podSelector ?? {}),
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "ServiceCIDR.networking.k8s.io": printer<ServiceCIDR>({
    columns: [nameColumn, column("CIDRs", { of: "ServiceCIDRSpec.cidrs" }), ageColumn],
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.cidrs?.join(",") ?? "",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "IPAddress.networking.k8s.io": printer<IPAddress>({
    columns: [nameColumn, column("ParentRef", { of: "IPAddressSpec.parentRef" })],
    // The age has no column. It is there in the real server's rows, too.
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      parentText(spec?.parentRef),
      ages.since(metadata?.creationTimestamp),
    ],
  }),
};

function externalAddress({ spec, status }: Sparse<Service>): string {
  const own = spec?.externalIPs ?? [];
  const type = spec?.type ?? "";
  if (type === "ExternalName") return spec?.externalName ?? "";
  if (type === "ClusterIP" || type === "NodePort") return own.join(",") || "<none>";
  if (type !== "LoadBalancer") return "<unknown>";
  const balanced = balancerText(status?.loadBalancer?.ingress);
  return [balanced, ...own].filter((each) => each !== "").join(",") || "<pending>";
}

interface BalancerPoint {
  readonly ip?: string | undefined;
  readonly hostname?: string | undefined;
}

function balancerText(points: readonly BalancerPoint[] = []): string {
  const shown = points.map(({ ip, hostname }) => ip || hostname || "").filter((each) => each !== "");
  return [...new Set(shown)].toSorted().join(",");
}

function portsText({ spec }: Sparse<Service>): string {
  const ports = spec?.ports ?? [];
  return ports
    .map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ""}/${protocol ?? ""}`)
    .join(",");
}

/** Each address with each port. */
function endpointsText({ subsets = [] }: Sparse<Endpoints>): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const ips = addresses.map(({ ip = "" }) => ip);
    if (ports.length === 0) return ips;
    return ports.flatMap(({ port }) => ips.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  return subsets.length === 0 ? "<none>" : firstOf(all, mostShown);
}

/** Rules without a host count among the rest, but are not shown. */
function hostsText(rules: readonly { readonly host?: string | undefined }[]): string {
  const hosts: string[] = [];
  let hasMore = false;
  for (const { host = "" } of rules) {
    hasMore ||= hosts.length === mostShown;
    if (!hasMore && host !== "") hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return hasMore ? `${hosts.join(",")} + ${rules.length - mostShown} more...` : hosts.join(",");
}

/** `services/default/kubernetes`. */
function parentText(parent: NonNullable<Sparse<IPAddress>["spec"]>["parentRef"]): string {
  if (parent === undefined) return "<none>";
  const { group = "", resource = "", namespace = "", name = "" } = parent;
  const type = (group === "" ? resource : `${resource}.${group}`).toLowerCase();
  return namespace === "" ? `${type}/${name}` : `${type}/${namespace}/${name}`;
}
