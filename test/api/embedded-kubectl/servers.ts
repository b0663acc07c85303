import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@stowage/embedded";
import { ensureBinaries, silentProgress, startTemporaryLab } from "@stowage/lab";
import type { OpenShell, Servers } from "./comparison.ts";
import { Shell } from "./shell.ts";

/** As the certificate of the lab's administrator has it. */
const administrator = { user: "admin", group: "system:masters" };

/** Two API servers without controllers, both new. Shells use the lab's kubectl unless another is given. */
export async function startServers(kubectlPath?: string): Promise<Servers & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kubectl-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
  const lab = await startTemporaryLab({ level: "api" });
  stack.defer(() => lab.stop());
  const server = stack.use(await startApiServer());
  const shells = (name: string, kubeconfig: string): OpenShell => {
    return (namespace) =>
      new Shell({
        folder: join(folder, name, namespace),
        kubeconfig,
        kubectlPath: kubectlPath ?? kubectl?.path ?? "kubectl",
        namespace,
      });
  };
  const owned = stack.move();
  return {
    real: shells("real", readFileSync(lab.kubeconfigPath, "utf8")),
    embedded: shells("embedded", server.kubeconfig(administrator)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
