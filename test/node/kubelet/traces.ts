import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where volumes are mounted or bound below kubelet's folder. */
export function volumeMounts(kubeletFolder: string): string[] {
  const points = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");
  return points.filter((point) => point.startsWith(`${kubeletFolder}/`) && /kubernetes\.io~?\/?csi/.test(point));
}

/** What losetup says of devices whose file's path has one of the texts in it, those that were made of such a device included. */
export async function loopDevices(texts: readonly string[]): Promise<string[]> {
  const { stdout } = await run("losetup", ["--list", "--noheadings", "--output", "NAME,BACK-FILE"]);
  return stdout.split("\n").filter((line) => texts.some((text) => line.includes(text)));
}

/** Lets go of what a failed test left, after it was unmounted. */
export async function detachLoopDevices(folder: string): Promise<void> {
  for (const line of await loopDevices([`${folder}/`])) await run("losetup", ["--detach", line.split(" ")[0] ?? ""]);
}

/** Every file and folder below. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}
