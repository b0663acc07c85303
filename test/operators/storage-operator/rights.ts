import type { ClusterRole, KubernetesObject, PolicyRule } from "@stowage/machinery";
import { storageOperatorName } from "@stowage/operators/cluster-storage";
import type { AuditedRequest } from "../driver-operator/audit.ts";
import { payload } from "./payload.ts";

/** One right of the storage operator's own role: what is there only to be handed on is in another. */
interface Right {
  /** Empty: everywhere. */
  readonly namespace: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[] | undefined;
}

/** Those that the proxy in the same Pod uses, as the same account. */
const ofProxy: ReadonlySet<string> = new Set(["tokenreviews", "subjectaccessreviews"]);

/** To look at an object that somebody else was faster to make, and to put right what somebody has changed. */
const repairVerbs: ReadonlySet<string> = new Set(["get", "update", "delete"]);

/** Only events that repeat are, and none may. */
const isOfRepeatedEvents = ({ verb, resource }: Right) => verb === "patch" && resource === "events";

/** Watched only while another process has it. */
const isWaiting = ({ verb, resource }: Right) => verb === "watch" && resource === "leases";

/** Where only the operator of IBM's VPC Block gets rights, to read the cloud's configuration: the tests run on other platforms. */
const isOfIbmCloud = ({ namespace }: Right) => namespace === "openshift-cloud-controller-manager";

/** Asked by the server itself, when a binding is made. */
const isAskedByServer = ({ verb }: Right) => verb === "bind";

function ownRights(objects: readonly KubernetesObject[]): Right[] {
  return objects
    .filter(({ kind, metadata }) => /^(?:Cluster)?Role$/u.test(kind) && metadata.name === storageOperatorName)
    .flatMap((role) =>
      ((role as ClusterRole).rules ?? []).flatMap((rule) => rightsOf(rule, role.metadata.namespace ?? "")),
    );
}

function rightsOf({ apiGroups = [], resources = [], resourceNames, verbs }: PolicyRule, namespace: string): Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => ({ namespace, verb, group, resource, names: resourceNames }))),
  );
}

/** `delete secrets`, of every right that none of the requests needed. Repairs count as needed where they are limited to names. */
export function unusedRights(
  requests: readonly AuditedRequest[],
  /** The roles are among these. */
  objects: readonly KubernetesObject[] = payload(),
): string[] {
  const isUsed = ({ namespace, verb, group, resource, names }: Right) =>
    requests.some(
      (request) =>
        // Servers that cannot stream the first list are asked for it.
        (request.verb === verb || (request.verb === "watch" && verb === "list")) &&
        request.group === group &&
        request.resource === resource &&
        (namespace === "" || request.namespace === namespace) &&
        (names === undefined || names.includes(request.name)),
    );
  const isRepair = ({ verb, names }: Right) => repairVerbs.has(verb) && names !== undefined;
  return ownRights(objects)
    .filter((right) => !ofProxy.has(right.resource) && !isOfIbmCloud(right) && !isAskedByServer(right))
    .filter((right) => !isRepair(right) && !isWaiting(right) && !isOfRepeatedEvents(right) && !isUsed(right))
    .map(({ namespace, verb, resource }) => `${verb} ${resource}${namespace && ` in ${namespace}`}`);
}
