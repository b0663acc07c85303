import type { Snapshot, Tag, Volume } from "@aws-sdk/client-ec2";
import type { CloudVolume } from "../volume-cloud.ts";

const GIBIBYTE = 1024n ** 3n;

/** None for what is gone: EC2 shows it for a while. */
export function volumeOf({ VolumeId, Size = 0, State, Attachments = [], Tags = [] }: Volume): CloudVolume[] {
  if (VolumeId === undefined || State === "deleted") return [];
  const users = Attachments.filter((each) => each.State !== "detached").map((each) => each.InstanceId ?? "an instance");
  const tags = tagsOf(Tags);
  return [
    {
      kind: "volume",
      id: VolumeId,
      label: tags["Name"] ?? "",
      sizeBytes: BigInt(Size) * GIBIBYTE,
      tags,
      state: State === "deleting" ? "going" : isUsed(State, users) ? "used" : "free",
      users,
    },
  ];
}

function isUsed(state: Volume["State"], users: readonly string[]): boolean {
  return state === "in-use" || users.length > 0;
}

/** A snapshot that is not finished can be deleted as any other. */
export function snapshotOf({ SnapshotId, VolumeSize = 0, Tags = [] }: Snapshot): CloudVolume[] {
  if (SnapshotId === undefined) return [];
  const tags = tagsOf(Tags);
  const [label, sizeBytes] = [tags["Name"] ?? "", BigInt(VolumeSize) * GIBIBYTE];
  return [{ kind: "snapshot", id: SnapshotId, label, sizeBytes, tags, state: "free", users: [] }];
}

function tagsOf(tags: readonly Tag[]): Record<string, string> {
  return Object.fromEntries(tags.map(({ Key = "", Value = "" }) => [Key, Value]));
}
