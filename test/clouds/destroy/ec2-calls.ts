export type Ec2Call = (action: string, parameters?: Readonly<Record<string, string>>) => Promise<string>;

/** EC2 by hand, so that what judges the command shares no code with it. moto looks at no signature, only at whom it is meant for. */
export function ec2At(url: string): Ec2Call {
  return async (action, parameters = {}) => {
    const scope = "Credential=test/20260101/us-east-1/ec2/aws4_request, SignedHeaders=host, Signature=none";
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `AWS4-HMAC-SHA256 ${scope}` },
      body: new URLSearchParams({ Action: action, Version: "2016-11-15", ...parameters }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${action}: HTTP ${response.status} ${text}`);
    return text;
  };
}

export function tagged(type: "volume" | "snapshot", tags: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(tags).flatMap(([key, value], index) => {
    const name = `TagSpecification.1.Tag.${index + 1}`;
    return [
      [`${name}.Key`, key],
      [`${name}.Value`, value],
    ];
  });
  return { "TagSpecification.1.ResourceType": type, ...Object.fromEntries(entries) };
}

/** The ids of everything in an answer that begins an item with one. */
export function idsIn(xml: string, name: "volumeId" | "snapshotId" | "instanceId"): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]+)</${name}>`, "gu"))].map(([, id = ""]) => id);
}

export async function volumeIds(ec2: Ec2Call): Promise<Set<string>> {
  return new Set(idsIn(await ec2("DescribeVolumes"), "volumeId"));
}

/** One after the other takes minutes. */
export async function makeMany<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const worker = async () => {
    for (const index of indexes) made[index] = await make(index);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return made;
}
