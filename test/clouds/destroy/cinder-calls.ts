import type { OpenStackCloud } from "@stowage/lab";

export interface CinderVolume {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

type Tags = Readonly<Record<string, string>>;

/** Cinder by hand, so that what judges the command shares no code with it. */
export interface CinderCalls {
  makeVolume(name: string, metadata: Tags): Promise<string>;
  makeSnapshot(volumeId: string, metadata: Tags): Promise<string>;
  attach(volumeId: string, serverId: string): Promise<void>;
  detach(volumeId: string): Promise<void>;
  deleteSnapshot(id: string): Promise<void>;
  list(kind: "volumes" | "snapshots"): Promise<CinderVolume[]>;
}

const DEVICE = { mountpoint: "/dev/vdb", mode: "rw" };

export async function cinderAt(cloud: OpenStackCloud): Promise<CinderCalls> {
  const { token, project } = await login(cloud);
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${cloud.cinderUrl}/${project}/${path}`, {
      method,
      headers: { "x-auth-token": token, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Record<string, CinderVolume>);
  };
  const make = async (kind: "volume" | "snapshot", fields: object) => {
    const { [kind]: made } = await call("POST", `${kind}s`, { [kind]: fields });
    return made?.id ?? "";
  };
  const act = (id: string, action: object) => call("POST", `volumes/${id}/action`, action);
  return {
    makeVolume: (name, metadata) => make("volume", { size: 1, name, metadata }),
    makeSnapshot: (volumeId, metadata) => make("snapshot", { volume_id: volumeId, metadata }),
    async attach(volumeId, serverId) {
      await act(volumeId, { "os-attach": { ...DEVICE, instance_uuid: serverId } });
    },
    async detach(volumeId) {
      await act(volumeId, { "os-detach": {} });
    },
    async deleteSnapshot(id) {
      await call("DELETE", `snapshots/${id}`);
    },
    async list(kind) {
      const found: CinderVolume[] = [];
      for (;;) {
        const marker = found.length === 0 ? "" : `?marker=${found.at(-1)?.id}`;
        const page = (await call("GET", `${kind}/detail${marker}`))[kind] as unknown as CinderVolume[];
        if (page.length === 0) return found;
        found.push(...page);
      }
    },
  };
}

async function login({ keystoneUrl, password }: OpenStackCloud): Promise<{ token: string; project: string }> {
  const domain = { id: "default" };
  const user = { name: "admin", domain, password };
  const scope = { project: { name: "admin", domain } };
  const auth = { identity: { methods: ["password"], password: { user } }, scope };
  const response = await fetch(`${keystoneUrl}/auth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth }),
  });
  const { token } = (await response.json()) as { token: { project: { id: string } } };
  return { token: response.headers.get("x-subject-token") ?? "", project: token.project.id };
}
