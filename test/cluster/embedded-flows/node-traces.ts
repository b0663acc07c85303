import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import type { DriverProcess } from "../../node/kubelet/driver-process.ts";
import { filesBelow, loopDevices, volumeMounts } from "../../node/kubelet/traces.ts";
import { processesOf } from "../../up/stowage-up/machine-state.ts";
import type { FlowCluster, StorageNode } from "./flow-cluster.ts";

/** As the kernel shows them, each with the number that a new one would not have. */
export function mountLines(texts: readonly string[]): string[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return lines.filter((line) => texts.some((text) => line.includes(text)));
}

/** What a driver was asked to mount since it was started. */
export function mountingCalls({ log }: DriverProcess): string[] {
  return log.split("\n").filter((line) => /Node(?:Stage|Publish)Volume/u.test(line));
}

/** Until Pods and volumes have left nothing on the nodes and in the storage. */
export async function nothingLeft({ cluster, nodes, folder }: FlowCluster): Promise<void> {
  await eventually(async () => {
    for (const { kubeletFolder, local } of nodes) {
      expect(volumeMounts(kubeletFolder)).toEqual([]);
      expect(processesOf(join(kubeletFolder, "containers"))).toEqual([]);
      expect(filesBelow(join(kubeletFolder, "pods"))).toEqual([]);
      expect(filesBelow(local.stateDir).filter((file) => /(?:vol|snap|csi)-/u.test(file))).toEqual([]);
    }
    expect(await loopDevices([...cluster.nodes.map(({ kubeletFolder }) => `${kubeletFolder}/`), `${folder}/`])).toEqual(
      [],
    );
  });
}

/** Until the work is done, nothing can be written there. What Pods had before is gone first: it would be hidden meanwhile. */
export async function whileReadOnly(
  { kubeletFolder }: StorageNode,
  folder: string,
  work: () => Promise<void>,
): Promise<void> {
  await eventually(async () => expect(volumeMounts(kubeletFolder)).toEqual([]));
  execFileSync("mount", ["--bind", folder, folder]);
  try {
    execFileSync("mount", ["--make-private", folder]);
    execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    await work();
  } finally {
    execFileSync("umount", ["--lazy", folder]);
  }
}
