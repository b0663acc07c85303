import type { JsonObject } from "@stowage/machinery/apply";
import { badRequest, notFound } from "../../answers/index.ts";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../strategies/index.ts";
import { objectKey } from "../../verbs/object-key.ts";
import { unexpected } from "../../verbs/writes/write-errors.ts";
import type { WriteTarget } from "../../verbs/writes/write-target.ts";
import type { AgentContainer } from "../node-agents.ts";

const nodes = { group: "", plural: "nodes", namespaced: false };

/** The container that is meant. Its node is empty while the Pod waits for one. Throws when there is no such. */
export function agentContainer(target: WriteTarget, asked: string): AgentContainer {
  const { pod, name } = storedPod(target);
  const { namespace, uid } = metadataOf(pod);
  const node = textOf(specOf(pod)["nodeName"]);
  return {
    namespace: textOf(namespace),
    pod: name,
    uid: textOf(uid),
    container: chosenContainer(pod, name, asked),
    node,
  };
}

/** Of a Pod as a whole, on its node. */
export function agentPod(target: WriteTarget): AgentContainer {
  const { pod, name } = storedPod(target);
  const { namespace, uid } = metadataOf(pod);
  const node = textOf(specOf(pod)["nodeName"]);
  const found = { namespace: textOf(namespace), pod: name, uid: textOf(uid), container: "", node };
  checkPlaced(target, found);
  return found;
}

/** Throws when the Pod is on no node, or its node is not there. */
export function checkPlaced({ deps }: WriteTarget, { node, pod }: AgentContainer): void {
  if (node === "") throw badRequest(`pod ${pod} does not have a host assigned`);
  const stored = deps.store.get(objectKey(nodes, { namespace: undefined, name: node }));
  // As the real server says it, which looks for the node on behalf of the Pod.
  if (stored === undefined) throw notFound({ group: "", plural: "pods" }, node);
  const { status } = JSON.parse(stored.text) as JsonObject;
  if (listOf(fieldsOf(status)["addresses"]).length === 0) {
    throw unexpected("no preferred addresses found; known addresses: []");
  }
}

function storedPod({ deps, resource, namespace, request }: WriteTarget) {
  const name = request.info.name ?? "";
  const stored = deps.store.get(objectKey(resource, { namespace, name }));
  if (stored === undefined) throw notFound(resource, name);
  return { pod: JSON.parse(stored.text) as JsonObject, name };
}

function chosenContainer(pod: JsonObject, name: string, asked: string): string {
  const spec = specOf(pod);
  const namesIn = (field: string) => listOf(spec[field]).map((each) => textOf(fieldsOf(each)["name"]));
  const containers = namesIn("containers");
  const all = [...namesIn("initContainers"), ...containers, ...namesIn("ephemeralContainers")];
  if (asked !== "") {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const [only] = containers;
  if (only !== undefined && containers.length === 1) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(" ")}]`);
}
