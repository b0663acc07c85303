import { type EventRecorder, isNamespaceTerminating, isNotFound, type KubeClient } from "@stowage/kube";
import { type KubernetesObject, type Pod, type PodTemplateSpec, pods } from "@stowage/machinery";
import { errorText } from "./error-text.ts";
import { controllerReference } from "./owner-references.ts";

export interface PodControl {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
}

/** The Pod that a controller makes of a template. */
export function podFromTemplate(owner: KubernetesObject, template: PodTemplateSpec): Pod {
  const { labels = {}, annotations = {}, finalizers = [] } = template.metadata ?? {};
  const { name = "", namespace } = owner.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerReference(owner)],
    },
    spec: template.spec,
  };
}

/** Creates it and tells of it; throws what the server said. */
export async function createPod({ client, recorder }: PodControl, owner: KubernetesObject, pod: Pod): Promise<Pod> {
  try {
    const created = await client.create(pods, pod);
    recorder.event(owner, "Normal", "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
    return created;
  } catch (error) {
    // Everything fails in a namespace that is going; nobody needs to be told.
    if (!isNamespaceTerminating(error)) {
      recorder.event(owner, "Warning", "FailedCreate", `Error creating: ${errorText(error)}`);
    }
    throw error;
  }
}

/** Deletes it and tells of it; throws what the server said, also when it is gone already. */
export async function deletePod({ client, recorder }: PodControl, owner: KubernetesObject, pod: Pod): Promise<void> {
  const { namespace, name = "" } = pod.metadata;
  try {
    await client.delete(pods, { namespace, name });
  } catch (error) {
    if (!isNotFound(error)) recorder.event(owner, "Warning", "FailedDelete", `Error deleting: ${errorText(error)}`);
    throw error;
  }
  recorder.event(owner, "Normal", "SuccessfulDelete", `Deleted pod: ${name}`);
}
