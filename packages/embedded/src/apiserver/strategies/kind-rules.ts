import type { JsonObject } from "@stowage/machinery/apply";
import type { FieldError } from "@stowage/machinery/structural";
import { definitionRules } from "./kinds/definition-rules.ts";
import { namespaceRules } from "./kinds/namespace-rules.ts";
import { podRules } from "./kinds/pod-rules.ts";
import { configMapRules, secretRules } from "./kinds/secret-rules.ts";
import { serviceAccountRules } from "./kinds/service-account-rules.ts";
import { csiDriverRules, csiNodeRules, storageClassRules, volumeAttachmentRules } from "./kinds/storage-rules.ts";
import { claimRules, volumeRules } from "./kinds/volume-rules.ts";
import { bindingRules, statefulSetRules, workloadRules } from "./kinds/workload-rules.ts";
import type { BeginDeletion, GarbageCollection } from "./strategy.ts";

/** When the generation of a kind's objects rises. */
export type GenerationRule = (object: JsonObject, old: JsonObject) => boolean;

/** What is particular to a built-in kind. Whatever is left out is as it is for most. */
export interface KindRules {
  readonly nameProblems?: (name: string, isPrefix: boolean) => readonly string[];
  readonly prepareForCreate?: (object: JsonObject, nowMs: number) => JsonObject;
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, nowMs: number) => JsonObject;
  readonly prepareForStatusUpdate?: (object: JsonObject, old: JsonObject, nowMs: number) => JsonObject;
  readonly createErrors?: (object: JsonObject) => FieldError[];
  readonly updateErrors?: (object: JsonObject, old: JsonObject) => FieldError[];
  readonly statusUpdateErrors?: (object: JsonObject, old: JsonObject) => FieldError[];
  readonly gracePeriodSeconds?: (object: JsonObject, requestedSeconds: number | undefined) => number;
  readonly beginDeletion?: BeginDeletion;
  readonly mayBeRemoved?: (object: JsonObject) => boolean;
  readonly garbageCollection?: GarbageCollection;
}

const table: Readonly<Record<string, KindRules>> = {
  "apiextensions.k8s.io/CustomResourceDefinition": definitionRules,
  "/ConfigMap": configMapRules,
  "/Event": { garbageCollection: "unsupported" },
  "events.k8s.io/Event": { garbageCollection: "unsupported" },
  "/Namespace": namespaceRules,
  "/PersistentVolume": volumeRules,
  "/PersistentVolumeClaim": claimRules,
  "/Pod": podRules,
  "/Secret": secretRules,
  "/ServiceAccount": serviceAccountRules,
  "apps/DaemonSet": workloadRules,
  "apps/Deployment": workloadRules,
  "apps/ReplicaSet": workloadRules,
  "apps/StatefulSet": statefulSetRules,
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingRules,
  "rbac.authorization.k8s.io/RoleBinding": bindingRules,
  "storage.k8s.io/CSIDriver": csiDriverRules,
  "storage.k8s.io/CSINode": csiNodeRules,
  "storage.k8s.io/StorageClass": storageClassRules,
  "storage.k8s.io/VolumeAttachment": volumeAttachmentRules,
};

/** Groups are told apart, versions are not: a kind is the same in all of them. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

export function rulesOf({ group, kind }: KindName): KindRules {
  const key = `${group}/${kind}`;
  return (Object.hasOwn(table, key) ? table[key] : undefined) ?? {};
}
