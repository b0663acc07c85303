import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { checkout } from "./document-commands.ts";
import { type RunningOn, ShellSession } from "./shell-session.ts";

/** What commands of the guides make in a checkout, and what is nobody's to write to. */
const ownToEachReader = new Set([".git", ".cache", "cluster", "mine", "gathered", "driver.ts"]);

/**
 * Somebody with a home, a kubectl and a checkout of their own, who types what documents say. What is in the checkout is the real one's;
 * what is written beside it is theirs.
 */
export class Reader implements AsyncDisposable {
  /** Short: sockets of a cluster in the home have little room for their paths. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "r-")));
  readonly home = join(this.folder, "home");
  readonly temporaryFolder = join(this.folder, "tmp");
  readonly #kubectlFolder: string;
  #windows = 0;

  constructor(kubectlFolder: string) {
    this.#kubectlFolder = kubectlFolder;
    // As fish and kubectl make them.
    for (const folder of [".config/fish/completions", ".kube"]) mkdirSync(join(this.home, folder), { recursive: true });
    mkdirSync(this.temporaryFolder);
  }

  /** In a checkout. */
  open(kubeconfig: string): Window {
    const cwd = join(this.folder, `checkout-${this.#windows}`);
    const notes = join(this.folder, `notes-${this.#windows}`);
    this.#windows += 1;
    mkdirSync(cwd);
    for (const name of readdirSync(checkout))
      if (!ownToEachReader.has(name)) symlinkSync(join(checkout, name), join(cwd, name));
    const env = {
      PATH: [this.#kubectlFolder, process.env["PATH"]].join(delimiter),
      HOME: this.home,
      TMPDIR: this.temporaryFolder,
      KUBECONFIG: kubeconfig,
      npm_config_update_notifier: "false",
    };
    return new Window(cwd, new ShellSession({ cwd, notes, env }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Where a document is typed, with what its commands leave running. */
export class Window implements AsyncDisposable {
  readonly #cwd: string;
  readonly shell: ShellSession;
  readonly #running: RunningOn[] = [];

  constructor(cwd: string, shell: ShellSession) {
    this.#cwd = cwd;
    this.shell = shell;
  }

  async typeAndLeave(command: string, says: RegExp): Promise<void> {
    this.#running.push(await this.shell.typeAndLeave(command, says));
  }

  /** Ctrl-C wherever something runs on, the newest first. */
  async interrupt(): Promise<void> {
    for (const running of this.#running.splice(0).toReversed()) await running.interrupt();
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.#cwd, path), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    await this.shell[Symbol.asyncDispose]();
  }
}
