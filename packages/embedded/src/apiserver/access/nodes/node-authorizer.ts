import { parseFieldSelector } from "@stowage/machinery";
import type { AccessAttributes, ResourceAccess } from "../authorization/access-attributes.ts";
import type { Decision } from "../authorization/authorizer.ts";
import { ruleAllows } from "../authorization/rule-match.ts";
import { clusterRoleTable } from "../policy/cluster-role-table.ts";
import { ruleOf } from "../policy/rule-row.ts";
import type { NodeGraph } from "./node-graph.ts";
import { nodeNameOf } from "./node-identity.ts";

/** Says what a node may: its own objects, those that its Pods lead to, and for the rest what the role `system:node` lists. */
export class NodeAuthorizer {
  readonly #graph: NodeGraph;
  readonly #rules = (clusterRoleTable["system:node"] ?? []).map(ruleOf);

  constructor(graph: NodeGraph) {
    this.#graph = graph;
  }

  /** Undefined when it is none of its business: whoever asks is no node. */
  decide(attributes: AccessAttributes): Decision | undefined {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return undefined;
    if (node === "") return no(`unknown node for user ${JSON.stringify(attributes.user.name)}`);
    const decide = attributes.isResource ? decisions[`${attributes.group}/${attributes.resource}`] : undefined;
    if (decide !== undefined && attributes.isResource) return decide({ ...attributes, node, graph: this.#graph });
    return this.#rules.some((rule) => ruleAllows(rule, attributes)) ? yes : no();
  }
}

/** What a node asks for. */
interface NodeAccess extends ResourceAccess {
  readonly node: string;
  readonly graph: NodeGraph;
}

const yes: Decision = { isAllowed: true, reason: "" };
const no = (reason = ""): Decision => ({ isAllowed: false, reason });

/** Of resources of which a node may see a part. */
const decisions: Readonly<Record<string, (access: NodeAccess) => Decision>> = {
  "/secrets": readDecision,
  "/configmaps": readDecision,
  "/persistentvolumeclaims": claimDecision,
  "/persistentvolumes": (access) => getDecision(access, ({ graph, node, name }) => graph.leadsToVolume(node, name)),
  "storage.k8s.io/volumeattachments": (access) =>
    getDecision(access, ({ graph, node, name }) => graph.leadsToAttachment(node, name)),
  "/serviceaccounts": accountDecision,
  "coordination.k8s.io/leases": leaseDecision,
  "storage.k8s.io/csinodes": csiNodeDecision,
  "/nodes": nodeDecision,
  "/pods": podDecision,
  // Nothing of these is kept here, so that no node has any.
  "resource.k8s.io/resourceclaims": (access) => getDecision(access, () => false),
};

type Leads = (access: NodeAccess) => boolean;

const byPods: Leads = ({ graph, node, resource: plural, namespace, name }) =>
  graph.leadsTo(node, { plural, namespace, name });

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

function relatedDecision(access: NodeAccess, leads: Leads): Decision {
  if (access.name === "") return no("No Object name found");
  return leads(access) ? yes : no(`no relationship found between node '${access.node}' and this object`);
}

function readDecision(access: NodeAccess): Decision {
  if (!reads.has(access.verb)) return no("can only read resources of this type");
  if (access.subresource !== "") return no("cannot read subresource");
  if (access.namespace === "") return no("can only read namespaced object of this type");
  return relatedDecision(access, byPods);
}

function getDecision(access: NodeAccess, leads: Leads): Decision {
  if (access.verb !== "get") return no("can only get individual resources of this type");
  if (access.subresource !== "") return no("cannot get subresource");
  return relatedDecision(access, leads);
}

function claimDecision(access: NodeAccess): Decision {
  if (access.subresource !== "status") return getDecision(access, byPods);
  if (access.verb !== "update" && access.verb !== "patch") return no("can only get/update/patch this type");
  return relatedDecision(access, byPods);
}

function accountDecision(access: NodeAccess): Decision {
  const { verb, subresource, name } = access;
  if (verb === "get" && subresource === "") return readDecision(access);
  if (verb !== "create" || name === "") return no("can only create tokens for individual service accounts");
  if (subresource !== "token") return no("can only create token subresource of serviceaccount");
  return relatedDecision(access, byPods);
}

const ownVerbs: ReadonlySet<string> = new Set(["get", "create", "update", "patch", "delete"]);

// Of what is created the name is not known yet here; `NodeRestriction` looks at it.

function leaseDecision({ verb, namespace, name, node }: NodeAccess): Decision {
  if (!ownVerbs.has(verb)) return no("can only get, create, update, patch, or delete a node lease");
  if (namespace !== "kube-node-lease") return no('can only access leases in the "kube-node-lease" system namespace');
  if (verb === "create" || name === node) return yes;
  return no("can only access node lease with the same name as the requesting node");
}

function csiNodeDecision({ verb, subresource, name, node }: NodeAccess): Decision {
  if (!ownVerbs.has(verb)) return no("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return no("cannot authorize CSINode subresources");
  if (verb === "create" || name === node) return yes;
  return no("can only access CSINode with the same name as the requesting node");
}

function nodeDecision({ verb, subresource, name, node }: NodeAccess): Decision {
  if (subresource === "status") return verb === "update" || verb === "patch" ? yes : no();
  if (subresource !== "") return no();
  if (verb === "create" || verb === "update" || verb === "patch") return yes;
  if (!reads.has(verb)) return no();
  if (name === node) return yes;
  if (name === "") return no(`node '${node}' cannot read all nodes, only its own Node object`);
  return no(`node '${node}' cannot read '${name}', only its own Node object`);
}

function podDecision(access: NodeAccess): Decision {
  const { verb, subresource, name, node } = access;
  if (subresource === "status") return verb === "update" || verb === "patch" ? yes : no();
  if (subresource === "eviction") return verb === "create" ? yes : no();
  if (subresource !== "") return no();
  if (verb === "create" || verb === "delete") return yes;
  const isOn: Leads = ({ graph, namespace }) => graph.leadsToPod(node, namespace, name);
  if (verb === "get") return getDecision(access, isOn);
  if (verb !== "list" && verb !== "watch") return no();
  if (selectedNode(access) === node) return yes;
  if (name !== "") return relatedDecision(access, isOn);
  return no("can only list/watch pods with spec.nodeName field selector");
}

function selectedNode({ fieldSelector = "" }: NodeAccess): string | undefined {
  try {
    return parseFieldSelector(fieldSelector).requiredValue("spec.nodeName");
  } catch {
    // One that cannot be read selects nothing; that it is wrong is said where it is used.
    return undefined;
  }
}
