import { createHash } from "node:crypto";
import type { StorageClass } from "@stowage/machinery";
import type { ShareType } from "../../../../openstack/index.ts";

/** Holds no secret: it tells the driver in which file its credentials are. */
const SECRET_NAME = "csi-manila-secrets";
const NAME_PREFIX = "csi-manila-";
/** Names of objects have 253 letters at most. */
const MAXIMUM_STEM_LENGTH = 230;

export interface ShareClassInput {
  readonly driverName: string;
  readonly namespace: string;
}

/** One for each type. None asks to be the default: a share is not what somebody means who says nothing. */
export function desiredShareClasses(types: readonly ShareType[], input: ShareClassInput): StorageClass[] {
  const names = classNames(types.map(({ name }) => name));
  return [...names].map(([type, name]) => shareClass(type, name, input));
}

/**
 * Type → name of its class. Types that differ in nothing that a name can hold keep apart by a part of their hash; the one that is
 * called as its class is has the plain name.
 */
export function classNames(types: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const plainFirst = types.toSorted((a, b) => Number(stemOf(b) === b) - Number(stemOf(a) === a) || (a < b ? -1 : 1));
  const names = plainFirst.map((type): [string, string] => {
    const plain = NAME_PREFIX + stemOf(type);
    const name = taken.has(plain) || stemOf(type) === "" ? `${plain}-${hashOf(type)}`.replace("--", "-") : plain;
    taken.add(name);
    return [type, name];
  });
  return new Map(names.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** In small letters, with a dash for what no name may have. */
function stemOf(type: string): string {
  return type
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/gu, "-")
    .slice(0, MAXIMUM_STEM_LENGTH)
    .replaceAll(/^[.-]+|[.-]+$/gu, "");
}

function hashOf(type: string): string {
  return createHash("sha256").update(type).digest("hex").slice(0, 8);
}

function shareClass(type: string, name: string, { driverName, namespace }: ShareClassInput): StorageClass {
  const uses = ["provisioner", "node-stage", "node-publish", "controller-expand"];
  const secrets = uses.flatMap((use) => [
    [`csi.storage.k8s.io/${use}-secret-name`, SECRET_NAME],
    [`csi.storage.k8s.io/${use}-secret-namespace`, namespace],
  ]);
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner: driverName,
    parameters: { type, ...Object.fromEntries(secrets) },
    reclaimPolicy: "Delete",
    // A share can be mounted from everywhere.
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: true,
  };
}
