import { expect, it } from "vitest";
import { readDriverAssets } from "../../assets/index.ts";
import { fittedDriver } from "../../fixtures/fitted-driver.ts";
import { driverOperatorRules } from "../../rights/index.ts";
import { smbProfile } from "./profile.ts";

it("SMB can be taken away, and brings no class: which server there is, only the administrator knows", async () => {
  const { storageClasses, snapshotClasses, csiDriver } = await fittedDriver("smb");
  expect([smbProfile.isRemovable, storageClasses, snapshotClasses]).toEqual([true, [], []]);
  expect(csiDriver.spec).toMatchObject({
    attachRequired: false,
    volumeLifecycleModes: ["Persistent", "Ephemeral"],
  });
});

it("SMB's node may read Secrets for inline volumes, and its operator may not", () => {
  const { cluster } = driverOperatorRules(smbProfile, readDriverAssets(smbProfile));
  expect(cluster.filter(({ resources = [] }) => resources.includes("secrets"))).toEqual([]);
  const bound = cluster
    .filter(({ verbs }) => verbs.includes("bind"))
    .flatMap(({ resourceNames = [] }) => resourceNames);
  expect(bound).toContain("openshift-csi-driver-secret-reader-role");
});
