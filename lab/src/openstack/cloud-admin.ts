import { LabError } from "../errors.ts";
import { type CloudPlace, cinderUrl, keystoneUrl, manilaUrl } from "./cloud-files.ts";

/** What the cloud's administrator does. */
export interface CloudAdmin {
  /** Puts Manila into the catalogue, at an address that may be a proxy's; returns the id by which it is taken out again. */
  addShareService(url?: string): Promise<string>;
  /** Likewise Cinder. */
  addVolumeService(url?: string): Promise<string>;
  removeService(id: string): Promise<void>;
  addShareType(name: string): Promise<void>;
  removeShareType(name: string): Promise<void>;
}

const API_VERSION = "2.7";

/** Logs in for every request: a test changes few things, and may change who may do so. */
export function cloudAdmin(place: CloudPlace): CloudAdmin {
  const keystone = (path: string, body?: object, method?: string) =>
    call(place, keystoneUrl(place) + path, body, method);
  const manila = (path: string, body?: object, method?: string) => call(place, manilaUrl(place) + path, body, method);
  const addService = async (service: { readonly type: string; readonly name: string }, url: string) => {
    const { service: added } = await keystone("/services", { service });
    const { id } = added as { id: string };
    const endpoint = { interface: "public", region_id: "RegionOne", url, service_id: id };
    await keystone("/endpoints", { endpoint });
    return id;
  };
  return {
    addShareService: (url = manilaUrl(place)) => addService({ type: "sharev2", name: "manilav2" }, url),
    // Keystone fills the project in.
    addVolumeService: (url = cinderUrl(place)) =>
      addService({ type: "volumev3", name: "cinderv3" }, `${url}/$(project_id)s`),
    async removeService(id) {
      await keystone(`/services/${id}`, undefined, "DELETE");
    },
    async addShareType(name) {
      const extra_specs = { driver_handles_share_servers: "false" };
      await manila("/types", { share_type: { name, extra_specs } });
    },
    async removeShareType(name) {
      const { share_types: types } = await manila("/types");
      const found = (types as { id: string; name: string }[]).find((type) => type.name === name);
      if (found !== undefined) await manila(`/types/${found.id}`, undefined, "DELETE");
    },
  };
}

async function call(place: CloudPlace, url: string, body?: object, method = body === undefined ? "GET" : "POST") {
  const headers = { "x-auth-token": await token(place), "x-openstack-manila-api-version": API_VERSION };
  const response = await send(url, headers, body, method);
  return response.status === 202 || response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>);
}

async function token(place: CloudPlace): Promise<string> {
  const domain = { id: "default" };
  const user = { name: "admin", domain, password: place.password };
  const scope = { project: { name: "admin", domain } };
  const auth = { identity: { methods: ["password"], password: { user } }, scope };
  const response = await send(`${keystoneUrl(place)}/auth/tokens`, {}, { auth }, "POST");
  return response.headers.get("x-subject-token") ?? "";
}

async function send(url: string, headers: Record<string, string>, body: object | undefined, method: string) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new LabError("COMMAND_FAILED", `${method} ${url} was answered with HTTP ${response.status}`);
  return response;
}
