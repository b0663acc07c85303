import { execFile } from "node:child_process";
import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Driver } from "@stowage/csi";

const run = promisify(execFile);
const BYTES = 4 * 1024 * 1024;

/** The mock publishes a file where a device is asked for, which no runtime gives to a container: here a real device takes its place. */
export async function withDevice(stack: AsyncDisposableStack, driver: Driver, folder: string): Promise<Driver> {
  const { node } = driver;
  if (node === undefined) throw new TypeError("the driver has no node service");
  const numbers = await makeDevice(stack, join(folder, "device"));
  return {
    ...driver,
    node: {
      ...node,
      async nodePublishVolume(request, context) {
        const answer = await node.nodePublishVolume(request, context);
        if (request.volumeCapability?.accessType.case === "block") {
          rmSync(request.targetPath);
          await run("mknod", ["--mode=600", request.targetPath, "b", ...numbers]);
        }
        return answer;
      },
    },
  };
}

/** Major and minor number, as mknod takes them. */
async function makeDevice(stack: AsyncDisposableStack, file: string): Promise<string[]> {
  writeFileSync(file, "");
  truncateSync(file, BYTES);
  const { stdout } = await run("losetup", ["--find", "--show", file]);
  const device = stdout.trim();
  stack.defer(async () => void (await run("losetup", ["--detach", device])));
  const { rdev } = statSync(device);
  return [`${(rdev >> 8) & 0xfff}`, `${(rdev & 0xff) | ((rdev >> 12) & 0xfff00)}`];
}
