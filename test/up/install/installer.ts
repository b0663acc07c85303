import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureBinaries, stderrProgress } from "@stowage/lab";

const run = promisify(execFile);

export const chart = fileURLToPath(new URL("../../../deploy/helm/stowage", import.meta.url));
export const kustomizeFolder = fileURLToPath(new URL("../../../deploy/kustomize", import.meta.url));

/** Programs of others, as an administrator types them. */
export interface Installer {
  helm(...words: string[]): Promise<string>;
  kustomize(...words: string[]): Promise<string>;
}

/** `home` is theirs to keep caches in. */
export async function installer(kubeconfigPath: string, home: string): Promise<Installer> {
  const { helm, kustomize } = await ensureBinaries(["helm", "kustomize"], { progress: stderrProgress });
  const env = { PATH: process.env["PATH"], HOME: home, KUBECONFIG: kubeconfigPath };
  const typed =
    (program: string | undefined) =>
    async (...words: string[]) => {
      const { stdout } = await run(program ?? "missing", words, { env, maxBuffer: 1 << 26 });
      return stdout;
    };
  return { helm: typed(helm?.path), kustomize: typed(kustomize?.path) };
}
