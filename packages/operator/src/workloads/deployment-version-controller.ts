import type { Informer, KubeClient } from "@stowage/kube";
import { type Deployment, deployments } from "@stowage/machinery";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  operatorController,
  watching,
} from "../operator-controllers/index.ts";
import { desiredVersionAnnotation } from "./hooks/index.ts";

/** HyperShift reads here which release a part of its control plane has come to. */
export const versionAnnotation = "release.openshift.io/version";

export interface DeploymentVersionDeps<T extends OperatorResource> extends OperatorControllerDeps<T> {
  /** Of the management cluster, as is the informer. */
  readonly client: Pick<KubeClient, "patch">;
  readonly informer: Informer<Deployment>;
}

export interface DeploymentVersionSpec {
  readonly name: string;
  readonly namespace: string;
  readonly deployment: string;
  /** Of the operator. */
  readonly version: string;
}

/**
 * Says at a Deployment which version of it runs, once all of its Pods are of that version.
 * Watches: the operator's resource, the Deployment. Writes condition: `<name>Degraded`. Deletes: nothing.
 */
export function deploymentVersionController<T extends OperatorResource>(
  deps: DeploymentVersionDeps<T>,
  { name, namespace, deployment, version }: DeploymentVersionSpec,
): OperatorController {
  const { client, informer } = deps;
  const matches = ({ metadata }: Deployment) => metadata.name === deployment;
  return operatorController(deps, {
    name,
    watches: [watching(informer, { matches })],
    async sync({ signal }) {
      const found = informer.objects.get({ namespace, name: deployment });
      if (found === undefined || !isVersionDue(found, version)) return;
      const patch = { metadata: { annotations: { [versionAnnotation]: version } } };
      await client.patch(deployments, { namespace, name: deployment }, { type: "merge", patch }, { signal });
    },
  });
}

/** Not while the operator before this one still has its say there, nor while a rollout runs. */
export function isVersionDue({ metadata, status }: Deployment, version: string): boolean {
  const { annotations = {}, generation } = metadata;
  if (annotations[desiredVersionAnnotation] !== version || annotations[versionAnnotation] === version) return false;
  const progress = status?.conditions?.find(({ type }) => type === "Progressing");
  const isComplete = progress?.status === "True" && progress.reason === "NewReplicaSetAvailable";
  return isComplete && status?.observedGeneration === generation;
}
