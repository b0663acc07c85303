import { expect, test } from "vitest";
import { attacherLease, provisionerLease, resizerLease, snapshotterLease } from "./lease-names.ts";

test("the leases have the names that the originals take", () => {
  expect(provisionerLease("ebs.csi.aws.com")).toBe("ebs-csi-aws-com");
  expect(attacherLease("ebs.csi.aws.com")).toBe("external-attacher-leader-ebs-csi-aws-com");
  expect(resizerLease("ebs.csi.aws.com")).toBe("external-resizer-ebs-csi-aws-com");
  expect(snapshotterLease("ebs.csi.aws.com")).toBe("external-snapshotter-leader-ebs-csi-aws-com");
});

test("a name that would end in a dash ends in an X", () => {
  expect(provisionerLease("driver_")).toBe("driver-X");
});
