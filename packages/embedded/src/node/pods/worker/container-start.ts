import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Container as ContainerField,
  configMaps,
  type Pod,
  type Secret,
  secrets,
  services,
} from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import type { HostVolumes } from "../../volumes/host-volume.ts";
import { desiredContainer, type ImageProgram } from "../life/container-plan.ts";
import { containerEnvironment } from "../values/container-environment.ts";
import { podAddresses } from "../values/pod-address.ts";
import { serviceEnvironment } from "../values/service-environment.ts";
import { containerSubPaths } from "./container-sub-paths.ts";
import { homeFolder } from "./home-folder.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";
import { writePodFiles } from "./pod-files.ts";

export interface ContainerStart {
  readonly pod: Pod;
  readonly container: ContainerField;
  readonly attempt: number;
  readonly volumes: HostVolumes;
  readonly image: ImageProgram;
}

/** Starts a container of a Pod with all that it is to have. Throws `CONTAINER_CONFIG` for what its Pod says of it. */
export async function startContainer(deps: PodWorkerDeps, start: ContainerStart): Promise<Container> {
  const { pod, container, attempt, volumes, image } = start;
  const podIPs = podAddresses(pod, deps.addresses);
  const env = await environmentOf(deps, pod, container);
  const subPaths = await containerSubPaths(deps, start, env);
  const folder = podFolder(deps, pod);
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  const id = `${(pod.metadata.uid ?? "").slice(0, 8)}-${container.name}-${attempt}-${randomBytes(4).toString("hex")}`;
  const terminationLogPath = terminationLog(deps, pod, container.name, attempt);
  mkdirSync(join(folder, "containers", container.name), { recursive: true, mode: 0o750 });
  writeFileSync(terminationLogPath, "");
  // Whoever the container is, and whatever the agent's umask.
  chmodSync(terminationLogPath, 0o666);
  const podFiles = writePodFiles(folder, pod, podIPs);
  const plan = { pod, container, attempt, id, image, env, volumes, subPaths, podFiles, terminationLogPath };
  return deps.runtime.start(desiredContainer({ ...plan, homeOf: homeFolder }));
}

export function podFolder({ podsFolder }: PodWorkerDeps, { metadata }: Pod): string {
  return join(podsFolder, metadata.uid ?? "");
}

/** Where a start of a container leaves its last words. */
export function terminationLog(deps: PodWorkerDeps, pod: Pod, container: string, attempt: number): string {
  return join(podFolder(deps, pod), "containers", container, String(attempt));
}

async function environmentOf(
  deps: PodWorkerDeps,
  pod: Pod,
  container: ContainerField,
): Promise<Record<string, string>> {
  const { client, nodeName, addresses, allocatable } = deps;
  const namespace = pod.metadata.namespace ?? "";
  const names = referredObjects(container);
  const found = await Promise.all(names.configMaps.map((name) => client.find(configMaps, { namespace, name })));
  const foundSecrets: (Secret | undefined)[] = await Promise.all(
    names.secrets.map((name) => client.find(secrets, { namespace, name })),
  );
  const hasLinks = pod.spec?.enableServiceLinks !== false;
  const links = hasLinks ? (await client.list(services, { namespace })).items : [];
  return containerEnvironment(pod, container, {
    configMap: (name) => found[names.configMaps.indexOf(name)],
    secret: (name) => foundSecrets[names.secrets.indexOf(name)],
    // The API server is where the node says, whatever the service of that name says.
    services: { ...serviceEnvironment(links), ...deps.serviceVariables },
    place: { nodeName, hostIPs: addresses, podIPs: podAddresses(pod, addresses) },
    allocatable,
  });
}

function referredObjects({ env = [], envFrom = [] }: ContainerField) {
  const from = env.map(({ valueFrom }) => valueFrom);
  const names = (all: readonly (string | undefined)[]) => [...new Set(all.filter((name) => name !== undefined))];
  return {
    configMaps: names([
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ...from.map((each) => each?.configMapKeyRef?.name),
    ]),
    secrets: names([
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...from.map((each) => each?.secretKeyRef?.name),
    ]),
  };
}
