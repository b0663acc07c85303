import { StowageError } from "@stowage/machinery";
import { createCloudHttp, elementText, escapeXml } from "../../../../cloud-config/index.ts";
import { RestClient } from "./rest.ts";
import { restTags } from "./rest-tags.ts";
import { type ObjectReference, reference, referenceIn, SoapClient } from "./soap.ts";
import { soapPolicies } from "./soap-policies.ts";
import type { ConnectVCenter, Datastore, VCenter, VCenterAccess, VirtualMachine } from "./vcenter.ts";

export interface SoapVCenterDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In PEM: the cluster's authorities, beside those that everybody knows. */
  readonly authority: () => string | undefined;
}

const serviceInstance: ObjectReference = { type: "ServiceInstance", id: "ServiceInstance" };

/** By vCenter's web services, of which it needs a few methods; tags are in its other API alone. */
export function soapVCenter({ env, authority }: SoapVCenterDeps): ConnectVCenter {
  return async (access, signal) => {
    const { isVerified } = access;
    const http = createCloudHttp({ authority: authority(), isVerified, env });
    const client = new SoapClient(http, urlOf(access));
    const content = await client.call("RetrieveServiceContent", serviceInstance, "", signal);
    const services = servicesOf(content, access);
    const login = `<userName>${escapeXml(access.user)}</userName><password>${escapeXml(access.password)}</password>`;
    await client.call("Login", services.sessions, login, signal);
    return connected({ client, services, rest: new RestClient(http, urlOf(access), access) }, access.server);
  };
}

interface Services {
  readonly version: string;
  readonly sessions: ObjectReference;
  readonly search: ObjectReference;
  readonly properties: ObjectReference;
}

function servicesOf(content: string, { server }: VCenterAccess): Services {
  const version = elementText(content, "apiVersion");
  const sessions = referenceIn(content, "sessionManager");
  const search = referenceIn(content, "searchIndex");
  const properties = referenceIn(content, "propertyCollector");
  if (version !== undefined && sessions !== undefined && search !== undefined && properties !== undefined) {
    return { version, sessions, search, properties };
  }
  throw new StowageError("CLOUD_REFUSED", `${server} does not answer as a vCenter does`);
}

interface Connection {
  readonly client: SoapClient;
  readonly services: Services;
  readonly rest: RestClient;
}

function connected(connection: Connection, server: string): VCenter {
  const { client, services, rest } = connection;
  return {
    server,
    version: services.version,
    machine: (uuid, signal) => machineBy(connection, { uuid, server }, signal),
    datastore: (path, signal) => datastoreAt(connection, { path, server }, signal),
    tags: restTags(rest),
    policies: soapPolicies(client.policies(), server),
    async logout(signal) {
      await Promise.all([rest.logout(signal), client.call("Logout", services.sessions, "", signal)]);
    },
  };
}

async function machineBy(
  { client, services }: Connection,
  { uuid, server }: { readonly uuid: string; readonly server: string },
  signal: AbortSignal,
): Promise<VirtualMachine | undefined> {
  const wanted = `<uuid>${escapeXml(uuid)}</uuid><vmSearch>true</vmSearch>`;
  const machine = referenceIn(await client.call("FindByUuid", services.search, wanted, signal), "returnval");
  if (machine === undefined) return undefined;
  const paths = ["config.version", "runtime.host"];
  const ofMachine = await properties(client, services, { of: machine, paths }, signal);
  const host = referenceIn(ofMachine.get("runtime.host") ?? "", "val");
  if (host === undefined) throw incomplete(server, "on which host a machine runs");
  const path = "config.product.apiVersion";
  const ofHost = await properties(client, services, { of: host, paths: [path] }, signal);
  const version = elementText(ofHost.get(path) ?? "", "val");
  const hardwareVersion = elementText(ofMachine.get("config.version") ?? "", "val");
  if (version === undefined || hardwareVersion === undefined)
    throw incomplete(server, "the version of a machine or host");
  return { hardwareVersion, host: { id: host.id, version } };
}

async function datastoreAt(
  { client, services }: Connection,
  { path, server }: { readonly path: string; readonly server: string },
  signal: AbortSignal,
): Promise<Datastore | undefined> {
  // Without the slash that people and installers begin it with.
  const wanted = `<inventoryPath>${escapeXml(path.replace(/^\/+/u, ""))}</inventoryPath>`;
  const found = referenceIn(await client.call("FindByInventoryPath", services.search, wanted, signal), "returnval");
  if (found?.type !== "Datastore") return undefined;
  const summary = await properties(client, services, { of: found, paths: ["summary.url"] }, signal);
  const url = elementText(summary.get("summary.url") ?? "", "val");
  if (url === undefined) throw incomplete(server, `where the datastore ${path} is`);
  return { id: found.id, url };
}

/** Path → the XML of its value. */
async function properties(
  client: SoapClient,
  { properties: collector }: Services,
  { of, paths }: { readonly of: ObjectReference; readonly paths: readonly string[] },
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = paths.map((path) => `<pathSet>${escapeXml(path)}</pathSet>`).join("");
  const set = `<propSet><type>${escapeXml(of.type)}</type>${wanted}</propSet>`;
  const specification = `<specSet>${set}<objectSet>${reference("obj", of)}</objectSet></specSet>`;
  const answer = await client.call("RetrieveProperties", collector, specification, signal);
  const found = answer.matchAll(/<propSet><name>([^<]*)<\/name>(.*?)<\/propSet>/gsu);
  return new Map([...found].map(([, name = "", value = ""]) => [name, value]));
}

function urlOf({ server, port }: VCenterAccess): string {
  const host = server.includes(":") && !server.startsWith("[") && !/:\d+$/u.test(server) ? `[${server}]` : server;
  return `https://${host}${port === undefined ? "" : `:${port}`}/sdk`;
}

function incomplete(server: string, what: string): StowageError {
  return new StowageError("CLOUD_REFUSED", `vCenter ${server} does not say ${what}`);
}
