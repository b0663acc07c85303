import { ensureBinaries, silentProgress } from "@stowage/lab";
import { type Ended, RunningProgram } from "./running-up.ts";

/** How kubectl speaks with the API server where it wants a connection. */
export type Way = "WebSocket" | "SPDY";

interface Typing {
  readonly way?: Way;
  /** What is typed into it; nothing can be when it is left out. */
  readonly input?: string | Uint8Array;
  /** Whether somebody presses keys while it runs. */
  readonly isTyped?: boolean;
  /** A program that starts it. */
  readonly prefix?: readonly string[];
}

/** The real kubectl, as somebody types it who has nothing but a kubeconfig. */
export class TypedKubectl {
  readonly #path: string;
  readonly #kubeconfigPath: string;

  private constructor(path: string, kubeconfigPath: string) {
    this.#path = path;
    this.#kubeconfigPath = kubeconfigPath;
  }

  static async for(kubeconfigPath: string): Promise<TypedKubectl> {
    const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
    return new TypedKubectl(kubectl?.path ?? "kubectl", kubeconfigPath);
  }

  /** While it runs. In the namespace of the demonstration. */
  start(
    words: readonly string[],
    { way = "WebSocket", input, isTyped = input !== undefined, prefix = [] }: Typing = {},
  ): RunningProgram {
    const isWebSocket = String(way === "WebSocket");
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: "/nonexistent",
      KUBECONFIG: this.#kubeconfigPath,
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket,
      KUBECTL_PORT_FORWARD_WEBSOCKETS: isWebSocket,
    };
    const all = [...prefix, this.#path, "--namespace", "demo", ...words];
    const running = new RunningProgram(all, { env, isTyped });
    if (input !== undefined) running.type(input);
    return running;
  }

  run(words: readonly string[], typing?: Typing): Promise<Ended> {
    return this.start(words, typing).ended();
  }
}
