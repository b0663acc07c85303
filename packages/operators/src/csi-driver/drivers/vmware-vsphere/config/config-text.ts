import { type Secret, StowageError } from "@stowage/machinery";
import type { VCenterPlace } from "./cloud-config.ts";

export interface VCenterLogin {
  readonly user: string;
  readonly password: string;
}

export interface ConfigTextInput {
  readonly clusterId: string;
  /** Sorted. */
  readonly vcenters: readonly (VCenterPlace & VCenterLogin)[];
  readonly categories: readonly string[];
  /** See `snapshotLimits`. */
  readonly limits: readonly (readonly [string, string])[];
  /** See `migrationDatastore`. */
  readonly migrationDatastoreUrl?: string;
}

/**
 * The driver's `cloud.conf`. The same input always makes the same text: another one would restart every Pod of the driver. The server's
 * certificate is not looked at, as the original has it; the proxy and its authorities are the Pod's.
 */
export function desiredConfigText(input: ConfigTextInput): string {
  const { clusterId, vcenters, categories, limits, migrationDatastoreUrl: url } = input;
  const migration = url === undefined ? [] : [`migration-datastore-url = ${quoted(url)}`];
  const sections = [
    ["[Global]", `cluster-id = ${quoted(clusterId)}`],
    ...vcenters.map((vcenter) => [...vcenterSection(vcenter), ...migration]),
    ...(categories.length === 0 ? [] : [["[Labels]", `topology-categories = ${quoted(categories.join(","))}`]]),
    ...(limits.length === 0 ? [] : [["[Snapshot]", ...limits.map(([name, value]) => `${name} = ${value}`)]]),
  ];
  return sections.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function vcenterSection({ server, port, datacenters, user, password }: VCenterPlace & VCenterLogin): string[] {
  return [
    `[VirtualCenter ${quoted(server)}]`,
    "insecure-flag = true",
    ...(port === undefined ? [] : [`port = ${quoted(String(port))}`]),
    `datacenters = ${quoted(datacenters.join(","))}`,
    `password = ${quoted(password)}`,
    `user = "${escapedUser(user)}"`,
  ];
}

/** A quote or a backslash would otherwise end the value, or be taken for the beginning of another character. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/gu, "\\$&")}"`;
}

/** `DOMAIN\user`. Two backslashes are the work of somebody who has escaped it already. */
function escapedUser(user: string): string {
  return user.replaceAll(/\\\\|["\\]/gu, (found) => (found.length === 2 ? found : `\\${found}`));
}

/** Of each vCenter by its name. What is missing is told by its key, and never by what is there. */
export function loginFrom(secret: Secret | undefined, server: string, where: string): VCenterLogin {
  const valueOf = (kind: "username" | "password"): string => {
    const key = `${server}.${kind}`;
    const encoded = secret?.data?.[key];
    if (encoded === undefined || encoded === "") {
      const what = secret === undefined ? `there is no ${where}` : `${where} has no key ${key}`;
      throw new StowageError("CLOUD_CONFIG_INVALID", what, {
        nextStep: `Wait for the credentials of vCenter to be made, or put them into ${where}.`,
      });
    }
    const value = Buffer.from(encoded, "base64").toString("utf8");
    if (/[\r\n]/u.test(value)) {
      throw new StowageError("CLOUD_CONFIG_INVALID", `${where}, key ${key}: there is a line break in it`);
    }
    return value;
  };
  return { user: valueOf("username"), password: valueOf("password") };
}
