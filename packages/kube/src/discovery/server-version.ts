import type { KubeClient } from "../client/kube-client.ts";

export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
  /** `v1.36.3`, with whatever a vendor appends. */
  readonly gitVersion: string;
  /** `linux/amd64`. */
  readonly platform: string;
}

interface VersionInfo {
  readonly major?: string;
  readonly minor?: string;
  readonly gitVersion?: string;
  readonly platform?: string;
}

export async function serverVersion(client: Pick<KubeClient, "getPath">): Promise<ServerVersion> {
  return readVersion(await client.getPath<VersionInfo>("/version"));
}

/** Hosted clusters write the minor as `29+`; some builds leave both numbers empty and have only the git version. */
export function readVersion(info: VersionInfo): ServerVersion {
  const [, gitMajor = "0", gitMinor = "0"] = /^v?(\d+)\.(\d+)/.exec(info.gitVersion ?? "") ?? [];
  return {
    major: leadingNumber(info.major) ?? Number(gitMajor),
    minor: leadingNumber(info.minor) ?? Number(gitMinor),
    gitVersion: info.gitVersion ?? "",
    platform: info.platform ?? "",
  };
}

function leadingNumber(text = ""): number | undefined {
  const digits = /^\d+/.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
