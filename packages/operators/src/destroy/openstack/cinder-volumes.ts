import type { CloudVolume, VolumeKind } from "../volume-cloud.ts";

/** A volume or a snapshot, as far as it is looked at. */
export interface CinderItem {
  readonly id: string;
  readonly name?: string | null;
  /** In GiB. */
  readonly size?: number;
  readonly status?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly attachments?: readonly { readonly server_id?: string | null; readonly host_name?: string | null }[];
}

const GIBIBYTE = 1024n ** 3n;
const USED = new Set(["in-use", "attaching", "detaching", "reserved"]);

/** Whatever else a status says, Cinder itself knows best whether it can be deleted. */
export function cloudVolumeOf(kind: VolumeKind, item: CinderItem): CloudVolume {
  const { id, name, size = 0, status = "", metadata = {}, attachments = [] } = item;
  const users = attachments.map((each) => each.server_id ?? each.host_name ?? "a server");
  const isUsed = USED.has(status) || users.length > 0;
  return {
    kind,
    id,
    label: name ?? "",
    sizeBytes: BigInt(size) * GIBIBYTE,
    tags: metadata,
    state: status === "deleting" ? "going" : isUsed ? "used" : "free",
    users,
  };
}
