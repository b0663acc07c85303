import {
  desiredRoleObjects,
  type PartName,
  partPurposes,
  type RoleParts,
  roleTable,
} from "../../packages/sidecars/src/rbac/index.ts";
import { yamlText } from "./yaml-layout.ts";

/** Where the files put what has a namespace. */
const NAMESPACE = "kube-system";

/** The rights of each sidecar as files that `kubectl apply -f` takes: one for each part, in a folder for each sidecar. */
export function generateSidecarRoles(): Map<string, string> {
  return new Map(
    Object.entries<RoleParts>(roleTable).flatMap(([sidecar, parts]) =>
      (Object.keys(parts) as PartName[]).map((part) => {
        const objects = desiredRoleObjects({ sidecar, part, namespace: NAMESPACE }, parts[part] ?? parts.base);
        const documents = objects.map((object) => yamlText(object, 3));
        const text = `${header}# ${partPurposes[part]}\n---\n${documents.join("---\n")}`;
        return [`packages/sidecars/rbac/${sidecar}/${part}.yaml`, text] as const;
      }),
    ),
  );
}

const header = "# Generated from packages/sidecars/src/rbac by `npm run generate`. Do not edit.\n";
