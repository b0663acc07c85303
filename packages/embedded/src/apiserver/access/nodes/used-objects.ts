import type { Container, PersistentVolume, Pod, Volume } from "@stowage/machinery";

/** What a node may read for the sake of a Pod: `secrets`, `configmaps`, `persistentvolumeclaims`, `serviceaccounts`. */
export interface UsedObject {
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
}

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** What a Pod names in its own namespace. A mirror of what a node runs by itself gives that node nothing. */
export function objectsOfPod(pod: Pod): UsedObject[] {
  const { namespace = "", annotations } = pod.metadata;
  if (annotations?.[mirrorAnnotation] !== undefined) return [];
  const { serviceAccountName = "", imagePullSecrets, volumes } = pod.spec ?? {};
  const names: [string, string | undefined][] = [
    ["serviceaccounts", serviceAccountName],
    ...(imagePullSecrets ?? []).map(({ name }): [string, string | undefined] => ["secrets", name]),
    ...containersOf(pod).flatMap(namesInContainer),
    ...(volumes ?? []).flatMap((volume) => namesInVolume(pod, volume)),
  ];
  return names.flatMap(([plural, name = ""]) => (name === "" ? [] : [{ plural, namespace, name }]));
}

function containersOf({ spec }: Pod): Container[] {
  const { initContainers, containers, ephemeralContainers } = spec ?? {};
  return [...(initContainers ?? []), ...(containers ?? []), ...((ephemeralContainers ?? []) as Container[])];
}

type Named = [plural: string, name: string | undefined];

function namesInContainer({ env, envFrom }: Container): Named[] {
  return [
    ...(envFrom ?? []).flatMap(({ secretRef, configMapRef }): Named[] => [
      ["secrets", secretRef?.name],
      ["configmaps", configMapRef?.name],
    ]),
    ...(env ?? []).flatMap(({ valueFrom }): Named[] => [
      ["secrets", valueFrom?.secretKeyRef?.name],
      ["configmaps", valueFrom?.configMapKeyRef?.name],
    ]),
  ];
}

function namesInVolume(pod: Pod, volume: Volume): Named[] {
  const { persistentVolumeClaim, ephemeral, projected, secret, configMap, csi, azureFile } = volume;
  const own = ephemeral === undefined ? undefined : `${pod.metadata.name}-${volume.name}`;
  return [
    ["persistentvolumeclaims", persistentVolumeClaim?.claimName ?? own],
    ["secrets", secret?.secretName],
    ["configmaps", configMap?.name],
    ["secrets", csi?.nodePublishSecretRef?.name],
    ["secrets", azureFile?.secretName],
    ...(projected?.sources ?? []).flatMap((source): Named[] => [
      ["secrets", source.secret?.name],
      ["configmaps", source.configMap?.name],
    ]),
    ...inTreeSources(volume).map(({ secretRef }): Named => ["secrets", secretRef?.name]),
  ];
}

interface SecretHolder {
  readonly secretRef?: { readonly name?: string; readonly namespace?: string };
}

/** Of Pods and of volumes; each has at most one. */
function inTreeSources(source: InTree): SecretHolder[] {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = source;
  return [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].filter((each) => each !== undefined);
}

type InTree = {
  readonly [Kind in "cephfs" | "cinder" | "flexVolume" | "rbd" | "scaleIO" | "iscsi" | "storageos"]?: SecretHolder;
};

/** The Secrets that a node needs to mount the volume. Those that controllers need are not for it to see. */
export function secretsOfVolume({ spec }: PersistentVolume): UsedObject[] {
  const { csi, azureFile, claimRef } = spec ?? {};
  const claimed = claimRef?.namespace ?? "";
  const references = [
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace ?? claimed },
    ...inTreeSources((spec ?? {}) as InTree).map(({ secretRef }) => secretRef),
  ];
  return references.flatMap((reference) => {
    const { name = "", namespace = claimed } = reference ?? {};
    return name === "" ? [] : [{ plural: "secrets", namespace, name }];
  });
}
