import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { isAlive, type ProcessIdentity, parseIdentity } from "../process-identity.ts";
import { toolFile } from "../system-tools.ts";

/** Who keeps the namespaces of a cluster; below its folder. */
const holderFile = "namespace";

/**
 * Becomes the same program anew, as root of a user namespace with its own mounts: the one of this cluster. It is kept by a process that does
 * nothing else, so that whoever comes after finds the mounts of those before. Does not return.
 */
export async function enterUserNamespace(folder: string): Promise<never> {
  const { pid } = await ensureHolder(folder);
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const flags = ["--target", String(pid), "--user", "--preserve-credentials", "--mount"];
  // The folder that this process is in is one of the mounts that are left.
  const again = [toolFile("sh"), "-c", 'cd "$0" && exec "$@"', process.cwd(), ...own];
  const env = Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  process.execve?.(toolFile("nsenter"), ["nsenter", ...flags, "--", ...again], env);
  throw new StowageError("COMMAND_FAILED", "this Node cannot become another program");
}

/** Whether this process is root as the machine sees it, and not in a namespace where some user is called so. */
export function isMachineRoot(): boolean {
  return process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295$/m.test(readFileSync("/proc/self/uid_map", "utf8"));
}

/** Lets go of the namespaces, and with them of what is mounted there. Containers in it must have ended. */
export async function endUserNamespace(folder: string): Promise<void> {
  const holder = readHolder(folder);
  if (holder !== undefined && isAlive(holder)) process.kill(holder.pid, "SIGKILL");
  rmSync(join(folder, holderFile), { force: true });
}

async function ensureHolder(folder: string): Promise<ProcessIdentity> {
  const found = readHolder(folder);
  if (found !== undefined && isAlive(found)) return found;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(join(folder, holderFile), { force: true });
  await startHolder(folder);
  const holder = readHolder(folder);
  if (holder !== undefined && isAlive(holder)) return holder;
  throw new StowageError("COMMAND_FAILED", `no user namespace could be made for ${folder}`);
}

/**
 * Resolves when there is one, of whomever: of two that start at once, the one that links its file first stays. What the machine mounts
 * later is to be seen, too.
 */
async function startHolder(folder: string): Promise<void> {
  const file = join(folder, holderFile);
  const script = [
    'read -r stat < "/proc/$$/stat" && read -r boot < /proc/sys/kernel/random/boot_id',
    'printf "%s\\n" "$stat" "$boot" > "$0.$$" && ln "$0.$$" "$0"',
    "code=$?",
    'rm -f "$0.$$"',
    "echo done",
    '[ "$code" = 0 ] && exec sleep 2147483647 >&-',
  ].join("\n");
  const flags = ["--user", "--map-root-user", "--mount", "--propagation=slave"];
  const holder = spawn(toolFile("unshare"), [...flags, toolFile("sh"), "-c", script, file], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    cwd: "/",
  });
  holder.unref();
  await Promise.race([once(holder.stdout, "data"), once(holder, "close"), once(holder, "error")]);
  holder.stdout.destroy();
}

function readHolder(folder: string): ProcessIdentity | undefined {
  const file = join(folder, holderFile);
  if (!existsSync(file)) return undefined;
  const [stat = "", boot = ""] = readFileSync(file, "utf8").split("\n");
  return parseIdentity(stat, boot);
}
