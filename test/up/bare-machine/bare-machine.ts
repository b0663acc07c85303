// needs: cli
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NOBODY } from "../stowage-up/somebody-else.ts";

const checkout = fileURLToPath(new URL("../../../", import.meta.url));
/** What a machine with Node alone has not. */
const missingThere = new Set(["docker", "go", "gofmt", "helm", "kubectl", "kustomize", "podman", "sudo"]);
/** How this machine's npm gets packages. Never tokens: those are not in variables. */
const npmSettings = ["registry", "cafile", "proxy", "https-proxy", "strict-ssl"];

/** The Node that the machine itself has, where that is older than the one that runs us. */
export function olderNode(): string | undefined {
  const candidates = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return candidates.find((path) => existsSync(path) && majorOf(path) < 24);
}

function majorOf(node: string): number {
  return Number.parseInt(execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }), 10);
}

export interface Ended {
  readonly exitCode: number | null;
  readonly printed: string;
}

/** Somebody without rights on a machine that has an older Node, npm, git and what every system has, with a home and nothing in it. */
export class BareMachine implements Disposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "bare-")));
  readonly home = join(this.folder, "home");
  readonly clone = join(this.home, "stowage");
  readonly #env: Readonly<Record<string, string>>;

  constructor(node: string) {
    chmodSync(this.folder, 0o755);
    mkdirSync(this.home);
    chownSync(this.home, NOBODY, NOBODY);
    const programs = join(this.folder, "bin");
    layPrograms(programs, node);
    this.#env = { PATH: programs, HOME: this.home, ...npmVariables() };
    commitAll(this.origin);
    execFileSync("chown", ["-R", String(NOBODY), this.origin]);
  }

  /** The sources as they are, for the user to clone. */
  get origin(): string {
    return join(this.folder, "origin.git");
  }

  type(command: string, cwd = this.clone): TypedCommand {
    return new TypedCommand(command, { cwd, env: this.#env });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** All that git does not ignore, whether it is committed here or not, and whether there is a repository here or not. */
function commitAll(repository: string): void {
  const git = (...words: string[]) => execFileSync("git", ["--git-dir", repository, "--work-tree", checkout, ...words]);
  execFileSync("git", ["init", "--quiet", "--bare", repository]);
  git("add", "--all");
  git("-c", "user.name=nobody", "-c", "user.email=nobody@localhost", "commit", "--quiet", "--message", "everything");
}

function layPrograms(folder: string, node: string): void {
  mkdirSync(folder);
  for (const from of ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]) {
    for (const name of existsSync(from) ? readdirSync(from) : []) {
      if (!missingThere.has(name) && name !== "node" && !existsSync(join(folder, name)))
        symlinkSync(join(from, name), join(folder, name));
    }
  }
  const npm = join(node, "..", "npm");
  rmSync(join(folder, "npm"), { force: true });
  rmSync(join(folder, "npx"), { force: true });
  symlinkSync(node, join(folder, "node"));
  symlinkSync(npm, join(folder, "npm"));
  symlinkSync(join(npm, "..", "npx"), join(folder, "npx"));
}

function npmVariables(): Record<string, string> {
  const answers = npmSettings.map((name) => [name, npmSetting(name)] as const);
  const said = answers.filter(([, value]) => value !== "" && value !== "null" && value !== "undefined");
  return Object.fromEntries(said.map(([name, value]) => [`npm_config_${name.replaceAll("-", "_")}`, value]));
}

function npmSetting(name: string): string {
  return execFileSync("npm", ["config", "get", name], {
    cwd: "/",
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

/** As it is typed by that user, while it runs. */
export class TypedCommand {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #printed = "";

  constructor(command: string, { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }) {
    this.#child = spawn("/bin/sh", ["-c", command], {
      cwd,
      env,
      uid: NOBODY,
      gid: NOBODY,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#printed += text;
        this.#child.emit("heard");
      });
    }
    this.#ended = once(this.#child, "close");
  }

  async said(words: string): Promise<void> {
    while (!this.#printed.includes(words)) {
      if (this.#child.exitCode !== null) throw new Error(`it ended before it said ${words}: ${this.#printed}`);
      await Promise.race([once(this.#child, "heard"), this.#ended]);
    }
  }

  async ended(): Promise<Ended> {
    await this.#ended;
    return { exitCode: this.#child.exitCode, printed: this.#printed };
  }
}
