import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { layoutOf, socketFolder } from "../cluster/layout.ts";
import { type Settings, serverAddress, writeSettings } from "../cluster/settings.ts";
import type { Plan } from "../components/component.ts";
import { containerdConfigFile, desiredContainerdConfig, networkConfigFolder } from "../components/containerd.ts";
import { desiredKubeletConfig, kubeletConfigFile, kubeletFolder } from "../components/kubelet.ts";
import { LabError } from "../errors.ts";
import { writeFileAtomically } from "../files.ts";
import type { Progress } from "../progress.ts";
import { chooseAddress, ensureAddress, removeAddress } from "./address.ts";
import { defaultKubeletFolder, requireUnusedFolder } from "./kubelet-folder.ts";
import { detachLoopDevices, removeFixedFolders, removeLogLinks, removePodCgroups } from "./leftovers.ts";
import { ensureSharedMount, unmountBelow } from "./mounts.ts";
import { desiredNetwork, removeNetwork } from "./network.ts";
import { hasNodeRules, removeNodeRules } from "./packet-filter.ts";
import { applySysctls, readSysctls, writeSysctls } from "./sysctls.ts";

export function requireRoot(): void {
  if (process.getuid?.() === 0) return;
  throw new LabError(
    "NODE_REFUSED",
    "the node level needs root: it mounts, makes network namespaces and starts containers",
    {
      nextStep: 'run the command as root, or use "--level control", which needs no rights',
    },
  );
}

/** What the node level will change on this machine; decided and remembered before the first change is made. */
export async function planMachine(dir: string, settings: Settings, wantedKubeletFolder?: string): Promise<Settings> {
  if (settings.machine !== undefined) return settings;
  if (await hasNodeRules()) {
    // Two kube-proxies in one network namespace would write the same chains, each its own.
    throw new LabError(
      "NODE_REFUSED",
      "this machine already is a Kubernetes node: its iptables have kube-proxy's chains",
      {
        nextStep:
          'stop the other node, such as a lab in another folder with "down --dir"; control-plane labs can run side by side',
      },
    );
  }
  const folder = settings.kubeletFolder ?? wantedKubeletFolder ?? defaultKubeletFolder(dir);
  if (settings.kubeletFolder === undefined) requireUnusedFolder(folder);
  const changed = { ...settings, kubeletFolder: folder, machine: { address: chooseAddress(), sysctls: readSysctls() } };
  writeSettings(dir, changed);
  return changed;
}

/** Brings the machine to what the plan says; what is there already is left alone. */
export async function ensureMachine(plan: Plan): Promise<void> {
  const { dir } = plan;
  await ensureAddress(serverAddress(plan.settings));
  applySysctls();
  await ensureSharedMount(kubeletFolder(plan));
  mkdirSync(socketFolder(dir), { recursive: true, mode: 0o700 });
  mkdirSync(layoutOf(dir).podLogs, { recursive: true, mode: 0o755 });
  writeFileAtomically(containerdConfigFile(dir), desiredContainerdConfig(dir));
  writeFileAtomically(
    join(networkConfigFolder(dir), "10-lab.conflist"),
    `${JSON.stringify(desiredNetwork(dir), undefined, 2)}\n`,
  );
  writeFileAtomically(kubeletConfigFile(dir), `${JSON.stringify(desiredKubeletConfig(plan), undefined, 2)}\n`);
}

/** Undoes all of it, after the components have stopped; a step that was done before finds nothing to do. */
export async function restoreMachine(plan: Plan, progress: Progress): Promise<void> {
  const { dir, settings } = plan;
  const { machine, ...rest } = settings;
  if (machine === undefined) return;
  const folders = [kubeletFolder(plan), socketFolder(dir), layoutOf(dir).containerd];
  for (const folder of folders) await unmountBelow(folder, progress);
  await detachLoopDevices([kubeletFolder(plan), dir]);
  await removeNetwork(dir);
  await removeNodeRules();
  removePodCgroups();
  removeLogLinks(layoutOf(dir).podLogs);
  removeFixedFolders();
  await removeAddress(machine.address);
  writeSysctls(machine.sysctls);
  rmSync(socketFolder(dir), { recursive: true, force: true });
  writeSettings(dir, rest);
}
