import type { Volume } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { pod } from "../fixtures/scheduler-objects.ts";
import { hasDiskConflict } from "./disk-conflicts.ts";

const gce = (pdName: string, readOnly = false): Partial<Volume> => ({ gcePersistentDisk: { pdName, readOnly } });
const aws = (volumeID: string): Partial<Volume> => ({ awsElasticBlockStore: { volumeID, readOnly: true } });
const iscsi = (iqn: string): Partial<Volume> => ({ iscsi: { iqn, lun: 0, targetPortal: "10.0.0.1" } });
const rbd = (image: string, ...monitors: string[]): Partial<Volume> => ({ rbd: { image, monitors } });
const using = (name: string, source: Partial<Volume>) => pod(name, { volumes: [{ name: "disk", ...source }] });

describe("a disk", () => {
  test.each<[string, Partial<Volume>, Partial<Volume>, boolean]>([
    ["is used by one writer", gce("a"), gce("a"), true],
    ["is used by one writer, also beside readers", gce("a"), gce("a", true), true],
    ["is read by several", gce("a", true), gce("a", true), false],
    ["is not another", gce("a"), gce("b"), false],
    ["of Amazon is not even read by several", aws("a"), aws("a"), true],
    ["of iSCSI is used by one writer", iscsi("a"), iscsi("a"), true],
    ["of Ceph is known by image and a monitor", rbd("a", "m1", "m2"), rbd("a", "m2"), true],
    ["of Ceph is another on another cluster", rbd("a", "m1"), rbd("a", "m2"), false],
    [
      "is no claim",
      { persistentVolumeClaim: { claimName: "a" } },
      { persistentVolumeClaim: { claimName: "a" } },
      false,
    ],
  ])("%s", (_, wanted, used, isConflict) => {
    expect(hasDiskConflict(using("new", wanted), [using("old", used)])).toBe(isConflict);
  });
});
