import { spawn } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { dump, load } from "js-yaml";
import { credentialsIn } from "../kubeconfig-credentials.ts";
import type { CommandWithMore } from "./scene.ts";

export interface ShellOptions {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly kubectlPath: string;
  readonly namespace: string;
}

export interface Heard {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const manifests = fileURLToPath(new URL("manifests", import.meta.url));
/** What `-v` shows, to know how far a command has come. */
const logLines = /^[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ .*\n/gmu;
const MOST_MS = 60_000;

/** Runs commands in a folder that has the manifests, as somebody who has nothing but a kubeconfig. */
export class Shell {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor({ folder, kubeconfig, kubectlPath, namespace }: ShellOptions) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    cpSync(manifests, folder, { recursive: true });
    const path = join(folder, "kubeconfig");
    writeFileSync(path, inNamespace(kubeconfig, namespace), { mode: 0o600 });
    this.#env = {
      PATH: `${dirname(kubectlPath)}:/usr/bin:/bin`,
      HOME: folder,
      TMPDIR: folder,
      KUBECONFIG: path,
      NAMESPACE: namespace,
      SERVER: credentialsIn(kubeconfig).server,
      KUBECTL_EXTERNAL_DIFF: "diff -u -N --label=before --label=after",
      TZ: "UTC",
      LC_ALL: "C",
    };
  }

  async run({ run, after = /(?:)/u, meanwhile = [], lines = Infinity }: CommandWithMore): Promise<Heard> {
    const child = spawn("/bin/sh", ["-c", `exec ${run}`], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: MOST_MS,
    });
    const written = { stdout: "", stderr: "" };
    let others: Promise<void> | undefined;
    const onOutput = () => {
      if (after.test(written.stderr + written.stdout)) others ??= this.#all(meanwhile);
      if (written.stdout.split("\n").length > lines) child.kill();
    };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        written[stream] += text;
        onOutput();
      });
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    await others;
    return { code, stdout: written.stdout, stderr: written.stderr.replaceAll(logLines, "") };
  }

  async #all(commands: readonly string[]): Promise<void> {
    for (const run of commands) await this.run({ run });
  }
}

function inNamespace(kubeconfig: string, namespace: string): string {
  const config = load(kubeconfig) as { contexts: { context: Record<string, string> }[] };
  for (const { context } of config.contexts) context["namespace"] = namespace;
  return dump(config);
}
