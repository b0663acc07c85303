import { type Ec2Call, idsIn } from "../destroy/ec2-calls.ts";

/** Tags of a volume or an access point, as AWS tells them. */
export type Tags = Readonly<Record<string, string>>;

export async function makeVolume(ec2: Ec2Call): Promise<string> {
  const [id = ""] = idsIn(await ec2("CreateVolume", { AvailabilityZone: "us-east-1a", Size: "1" }), "volumeId");
  return id;
}

/** By volume. */
export async function volumeTags(ec2: Ec2Call): Promise<Map<string, Tags>> {
  const xml = await ec2("DescribeTags", { "Filter.1.Name": "resource-type", "Filter.1.Value.1": "volume" });
  const found = new Map<string, Record<string, string>>();
  for (const [, item = ""] of xml.matchAll(/<item>(.*?)<\/item>/gsu)) {
    const text = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`, "u").exec(item)?.[1] ?? "";
    const id = text("resourceId");
    found.set(id, { ...found.get(id), [text("key")]: text("value") });
  }
  return found;
}

export interface Efs {
  makeAccessPoint(): Promise<string>;
  tagsOf(accessPoint: string): Promise<Tags>;
}

/** EFS by hand, as `ec2At` is EC2. */
export async function efsAt(url: string): Promise<Efs> {
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const scope =
      "Credential=test/20260101/us-east-1/elasticfilesystem/aws4_request, SignedHeaders=host, Signature=none";
    const response = await fetch(`${url}/2015-02-01/${path}`, {
      method,
      headers: { authorization: `AWS4-HMAC-SHA256 ${scope}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { FileSystemId } = await call("POST", "file-systems", { CreationToken: "test" });
  let made = 0;
  return {
    async makeAccessPoint() {
      const { AccessPointId } = await call("POST", "access-points", { ClientToken: `token-${made++}`, FileSystemId });
      return String(AccessPointId);
    },
    async tagsOf(accessPoint) {
      const { Tags: tags } = await call("GET", `resource-tags/${accessPoint}`);
      return Object.fromEntries((tags as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]));
    },
  };
}
