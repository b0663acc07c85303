import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Executor, systemExecutor } from "@stowage/csi/host";
import { isAlive, type ProcessIdentity, parseIdentity } from "./process-identity.ts";
import { shellQuoted } from "./shell-text.ts";
import { toolFile } from "./system-tools.ts";

const holderFile = "holder";

/**
 * Sets of processes that several containers share, by name. The first process of each does nothing but hold it: were that a container's,
 * all would end with that one. It outlives the agent, as containers do.
 */
export class ProcessSpaces {
  readonly #folder: string;
  readonly #executor: Executor;
  readonly #opening = new Map<string, Promise<ProcessIdentity>>();

  constructor(folder: string, executor: Executor = systemExecutor) {
    this.#folder = folder;
    this.#executor = executor;
  }

  names(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return []; // There has never been one.
    }
  }

  /** What comes before a command whose children are to be in it. */
  async entry(name: string): Promise<string[]> {
    const { pid } = this.#living(name) ?? (await this.#opened(name));
    // The command itself stays outside: its own number is told to those who are.
    return [toolFile("nsenter"), "--no-fork", `--pid=/proc/${pid}/ns/pid`];
  }

  /** With its first process the kernel ends all others in it. */
  end(name: string): void {
    const holder = this.#living(name);
    if (holder !== undefined) process.kill(holder.pid, "SIGKILL");
    rmSync(join(this.#folder, name), { recursive: true, force: true });
  }

  #living(name: string): ProcessIdentity | undefined {
    const holder = this.#read(name);
    return holder !== undefined && isAlive(holder) ? holder : undefined;
  }

  #read(name: string): ProcessIdentity | undefined {
    try {
      const [stat = "", bootId = ""] = readFileSync(join(this.#folder, name, holderFile), "utf8").split("\n");
      return parseIdentity(stat, bootId);
    } catch {
      return undefined;
    }
  }

  #opened(name: string): Promise<ProcessIdentity> {
    const opening = this.#opening.get(name) ?? this.#open(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #open(name: string): Promise<ProcessIdentity> {
    const folder = join(this.#folder, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = (file: string) => join(folder, file);
    writeFileSync(path("hold.sh"), holdScript(path("never")), { mode: 0o600 });
    writeFileSync(path("open.sh"), openScript(path("hold.sh"), path(`${holderFile}.new`)), { mode: 0o600 });
    await this.#executor.run(["unshare", "--pid", toolFile("sh"), path("open.sh")]);
    renameSync(path(`${holderFile}.new`), path(holderFile));
    return this.#read(name) as ProcessIdentity;
  }
}

/** Waits for what nobody writes. It gets those whose parents have ended for children, and their ends are nothing to it. */
function holdScript(neverWritten: string): string {
  const path = shellQuoted(neverWritten);
  return [
    `mkfifo -m 600 ${path}`,
    "trap '' CHLD HUP INT TERM",
    `exec 3<> ${path}`,
    "while :; do read -r nothing <&3; done",
    "",
  ].join("\n");
}

/** Its first child is the first of the new set. */
function openScript(hold: string, holder: string): string {
  return [
    "set -eu",
    `${toolFile("sh")} ${shellQuoted(hold)} < /dev/null > /dev/null 2>&1 &`,
    'read -r stat < "/proc/$!/stat"',
    "read -r boot < /proc/sys/kernel/random/boot_id",
    `umask 077; printf "%s\\n" "$stat" "$boot" > ${shellQuoted(holder)}`,
    "",
  ].join("\n");
}
