import { setTimeout as sleep } from "node:timers/promises";
import { type Credentials, readCredentials } from "../../api/kubeconfig-credentials.ts";
import { ApiClient } from "./api-client.ts";

/** An API server that is measured. Only one of them runs at a time. */
export interface Subject extends AsyncDisposable {
  readonly name: SubjectName;
  /** Begins with nothing. Resolves when it is ready, with how long that took. */
  startEmpty(): Promise<number>;
  /** Goes on with what it had. */
  startAgain(): Promise<number>;
  stop(): Promise<void>;
  credentials(): Credentials;
  /** Of all its processes. */
  rssBytes(): Promise<number>;
}

export type SubjectName = "embedded" | "real";

const POLL_MS = 10;
const PATIENCE_MS = 60_000;

/** Resolves when `/readyz` says that all is well, to whoever the kubeconfig is for. `failed` rejects when there is nothing to wait for. */
export async function whenReady(kubeconfigPath: string, failed: Promise<never>): Promise<void> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAtMs) {
    if (await Promise.race([failed, isReady(kubeconfigPath)])) return;
    await sleep(POLL_MS);
  }
  throw new Error(`the server of ${kubeconfigPath} did not become ready`);
}

async function isReady(kubeconfigPath: string): Promise<boolean> {
  try {
    using client = await ApiClient.connect(readCredentials(kubeconfigPath));
    return (await client.call({ path: "/readyz" })).toString() === "ok";
  } catch {
    // It does not listen yet, or says that it is not ready.
    return false;
  }
}
