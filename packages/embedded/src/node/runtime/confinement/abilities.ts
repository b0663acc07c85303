import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError, type Executor, systemExecutor } from "@stowage/csi/host";
import type { Logger } from "@stowage/machinery";
import { toolFile } from "../system-tools.ts";
import { terminalTool } from "../terminal/index.ts";
import type { Confinement } from "./confinement.ts";
import { createMachineConfinement, createUserConfinement } from "./namespaced-confinement.ts";
import { createPlainConfinement } from "./plain-confinement.ts";
import { isMachineRoot } from "./user-namespace.ts";

/** `machine`: as the machine's root. `user`: as root of the user namespace that this process is in. `plain`: as nothing but processes. */
export type ConfinementKind = "machine" | "user" | "plain";

/** What containers this process can make, found out by doing what it takes. */
export interface Abilities {
  readonly kind: ConfinementKind;
  /** Whether a process of this user could do better within a user namespace: see `enterUserNamespace`. */
  readonly canEnterNamespace: boolean;
  /** Why nothing better is to be had, from the best on. */
  readonly reasons: readonly string[];
}

const overlay = "mkdir upper work root && mount -t overlay -o";
/** Each ends well if containers of its kind can be made. */
const scripts = {
  machine: `${overlay} lowerdir=/,upperdir=upper,workdir=work probe root && setpriv --reuid=1 --regid=1 --clear-groups true`,
  user: `${overlay} userxattr,lowerdir=${dirname(toolFile("sh"))},upperdir=upper,workdir=work probe root && unshare --user --map-user=1 --map-group=1 setpriv --no-new-privs true`,
} as const;
const common = 'mount -t tmpfs probe "$1" && cd "$1" && mount -t proc proc /proc';
const userFlags = ["--user", "--map-root-user"];

/** Tries, and leaves nothing behind. */
export async function readAbilities(executor: Executor = systemExecutor): Promise<Abilities> {
  const reasons: string[] = [];
  const can = async (kind: keyof typeof scripts, flags: readonly string[] = []): Promise<boolean> => {
    const refusal = await refusalOf(executor, scripts[kind], flags);
    if (refusal !== undefined) reasons.push(refusal);
    return refusal === undefined;
  };
  if (!isMachineRoot()) reasons.push("this process is not root");
  else if (await can("machine")) return { kind: "machine", canEnterNamespace: false, reasons };
  if (process.getuid?.() === 0 && (await can("user"))) return { kind: "user", canEnterNamespace: false, reasons };
  return { kind: "plain", canEnterNamespace: await can("user", userFlags), reasons };
}

async function refusalOf(executor: Executor, script: string, flags: readonly string[]): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "stowage-probe-"));
  try {
    const own = [...flags, "--mount", "--pid", "--fork"];
    await executor.run(["unshare", ...own, toolFile("sh"), "-c", `${common} && ${script}`, "sh", folder]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return error.stderrTail === "" ? error.message : (error.stderrTail.split("\n")[0] ?? "");
  } finally {
    rmdirSync(folder);
  }
}

const consequences = {
  machine: undefined,
  user: "containers have one user of the machine, loop devices cannot be had, and volumes are plain directories",
  plain:
    "containers see the machine as it is, nothing of theirs is read-only, and volumes are plain directories on the disk, Secrets too",
} as const;

/** Says once what is not as on other nodes, and why. */
export function tellAbilities({ kind, reasons }: Abilities, logger: Logger): void {
  if (terminalTool() === undefined) logger.warn({ missing: "script" }, "commands and containers have no terminals");
  const consequence = consequences[kind];
  if (consequence !== undefined) logger.warn({ consequence, reasons }, "containers are made without root");
}

export function createConfinement({ kind }: Abilities): Confinement {
  if (kind === "machine") return createMachineConfinement();
  if (kind === "user") return createUserConfinement();
  return createPlainConfinement({ uid: process.getuid?.() ?? 0, temporaryFolder: tmpdir() });
}
