import { type PlatformSpec, StowageError, type VSphereFailureDomain } from "@stowage/machinery";
import { CORE_SCHEMA, load } from "js-yaml";
import { parseIni } from "../../../../cloud-config/index.ts";

/** A vCenter that has datastores of the cluster. */
export interface VCenterPlace {
  readonly server: string;
  /** 443 when left out. */
  readonly port: number | undefined;
  readonly datacenters: readonly string[];
  /** Those that the cluster's volumes are for, as paths in its inventory; the first is the usual one. */
  readonly datastores: readonly string[];
  /** `insecure-flag` in the configuration: its certificate is not looked at. */
  readonly isVerified: boolean;
}

/**
 * Those that the cloud's configuration names, and those of the Infrastructure that it does not; sorted, so that the same words always
 * make the same configuration.
 */
export function vcentersOf(
  source: { readonly text: string; readonly where: string } | undefined,
  { vsphere }: Pick<PlatformSpec, "vsphere">,
): VCenterPlace[] {
  const { said, workspace } = source === undefined ? { said: [] } : parseVCenters(source.text, source.where);
  const known = new Set(said.map(({ server }) => server));
  const further = (vsphere?.vcenters ?? [])
    .filter(({ server }) => !known.has(server))
    .map(({ server, port, datacenters }) => ({ server, port, datacenters, isVerified: true }));
  const domains = vsphere?.failureDomains ?? [];
  return [...said, ...further]
    .map((place) => ({ ...place, datastores: datastoresOf(place.server, domains, workspace) }))
    .toSorted((a, b) => (a.server < b.server ? -1 : 1));
}

/** Those of the failure domains. Clusters that have none are old, and have one datastore in the cloud's configuration. */
function datastoresOf(
  server: string,
  domains: readonly VSphereFailureDomain[],
  workspace: Workspace | undefined,
): readonly string[] {
  if (domains.length === 0) {
    return workspace === undefined || (workspace.server ?? server) !== server ? [] : [datastorePath(workspace)];
  }
  const own = domains.filter((domain) => domain.server === server);
  return [...new Set(own.map(({ topology }) => datastorePath(topology)))];
}

/** The datastore is a path already, or a name in its datacenter. */
function datastorePath({ datacenter, datastore }: { readonly datacenter: string; readonly datastore: string }): string {
  return datastore.startsWith("/") ? datastore : `/${datacenter.replace(/^\/+/u, "")}/datastore/${datastore}`;
}

type SaidPlace = Omit<VCenterPlace, "datastores">;

interface CloudConfig {
  readonly said: readonly SaidPlace[];
  readonly workspace?: Workspace;
}

/** Where the driver that was part of Kubernetes made volumes; only sections have it. */
interface Workspace {
  readonly server: string | undefined;
  readonly datacenter: string;
  readonly datastore: string;
}

/** In sections, as it was for long, or in YAML. */
function parseVCenters(text: string, where: string): CloudConfig {
  return /^\s*\[/mu.test(text) ? fromSections(text, where) : { said: fromYaml(text, where) };
}

const SECTION = /^VirtualCenter\s+"(.+)"$/iu;

function fromSections(text: string, where: string): CloudConfig {
  const sections = parseIni(text, where).map(({ name, values }) => ({
    name,
    values: new Map([...values].map(([key, value]) => [key.toLowerCase(), value])),
  }));
  const called = (wanted: string) => sections.find(({ name }) => name.toLowerCase() === wanted)?.values;
  const global = called("global");
  const said = sections.flatMap(({ name, values }): SaidPlace[] => {
    const [, server] = SECTION.exec(name) ?? [];
    if (server === undefined) return [];
    const isVerified = !isOn(values.get("insecure-flag") ?? global?.get("insecure-flag"));
    return [{ server, port: portOf(values.get("port")), datacenters: listOf(values.get("datacenters")), isVerified }];
  });
  const workspace = workspaceFrom(called("workspace"));
  return { said, ...(workspace !== undefined && { workspace }) };
}

function workspaceFrom(values: ReadonlyMap<string, string> | undefined): Workspace | undefined {
  const datastore = textOf(values?.get("default-datastore"));
  if (datastore === undefined) return undefined;
  return { server: textOf(values?.get("server")), datacenter: values?.get("datacenter") ?? "", datastore };
}

function fromYaml(text: string, where: string): SaidPlace[] {
  const { vcenter, global } = fieldsOf(parsedYaml(text, where));
  return Object.entries(fieldsOf(vcenter)).map(([name, value]) => {
    const { server, port, datacenters, insecureFlag = fieldsOf(global)["insecureFlag"] } = fieldsOf(value);
    const list = Array.isArray(datacenters) ? datacenters.map(String) : listOf(textOf(datacenters));
    const isVerified = !isOn(textOf(insecureFlag));
    return { server: textOf(server) ?? name, port: portOf(textOf(port)), datacenters: list, isVerified };
  });
}

function parsedYaml(text: string, where: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch {
    // What the parser says repeats the line, and a password may be on it.
    throw new StowageError("CLOUD_CONFIG_INVALID", `${where}: this is neither in sections nor YAML`);
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isOn(text: string | undefined): boolean {
  return text === "1" || text?.toLowerCase() === "true";
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

function listOf(text = ""): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
