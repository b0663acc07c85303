import { describe, expect, it } from "vitest";
import { originalRights } from "./fixtures/original-roles.ts";
import { permissionsOf, permissionText } from "./merged-rules.ts";
import { desiredRoleObjects } from "./role-objects.ts";
import { type PartName, type RoleParts, roleTable } from "./role-table.ts";

const everything = Object.entries<RoleParts>(roleTable).flatMap(([sidecar, parts]) =>
  (Object.keys(parts) as PartName[]).map((part) => ({ sidecar, part, rules: parts[part] ?? parts.base })),
);

/** Those of a sidecar, of one part or of all. */
function rights(sidecar: string, part?: PartName): string[] {
  return everything
    .filter((entry) => entry.sidecar === sidecar && (part === undefined || entry.part === part))
    .flatMap(({ rules }) => permissionsOf([...rules.cluster, ...rules.namespaced]))
    .map(permissionText);
}

describe("the roles of the sidecars", () => {
  it.each(everything)("name every right of $sidecar ($part), with no wildcard and none twice", ({ rules }) => {
    const permissions = permissionsOf([...rules.cluster, ...rules.namespaced]);
    expect(permissions).not.toEqual([]);
    expect(permissions.map(permissionText).join(" ")).not.toContain("*");
    expect(new Set(permissions.map(permissionText)).size).toBe(permissions.length);
  });

  it("let nobody read Secrets unless classes name some", () => {
    const readers = everything.filter(({ rules }) => JSON.stringify(rules).includes('"secrets"'));
    expect(new Set(readers.map(({ part }) => part))).toEqual(new Set(["secrets"]));
  });

  it.each(["provisioner", "attacher", "resizer", "snapshotter", "snapshot-controller"])(
    "allow all of them together what the %s may do, with its parts",
    (sidecar) => {
      expect(rights("sidecars")).toEqual(expect.arrayContaining(rights(sidecar)));
    },
  );

  it.each([
    // The journal of intents, which the original has not; and classes, which it reads without being allowed to.
    [
      "provisioner",
      ["get volumeattributesclasses.storage.k8s.io", ...["get", "create", "patch"].map((verb) => `${verb} configmaps`)],
    ],
    ["attacher", []],
    ["resizer", []],
    ["snapshotter", []],
    ["snapshot-controller", []],
  ])("need no more for the %s than the role that comes with the original, but for %j", (sidecar, further) => {
    const allowed = originalRights(sidecar);
    expect(rights(sidecar).filter((right) => !allowed.has(right))).toEqual(further);
  });

  it("repeat in no part what the base allows", () => {
    for (const { sidecar, part } of everything.filter((entry) => entry.part !== "base"))
      expect(rights(sidecar, part).filter((right) => rights(sidecar, "base").includes(right))).toEqual([]);
  });

  it("become a ServiceAccount, and a role with its binding where there are rules for it", () => {
    const kinds = (sidecar: "provisioner" | "attacher", part: PartName) => {
      const { [part]: rules = roleTable[sidecar].base } = roleTable[sidecar];
      return desiredRoleObjects({ sidecar, part, namespace: "storage" }, rules).map(
        ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`,
      );
    };
    expect(kinds("attacher", "base")).toEqual([
      "ServiceAccount storage/stowage-attacher",
      "ClusterRole /stowage-attacher",
      "ClusterRoleBinding /stowage-attacher",
    ]);
    expect(kinds("provisioner", "leader-election")).toEqual([
      "Role storage/stowage-provisioner-leader-election",
      "RoleBinding storage/stowage-provisioner-leader-election",
    ]);
  });
});
