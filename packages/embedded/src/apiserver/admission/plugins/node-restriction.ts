import type { JsonObject } from "@stowage/machinery/apply";
import { nodeNameOf } from "../../access/index.ts";
import { notFound } from "../../answers/index.ts";
import {
  fieldsOf,
  listOf,
  metadataOf,
  sameJson,
  specOf,
  textOf,
  withFields,
  withMetadata,
} from "../../strategies/index.ts";
import { type Admission, type AdmissionPlugin, refusal } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { forbiddenLabels } from "./node-labels.ts";
import { isMirror } from "./service-account-plugin.ts";

/** A node writes about itself, its Pods and its leases, and about nobody else. */
export const nodeRestriction: AdmissionPlugin = {
  name: "NodeRestriction",
  mutate(admission) {
    check(admission);
    return admission.object;
  },
  validateDelete: check,
};

type NodeCheck = (admission: Admission, node: string) => string | undefined;

const checks: Readonly<Record<string, NodeCheck>> = {
  "/pods": podProblem,
  "/nodes": nodeProblem,
  "/persistentvolumeclaims": claimProblem,
  "coordination.k8s.io/leases": leaseProblem,
  "storage.k8s.io/csinodes": csiNodeProblem,
};

function check(admission: Admission): void {
  const node = nodeNameOf(admission.request.user);
  if (node === undefined) return;
  const { group, plural } = admission.resource;
  const problem = checks[`${group}/${plural}`]?.(admission, node);
  if (problem !== undefined) throw refusal(admission, problem);
}

const quoted = (text: string) => JSON.stringify(text);

function podProblem(admission: Admission, node: string): string | undefined {
  const { subresource, operation } = admission;
  if (subresource === "status") return podStatusProblem(admission, node);
  if (subresource === "eviction") {
    const isOwn = specOf(existingPod(admission))["nodeName"] === node;
    return isOwn ? undefined : `node ${node} can only evict pods with spec.nodeName set to itself`;
  }
  if (subresource !== "") {
    return `unexpected pod subresource ${quoted(subresource)}, only 'status' and 'eviction' are allowed`;
  }
  if (operation === "create") return newPodProblem(admission, node);
  if (operation === "update") {
    return `unexpected operation "UPDATE", node ${quoted(node)} can only create and delete mirror pods`;
  }
  const isOwn = specOf(existingPod(admission))["nodeName"] === node;
  return isOwn ? undefined : `node ${quoted(node)} can only delete pods with spec.nodeName set to itself`;
}

function existingPod({ cluster, namespace, request, old, resource }: Admission): JsonObject {
  const name = request.info.name ?? "";
  const pod = old ?? cluster.get(clusterResources.pods, name, namespace);
  if (pod === undefined) throw notFound(resource, name);
  return pod;
}

function newPodProblem({ object = {}, cluster }: Admission, node: string): string | undefined {
  const who = `node ${quoted(node)} can only create`;
  if (!isMirror(object)) return `pod does not have "kubernetes.io/config.mirror" annotation, ${who} mirror pods`;
  if (specOf(object)["nodeName"] !== node) return `${who} pods with spec.nodeName set to itself`;
  const owners = listOf(metadataOf(object)["ownerReferences"]).map(fieldsOf);
  if (owners.length > 1) return `${who} pods with a single owner reference set to itself`;
  const [{ apiVersion, kind, name, uid, controller, blockOwnerDeletion } = {}] = owners;
  if (apiVersion !== "v1" || kind !== "Node" || name !== node)
    return `${who} pods with an owner reference set to itself`;
  if (controller !== true) return `${who} pods with a controller owner reference set to itself`;
  if (blockOwnerDeletion === true) return `node ${quoted(node)} must not set blockOwnerDeletion on an owner reference`;
  const found = cluster.get(clusterResources.nodes, node);
  if (found === undefined) throw notFound(clusterResources.nodes, node);
  const known = textOf(metadataOf(found)["uid"]);
  return uid === known ? undefined : `node ${node} UID mismatch: expected ${textOf(uid)} got ${known}`;
}

function podStatusProblem({ object = {}, old = {} }: Admission, node: string): string | undefined {
  if (specOf(old)["nodeName"] !== node) {
    return `node ${quoted(node)} can only update pod status for pods with spec.nodeName set to itself`;
  }
  const labelsOf = (pod: JsonObject) => fieldsOf(metadataOf(pod)["labels"]);
  if (!sameJson(labelsOf(object), labelsOf(old))) return `node ${quoted(node)} cannot update labels through pod status`;
  return undefined;
}

function nodeProblem({ object, old, request, operation }: Admission, node: string): string | undefined {
  const name = request.info.name ?? textOf(metadataOf(object ?? old ?? {})["name"]);
  const who = `node ${quoted(node)} is not allowed to`;
  if (name !== node) return `${who} modify node ${quoted(name)}`;
  if (object === undefined || operation === "delete") return undefined;
  const [labels, known] = [object, old ?? {}].map((each) => fieldsOf(metadataOf(each)["labels"]));
  const wrong = forbiddenLabels(labels ?? {}, known ?? {}).join(", ");
  if (old === undefined) return wrong === "" ? undefined : `${who} set the following labels: ${wrong}`;
  if (!sameJson(specOf(object)["taints"], specOf(old)["taints"])) return `${who} modify taints`;
  if (!sameJson(metadataOf(object)["ownerReferences"], metadataOf(old)["ownerReferences"]))
    return `${who} modify ownerReferences`;
  return wrong === "" ? undefined : `is not allowed to modify labels: ${wrong}`;
}

/** What a node may say of a claim: how large its volume has become. The original shows the difference, too. */
function claimProblem({ subresource, object = {}, old = {} }: Admission, node: string): string | undefined {
  if (subresource !== "status") return "may only update PVC status";
  if (sameJson(settled(object), settled(old))) return undefined;
  return `node ${quoted(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

function settled(claim: JsonObject): JsonObject {
  const own = {
    capacity: undefined,
    conditions: undefined,
    allocatedResources: undefined,
    allocatedResourceStatuses: undefined,
  };
  const rest = withMetadata(claim, { resourceVersion: undefined, managedFields: undefined });
  return { ...rest, status: withFields(fieldsOf(claim["status"]), own) };
}

function leaseProblem({ namespace, object, old, request }: Admission, node: string): string | undefined {
  if (namespace !== "kube-node-lease") return 'can only access leases in the "kube-node-lease" system namespace';
  const name = request.info.name ?? textOf(metadataOf(object ?? old ?? {})["name"]);
  return name === node ? undefined : "can only access node lease with the same name as the requesting node";
}

function csiNodeProblem({ object, old, request }: Admission, node: string): string | undefined {
  const name = request.info.name ?? textOf(metadataOf(object ?? old ?? {})["name"]);
  return name === node ? undefined : "can only access CSINode with the same name as the requesting node";
}
