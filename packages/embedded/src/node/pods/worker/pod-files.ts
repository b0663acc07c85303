import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pod } from "@stowage/machinery";
import type { ImageFile } from "../life/container-plan.ts";
import { hostnameOf, hostsFile } from "./hosts-file.ts";
import { resolverFile } from "./resolver-file.ts";

/** Writes the files that all containers of a Pod have in place of the machine's, and tells where they are. */
export function writePodFiles(folder: string, pod: Pod, podIPs: readonly string[]): ImageFile[] {
  const isOnHost = pod.spec?.hostNetwork === true;
  const files: readonly (readonly [string, string, string | undefined])[] = [
    ["etc-hosts", "/etc/hosts", isOnHost ? undefined : hostsFile(pod, podIPs)],
    ["etc-hostname", "/etc/hostname", isOnHost ? undefined : `${hostnameOf(pod)}\n`],
    ["etc-resolv-conf", "/etc/resolv.conf", resolverFile(pod, readIfThere("/etc/resolv.conf"))],
  ];
  return files.flatMap(([name, containerPath, text]) => {
    if (text === undefined) return [];
    const hostPath = join(folder, name);
    writeFileSync(hostPath, text, { mode: 0o644 });
    return [{ hostPath, containerPath }];
  });
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // A machine may know nobody to ask.
  }
}
