import { type ErrorCode, StowageError } from "@stowage/machinery";
import type { CloudAnswer, CloudRequest } from "../../cloud-config/index.ts";
import type { Keystone } from "../../openstack/index.ts";
import { usualMarks } from "../ownership-mark.ts";
import type { CloudVolume, PageRequest, VolumeCloud, VolumeName, VolumePage } from "../volume-cloud.ts";
import { type CinderItem, cloudVolumeOf } from "./cinder-volumes.ts";

/** Clouds have it by the first as a rule, and by the second where they follow the list of official types. */
const SERVICE_TYPES = ["volumev3", "block-storage"];
/** What Cinder's CSI driver writes by its flag `--cluster`. */
const CLUSTER_KEY = "cinder.csi.openstack.org/cluster";
/** Half of what Cinder gives at most unless it is told otherwise. */
const PAGE_SIZE = 500;

type CinderKind = "snapshot" | "volume";

/** Volumes and snapshots of Cinder, in the project that the credentials are for. */
export function createCinderCloud({ keystone }: { readonly keystone: Keystone }): VolumeCloud {
  return new CinderCloud(keystone);
}

class CinderCloud implements VolumeCloud {
  readonly title = "OpenStack";
  readonly kinds = ["snapshot", "volume"] as const;
  readonly #keystone: Keystone;

  constructor(keystone: Keystone) {
    this.#keystone = keystone;
  }

  marksOf(clusterId: string) {
    return [...usualMarks(clusterId), { key: CLUSTER_KEY, value: clusterId }];
  }

  /** All of the project: Cinder can filter by one mark at a time, and its administrator may have taken even that away. */
  async page({ kind, after }: PageRequest, signal: AbortSignal): Promise<VolumePage> {
    const name = `${kind as CinderKind}s`;
    const marker = after === undefined ? "" : `&marker=${encodeURIComponent(after)}`;
    const path = `${name}/detail?limit=${PAGE_SIZE}${marker}`;
    const { body } = await this.#ask({ what: `for the ${name} of the project`, path }, signal);
    const { [name]: items, [`${name}_links`]: links } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (!Array.isArray(items)) {
      throw new StowageError(
        "CLOUD_REFUSED",
        `Cinder was asked for the ${name} of the project, and answered otherwise`,
      );
    }
    const found = items as readonly CinderItem[];
    const hasNext = ((links ?? []) as readonly { readonly rel?: string }[]).some(({ rel }) => rel === "next");
    // The link itself may lead to where only the cloud's own machines get to.
    return { volumes: found.map((item) => cloudVolumeOf(kind, item)), next: hasNext ? found.at(-1)?.id : undefined };
  }

  async read({ kind, id }: VolumeName, signal: AbortSignal): Promise<CloudVolume | undefined> {
    const request = { what: `for the ${kind} ${id}`, path: `${kind}s/${encodeURIComponent(id)}` };
    const { status, body } = await this.#ask(request, signal);
    const { [kind]: item } = (body ?? {}) as Readonly<Record<string, CinderItem | undefined>>;
    return status === 404 || item === undefined ? undefined : cloudVolumeOf(kind, item);
  }

  async delete({ kind, id }: VolumeName, signal: AbortSignal): Promise<void> {
    const what = `to delete the ${kind} ${id}`;
    await this.#ask({ what, path: `${kind}s/${encodeURIComponent(id)}`, method: "DELETE" }, signal);
  }

  /** An answer that is good, or says that something is not there. */
  async #ask(request: CinderRequest, signal: AbortSignal): Promise<CloudAnswer> {
    const { path, ...rest } = request;
    const endpoint = await this.#keystone.endpointOf(SERVICE_TYPES, signal);
    const answer = await this.#keystone.send({ ...rest, url: `${endpoint}/${path}` }, signal);
    if (answer.status === 404 || (answer.status >= 200 && answer.status < 300)) return answer;
    throw new StowageError(
      codeOf(request, answer.status),
      `Cinder was asked ${request.what}, and answered with HTTP ${answer.status}${hintOf(request, answer.status)}`,
    );
  }
}

interface CinderRequest extends Pick<CloudRequest, "what" | "method"> {
  readonly path: string;
}

/** Cinder says 413 where others say 429. */
function codeOf({ method }: CinderRequest, status: number): ErrorCode {
  if (status === 429 || status === 413 || status === 503) return "CLOUD_THROTTLED";
  if (status >= 500) return "CLOUD_UNREACHABLE";
  return isHeld(method, status) ? "VOLUME_HELD" : "CLOUD_REFUSED";
}

function isHeld(method: CinderRequest["method"], status: number): boolean {
  return method === "DELETE" && (status === 400 || status === 409);
}

function hintOf({ method }: CinderRequest, status: number): string {
  return isHeld(method, status) ? ": it is attached, changing, or has snapshots or copies that need it" : "";
}
