import type { Container, Pod } from "@stowage/machinery";

/** Whether the Pod has to do with storage: it has a claim, or a volume that a driver makes for it. */
export function usesStorage({ spec }: Pod): boolean {
  return (spec?.volumes ?? []).some(
    ({ persistentVolumeClaim, csi, ephemeral }) => (persistentVolumeClaim ?? csi ?? ephemeral) !== undefined,
  );
}

/** Somebody else's Pod, with what says where it is, what it mounts and how it is; what it runs is nobody's business. */
export function bystanderPod({ apiVersion, kind, metadata, spec, status }: Pod): Pod {
  const { annotations: _annotations, managedFields: _managedFields, ...kept } = metadata;
  const { volumes, nodeName, restartPolicy, schedulerName, terminationGracePeriodSeconds } = spec ?? {};
  return {
    apiVersion,
    kind,
    metadata: kept,
    spec: {
      containers: (spec?.containers ?? []).map(containerOf),
      ...(spec?.initContainers && { initContainers: spec.initContainers.map(containerOf) }),
      volumes,
      nodeName,
      restartPolicy,
      schedulerName,
      terminationGracePeriodSeconds,
    },
    status,
  };
}

function containerOf({ name, image, volumeMounts, volumeDevices }: Container): Container {
  return { name, image, volumeMounts, volumeDevices };
}
