import { realpathSync } from "node:fs";
import type { KeyPair } from "@stowage/machinery/certificates";
import { type Binaries, ensureBinaries } from "../build/build.ts";
import type { BinaryName } from "../build/go-modules.ts";
import type { ComponentName, Plan } from "../components/component.ts";
import { desiredComponent, desiredComponents } from "../components/components.ts";
import { kubeletFolder } from "../components/kubelet.ts";
import { LabError } from "../errors.ts";
import { makePrivateFolder } from "../files.ts";
import { planMachine, requireRoot } from "../node/machine.ts";
import { ensurePackages } from "../node/packages.ts";
import { killDaemon } from "../process/daemon.ts";
import { withLock } from "../process/lock.ts";
import { runningDaemon } from "../process/pid-file.ts";
import { type Progress, silentProgress } from "../progress.ts";
import { ensureCertificates, issuePair, type LabSubject, readPair, writeKubeconfigs } from "./certificates.ts";
import { layoutOf } from "./layout.ts";
import { choosePorts, type Ports } from "./ports.ts";
import {
  createSettings,
  type ExtraFlags,
  type Level,
  readSettings,
  type Settings,
  serverUrl,
  writeSettings,
} from "./settings.ts";
import { bringUp, type StartContext, startComponent } from "./start.ts";
import { stopComponents, stopLab } from "./stop.ts";

export interface LabOptions {
  /** The lab's folder, made when it is missing. */
  readonly dir: string;
  /** As the lab had it when it was last up, else `control`. */
  readonly level?: Level;
  /** Flags to add, by component, such as `{ "kube-apiserver": ["--feature-gates=…"] }`; remembered until others are given. */
  readonly extraFlags?: ExtraFlags;
  /** The API server's; the one that it had last, else any free one, when left out. It does not move while the lab is up. */
  readonly serverPort?: number;
  /** Chooses all ports anew, where those of last time are others' by now. Not while the lab is up. */
  readonly newPorts?: boolean;
  /** The kubelet's folder at the node level, such as /var/lib/kubelet for drivers that insist on it; else one of the lab's own. */
  readonly kubeletFolder?: string;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
}

/** A lab that is up. */
export interface Lab {
  readonly dir: string;
  readonly level: Level;
  /** The administrator's; readable by this user alone. */
  readonly kubeconfigPath: string;
  readonly server: string;
  readonly kubectlPath: string;
  /** The kubelet's folder, whether the lab has a kubelet or not. */
  readonly kubeletFolder: string;
  /** What this start had to start: nothing when all of it was up. */
  readonly started: readonly ComponentName[];
  /** By whose certificates the API server knows its clients, and they it: PEM. */
  readonly authority: string;
  /** A key with a certificate of the cluster's authority: for a client, such as another node, and for what it serves. */
  issue(subject: LabSubject): KeyPair;
  /** Those components that should run, and do not. */
  missing(): ComponentName[];
  /** SIGKILL, as a crash; returns when the process is gone. */
  kill(name: ComponentName): Promise<void>;
  /** Starts a component again on the same ports, for this once with other extra flags when they are given, and waits until it is ready. */
  start(name: ComponentName, extraFlags?: readonly string[]): Promise<void>;
  /** `kill` and `start` of the API server. */
  restartApiServer(extraFlags?: readonly string[]): Promise<void>;
  stop(options?: { wipe?: boolean }): Promise<void>;
}

const LOCK_WAIT_MS = 120_000;

