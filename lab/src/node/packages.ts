import { existsSync } from "node:fs";
import { LabError } from "../errors.ts";
import { runCommand } from "../process/command.ts";
import { type Progress, timed } from "../progress.ts";
import { findCommand } from "./commands.ts";

/** Debian's folder for CNI plugins. */
export const CNI_PLUGIN_FOLDER = "/usr/lib/cni";

/** Debian's packages, and whether what the lab needs of each is there, wherever it came from. */
const requirements: Readonly<Record<string, () => boolean>> = {
  containerd: () => findCommand("containerd") !== undefined && findCommand("ctr") !== undefined,
  runc: () => findCommand("runc") !== undefined,
  "containernetworking-plugins": () => existsSync(`${CNI_PLUGIN_FOLDER}/bridge`),
  iptables: () => findCommand("iptables") !== undefined,
  "busybox-static": () => findCommand("busybox") !== undefined,
  iproute2: () => findCommand("ip") !== undefined,
  mount: () => findCommand("mount") !== undefined,
};

/** Somebody else's package manager may be at work. */
const APT_LOCK_WAIT_SECONDS = 300;

export async function ensurePackages(progress: Progress, signal?: AbortSignal): Promise<void> {
  const missing = missingPackages();
  if (missing.length === 0) return;
  if (findCommand("apt-get") === undefined) {
    throw new LabError(
      "NODE_REFUSED",
      `the node level needs what Debian calls ${missing.join(" ")}, and there is no apt-get`,
      {
        nextStep: `install them (CNI plugins in ${CNI_PLUGIN_FOLDER}) and run the command again`,
      },
    );
  }
  await timed(progress, `installing ${missing.join(" ")}`, async () => {
    await aptGet(["update"], signal);
    signal?.throwIfAborted();
    // Not to be cancelled: packages that are half installed would be left behind.
    await aptGet(["install", "--yes", "--no-install-recommends", ...missing]);
  });
  const stillMissing = missingPackages();
  if (stillMissing.length > 0) {
    throw new LabError("NODE_REFUSED", `${stillMissing.join(" ")} did not bring what the lab looks for`);
  }
}

function missingPackages(): string[] {
  return Object.keys(requirements).filter((name) => requirements[name]?.() === false);
}

async function aptGet(aptArguments: string[], signal?: AbortSignal): Promise<void> {
  const lockWait = ["-o", `DPkg::Lock::Timeout=${APT_LOCK_WAIT_SECONDS}`];
  await runCommand("apt-get", ["--quiet", ...lockWait, ...aptArguments], {
    environment: { DEBIAN_FRONTEND: "noninteractive" },
    signal,
  });
}
