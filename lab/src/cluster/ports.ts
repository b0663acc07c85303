import { createServer } from "node:net";
import { LabError } from "../errors.ts";
import { claimPorts, portClaimsFolder } from "./port-claims.ts";

const portNames = [
  "etcdClient",
  "etcdPeer",
  "apiServer",
  "controllerManager",
  "scheduler",
  "kubelet",
  "kubeletHealth",
  "proxyHealth",
  "proxyMetrics",
] as const;

export type PortName = (typeof portNames)[number];
export type Ports = Readonly<Record<PortName, number>>;

/**
 * Below the ports that Linux gives to outgoing connections (from 32768) and Kubernetes to NodePorts (from 30000). While the
 * API server is down its clients try again and again; one of them could be given the server's own port, and keep it.
 */
const LOWEST = 20_000;
const HIGHEST = 29_999;
const ATTEMPTS = 1_000;

/** Nobody else on this machine is given the same ones while this process lives. */
export async function choosePorts(claimsFolder = portClaimsFolder): Promise<Ports> {
  const ports = await claimPorts(claimsFolder, freePorts);
  return Object.fromEntries(portNames.map((name, index) => [name, ports[index]])) as Ports;
}

async function freePorts(taken: ReadonlySet<number>): Promise<readonly number[]> {
  const chosen = new Set<number>();
  for (let attempt = 0; chosen.size < portNames.length && attempt < ATTEMPTS; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if (!taken.has(port) && (await isPortFree(port, "127.0.0.1"))) chosen.add(port);
  }
  if (chosen.size < portNames.length) {
    throw new LabError("PORT_TAKEN", `no free ports between ${LOWEST} and ${HIGHEST} on 127.0.0.1`);
  }
  return [...chosen];
}

export async function requireFreePort(port: number, host: string, component: string): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new LabError("PORT_TAKEN", `${component} cannot listen on ${host}:${port}: another process does`, {
    nextStep: 'end that process, or run "down --wipe" for a lab with new ports and no state',
  });
}

function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}