/** Brings the lab up, or the part of it that is down, and returns when it is ready for clients. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { progress = silentProgress, signal } = options;
  makePrivateFolder(options.dir);
  const dir = realpathSync(options.dir);
  const level = options.level ?? readSettings(dir)?.level ?? "control";
  if (level === "node") {
    requireRoot();
    await ensurePackages(progress, signal);
  }
  const binaries = await ensureBinaries(binariesOf(level), { progress, signal });
  const onWait = (owner: { pid: number }) =>
    progress.line(`waiting for process ${owner.pid}, which works on the same lab`);
  return withLock(layoutOf(dir).lock, { waitMs: LOCK_WAIT_MS, onWait, signal }, async () => {
    const settings = await prepareSettings(dir, level, options);
    const context: StartContext = { plan: { dir, settings }, binaries, progress, signal };
    ensureCertificates(dir);
    writeKubeconfigs(dir, serverUrl(settings));
    return labHandle(context, await bringUp(context));
  });
}

function labHandle(context: StartContext, started: readonly ComponentName[]): Lab {
  const { plan, progress } = context;
  const kill = (name: ComponentName) => killDaemon(plan.dir, name);
  const start = async (name: ComponentName, extraFlags?: readonly string[]) => {
    const changed = extraFlags === undefined ? plan : withFlags(plan, name, extraFlags);
    await startComponent({ ...context, plan: changed }, desiredComponent(changed, name));
  };
  return {
    dir: plan.dir,
    level: plan.settings.level,
    kubeconfigPath: layoutOf(plan.dir).kubeconfig,
    server: serverUrl(plan.settings),
    kubectlPath: binaryPath(context.binaries, "kubectl"),
    kubeletFolder: kubeletFolder(plan),
    started,
    authority: readPair(plan.dir, "ca").certificate,
    issue: (subject) => issuePair(plan.dir, subject),
    missing: () => missingNames(plan),
    kill,
    start,
    restartApiServer: async (extraFlags) => {
      await kill("kube-apiserver");
      await start("kube-apiserver", extraFlags);
    },
    stop: async ({ wipe = false } = {}) => void (await stopLab({ dir: plan.dir, progress, wipe })),
  };
}

async function prepareSettings(dir: string, level: Level, options: LabOptions): Promise<Settings> {
  const remembered = readSettings(dir) ?? (await createSettings(level));
  if (remembered.level !== level && isAnythingRunning({ dir, settings: remembered })) {
    throw new LabError("LEVEL", `the lab in ${dir} is up at the level ${remembered.level}, not ${level}`, {
      nextStep: 'stop it with "down" first; its state is kept',
    });
  }
  const settings = {
    ...(await atRest(dir, remembered, level)),
    level,
    ports: await wantedPorts({ dir, settings: remembered }, options),
    extraFlags: options.extraFlags ?? remembered.extraFlags,
  };
  warnOfUnusedFlags({ dir, settings: remembered }, settings.extraFlags, options.progress);
  writeSettings(dir, settings);
  return level === "node" ? planMachine(dir, settings, options.kubeletFolder) : settings;
}

async function wantedPorts(plan: Plan, { serverPort, newPorts = false }: LabOptions): Promise<Ports> {
  const { ports } = plan.settings;
  const isMoved = newPorts || (serverPort !== undefined && serverPort !== ports.apiServer);
  if (!isMoved) return ports;
  if (isAnythingRunning(plan)) {
    throw new LabError("BUSY", `the lab in ${plan.dir} is up, and cannot have other ports`, {
      nextStep: 'stop it with "down" first; its state is kept',
    });
  }
  const chosen = newPorts ? await choosePorts() : ports;
  return { ...chosen, apiServer: serverPort ?? chosen.apiServer };
}

/** A node that was killed rather than stopped has left its traces on the machine; at another level nobody would look for them. */
async function atRest(dir: string, settings: Settings, level: Level): Promise<Settings> {
  if (settings.level === level || settings.machine === undefined) return settings;
  await stopComponents({ dir, settings }, silentProgress, () => true);
  return readSettings(dir) ?? settings;
}

function warnOfUnusedFlags({ dir, settings }: Plan, wanted: ExtraFlags, progress: Progress = silentProgress): void {
  for (const name of Object.keys({ ...settings.extraFlags, ...wanted })) {
    const isChanged = String(settings.extraFlags[name]) !== String(wanted[name]);
    if (isChanged && runningDaemon(dir, name) !== undefined) {
      progress.line(`${name} runs with other flags than those now given; they take effect when it is started again`);
    }
  }
}

function isAnythingRunning(plan: Plan): boolean {
  return missingNames(plan).length < desiredComponents(plan).length;
}

function missingNames(plan: Plan): ComponentName[] {
  const names = desiredComponents(plan).map(({ name }) => name);
  return names.filter((name) => runningDaemon(plan.dir, name) === undefined);
}

function withFlags(plan: Plan, name: ComponentName, flags: readonly string[]): Plan {
  return { ...plan, settings: { ...plan.settings, extraFlags: { ...plan.settings.extraFlags, [name]: flags } } };
}

function binariesOf(level: Level): BinaryName[] {
  const api: BinaryName[] = ["etcd", "kube-apiserver", "kubectl"];
  const control: BinaryName[] = [...api, "kube-controller-manager", "kube-scheduler"];
  return { api, control, node: [...control, "kubelet", "kube-proxy", "pause"] satisfies BinaryName[] }[level];
}

function binaryPath(binaries: Binaries, name: BinaryName): string {
  return binaries[name]?.path ?? name;
}
