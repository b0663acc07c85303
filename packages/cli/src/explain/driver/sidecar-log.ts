import type { KubernetesObject, Pod } from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import type { Evidence } from "../finding.ts";
import { leasesOf, podsOf, runsRole, type SidecarRole, sidecarWorkloads } from "./driver-workloads.ts";

export interface LogQuestion {
  readonly driver: string;
  readonly role: SidecarRole;
  /** Lines that name it are shown. */
  readonly about: KubernetesObject;
}

const SHOWN = 2;

/** What the sidecar that called the driver wrote about the object, the last lines of it. */
export async function sidecarLog({ driver, role, about }: LogQuestion, facts: Facts): Promise<readonly Evidence[]> {
  const pod = await actingPod(driver, role, facts);
  const container = pod?.spec?.containers.find((each) => runsRole(each, role))?.name;
  if (pod === undefined || container === undefined) return [];
  const { namespace = "", name = "" } = pod.metadata;
  const text = await facts.log({ namespace, pod: name, container });
  const lines = (text ?? "").split("\n").filter((line) => isAbout(line, about) && /fail|error|rpc/iu.test(line));
  return lines.slice(-SHOWN).map((line) => ({
    object: `Pod ${namespace}/${name}`,
    field: `log of ${container}`,
    value: line,
  }));
}

function isAbout(line: string, { metadata }: KubernetesObject): boolean {
  const { uid = "", name = "", namespace } = metadata;
  return line.includes(uid) || line.includes(namespace === undefined ? name : `${namespace}/${name}`);
}

/** The one that leads, if leases tell. */
async function actingPod(driver: string, role: SidecarRole, facts: Facts): Promise<Pod | undefined> {
  const workloads = await sidecarWorkloads(driver, role, facts);
  const running = (await Promise.all(workloads.map((workload) => podsOf(workload, facts)))).flat();
  const holders = (await leasesOf(driver, role, facts)).map(({ spec }) => spec?.holderIdentity ?? "");
  return (
    running.find(({ metadata }) => holders.some((holder) => holder.startsWith(metadata.name ?? " "))) ?? running[0]
  );
}
