import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { labHash, layoutOf, socketFolder } from "../cluster/layout.ts";
import { listFolder, removeEmptyFolder } from "../files.ts";
import { runCommand } from "../process/command.ts";

export const POD_RANGE = "10.78.0.0/16";

/** Where the CNI library keeps what it did for each container, the path of its network namespace too; fixed in it. */
const CNI_RESULTS = "/var/lib/cni/results";

function networkName(dir: string): string {
  return `stowage-lab-${labHash(dir)}`;
}

/** At most 15 characters, or Linux refuses it. */
export function bridgeName(dir: string): string {
  return `lab-${labHash(dir)}`;
}

/** A bridge of the lab's own; Pods leave the machine under its address. */
export function desiredNetwork(dir: string) {
  return {
    cniVersion: "0.4.0",
    name: networkName(dir),
    plugins: [
      {
        type: "bridge",
        bridge: bridgeName(dir),
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: {
          type: "host-local",
          dataDir: join(layoutOf(dir).networks, "leases"),
          ranges: [[{ subnet: POD_RANGE }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}

/** Removes the bridge, and what was remembered about the Pods' networks; their namespaces have been unmounted before. */
export async function removeNetwork(dir: string): Promise<void> {
  for (const name of listFolder(CNI_RESULTS)) {
    const file = join(CNI_RESULTS, name);
    if (readFileSync(file, "utf8").includes(`"sandbox":"${socketFolder(dir)}/`)) rmSync(file, { force: true });
  }
  removeEmptyFolder(CNI_RESULTS);
  removeEmptyFolder(dirname(CNI_RESULTS));
  rmSync(join(layoutOf(dir).networks, "leases"), { recursive: true, force: true });
  if (existsSync(`/sys/class/net/${bridgeName(dir)}`)) await runCommand("ip", ["link", "delete", bridgeName(dir)]);
}
