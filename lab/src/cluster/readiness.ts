import { setTimeout as sleep } from "node:timers/promises";
import type { Component, Plan, Probe } from "../components/component.ts";
import { LabError } from "../errors.ts";
import { readFileIfPresent } from "../files.ts";
import { lastLines } from "../process/command.ts";
import { logFile } from "../process/daemon.ts";
import { runningDaemon } from "../process/pid-file.ts";
import { NODE_NAME } from "./certificates.ts";
import { tryProbe } from "./probe.ts";
import { serverUrl } from "./settings.ts";

const POLL_MS = 100;
const READY_WAIT_MS = 90_000;
const LOG_TAIL_LINES = 15;

/** Returns when the component answers; fails as soon as it has ended, with the end of its log. */
export async function awaitReady(dir: string, { name, probe }: Component, signal?: AbortSignal): Promise<void> {
  await poll(dir, probe, signal, (answer, isLate) => {
    if (runningDaemon(dir, name) === undefined) throw notReady(dir, name, "ended while it was starting");
    if (isLate) throw notReady(dir, name, `was not ready after ${READY_WAIT_MS / 1000} s (${answer})`);
  });
}

/** The objects that every client relies on and that are made a moment after the API answers, by its server and by the controllers. */
export async function awaitDefaults({ dir, settings }: Plan, signal?: AbortSignal): Promise<void> {
  const paths = ["default", "kube-system", "kube-public", "kube-node-lease"].map(
    (name) => `/api/v1/namespaces/${name}`,
  );
  if (settings.level !== "api") {
    paths.push(
      "/api/v1/namespaces/default/serviceaccounts/default",
      "/api/v1/namespaces/default/configmaps/kube-root-ca.crt",
    );
  }
  for (const path of paths) {
    const probe: Probe = { url: `${serverUrl(settings)}${path}`, authority: "ca", client: "admin" };
    await poll(dir, probe, signal, (answer, isLate) => {
      if (isLate) throw notReady(dir, "kube-controller-manager", `did not make ${path} in time (${answer})`);
    });
  }
}

/**
 * The kubelet registers the node, and reports it Ready when the container runtime and the network are. A report from before
 * `since` is of the kubelet's last life.
 */
export async function awaitNode({ dir, settings }: Plan, since: Date, signal?: AbortSignal): Promise<void> {
  const url = `${serverUrl(settings)}/api/v1/nodes/${NODE_NAME}`;
  const expects = (body: string) => isNodeReady(body, since);
  await poll(dir, { url, authority: "ca", client: "admin", expects }, signal, (answer, isLate) => {
    if (isLate) throw notReady(dir, "kubelet", `did not report its node Ready (${answer})`);
  });
}

interface NodeAnswer {
  readonly status?: { readonly conditions?: readonly { type: string; status: string; lastHeartbeatTime: string }[] };
}

export function isNodeReady(body: string, since: Date): boolean {
  const ready = (JSON.parse(body) as NodeAnswer).status?.conditions?.find(({ type }) => type === "Ready");
  // Reports have whole seconds.
  const earliest = Math.floor(since.getTime() / 1000) * 1000;
  return ready?.status === "True" && Date.parse(ready.lastHeartbeatTime) >= earliest;
}

async function poll(
  dir: string,
  probe: Probe,
  signal: AbortSignal | undefined,
  onFailure: (answer: string, isLate: boolean) => void,
): Promise<void> {
  const giveUpAt = performance.now() + READY_WAIT_MS;
  for (;;) {
    const answer = await tryProbe(dir, probe);
    if (answer === undefined) return;
    onFailure(answer.trim().split("\n")[0] ?? "", performance.now() > giveUpAt);
    await sleep(POLL_MS, undefined, { signal });
  }
}

function notReady(dir: string, name: string, what: string): LabError {
  const path = logFile(dir, name);
  const tail = lastLines(readFileIfPresent(path) ?? "", LOG_TAIL_LINES) || "(the log is empty)";
  return new LabError("NOT_STARTED", `${name} ${what}; the end of ${path}:\n${tail}`);
}
