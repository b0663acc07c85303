import { snapshotParameters as names, StowageError } from "@stowage/machinery";
import type { SecretParameter } from "../secrets/index.ts";

type Parameters = Readonly<Record<string, string>>;

const secret = (purpose: string, nameKey: string, namespaceKey: string): SecretParameter => ({
  purpose,
  nameKeys: [nameKey],
  namespaceKeys: [namespaceKey],
});

/** The secrets that a snapshot class can name. */
export const snapshotSecrets = {
  snapshotter: secret("snapshotter", names.snapshotterSecretName, names.snapshotterSecretNamespace),
  list: secret("snapshotter-list", names.snapshotterListSecretName, names.snapshotterListSecretNamespace),
  group: secret("group-snapshotter", names.groupSnapshotterSecretName, names.groupSnapshotterSecretNamespace),
  groupGet: secret(
    "group-snapshotter-get",
    names.groupSnapshotterGetSecretName,
    names.groupSnapshotterGetSecretNamespace,
  ),
} as const;

const forSidecars: ReadonlySet<string> = new Set(
  Object.values(snapshotSecrets).flatMap(({ nameKeys, namespaceKeys }) => [...nameKeys, ...namespaceKeys]),
);

/** The parameters that are the driver's. One that looks like the sidecars' and is none of theirs is a slip of the pen. */
export function driverParameters(parameters: Parameters = {}): Record<string, string> {
  const entries = Object.entries(parameters).filter(([key]) => !forSidecars.has(key));
  const unknown = entries.map(([key]) => key).filter((key) => key.startsWith(names.prefix));
  if (unknown.length > 0) {
    throw new StowageError("SNAPSHOT_IMPOSSIBLE", `the class has unknown parameters: ${unknown.join(", ")}`, {
      nextStep: `Correct or leave out the parameter; known are ${[...forSidecars].join(", ")}.`,
    });
  }
  return Object.fromEntries(entries);
}
