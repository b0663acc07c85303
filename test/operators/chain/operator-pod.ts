import type { Deployment, EnvVar } from "@stowage/machinery";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import { StowageProcess } from "../../sidecars/sidecar-chaos/stowage-process.ts";
import { type AccountPlace, writeKubeconfig } from "../driver-operator/operator-account.ts";

/** A Pod has a network of its own, so that any port is free there. */
const ownPort = (word: string) => word.replace(/^(?<flag>--listen=.*:)\d+$/u, "$<flag>0");

/**
 * The first container of an operator's Pod as a process: the words and the environment of the template, and its ServiceAccount. Only
 * the image is our own sources, and the address of the API server comes from a file.
 */
export class OperatorPod {
  readonly #process: StowageProcess;

  static async start(place: AccountPlace, { metadata, spec }: Deployment): Promise<OperatorPod> {
    const { name = "", namespace = "", generation } = metadata;
    const { containers = [], serviceAccountName = "default" } = spec?.template.spec ?? {};
    const { command: [program, ...command] = [], args = [], env = [] } = containers[0] ?? {};
    if (program !== "stowage") throw new Error(`the Deployment ${name} runs ${program}`);
    const kubeconfig = await writeKubeconfig(place, { name: serviceAccountName, namespace });
    const fields = { "metadata.name": `${name}-${generation}`, "metadata.namespace": namespace };
    const words = [...command, ...args.map(ownPort), `--kubeconfig=${kubeconfig}`];
    return new OperatorPod(new StowageProcess(words, environmentOf(env, fields)));
  }

  private constructor(process: StowageProcess) {
    this.#process = process;
  }

  /** Resolves when its readiness probe would be answered well. */
  async awaitReady(): Promise<void> {
    await eventually(async () => {
      expect(this.#process.isRunning, this.log).toBe(true);
      const url = /"url":"(?<url>[^"]+)"/u.exec(this.log)?.groups?.["url"];
      if (url === undefined) throw new Error(`it serves nothing yet: ${this.log}`);
      const { status } = await fetch(new URL("/readyz", url));
      expect(status, this.log).toBe(200);
    }, 90_000);
  }

  get log(): string {
    return this.#process.said;
  }

  /** Returns the exit code. */
  stop(): Promise<number | null> {
    return this.#process.stop("SIGTERM");
  }
}

function environmentOf(variables: readonly EnvVar[], fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    variables.map(({ name, value, valueFrom }) => {
      const field = valueFrom?.fieldRef?.fieldPath;
      const found = field === undefined ? (value ?? "") : fields[field];
      if (found === undefined) throw new Error(`the variable ${name} comes from ${field}, which is not known here`);
      return [name, found];
    }),
  );
}
