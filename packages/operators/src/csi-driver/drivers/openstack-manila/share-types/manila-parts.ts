import { type PolicyRule, storageClasses } from "@stowage/machinery";
import { type Asset, type OperatorController, storageClassController } from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import type { DriverParts } from "../../../driver-profile.ts";
import { cloudConfigCopy } from "./cloud-config-copy.ts";
import { cloudConfigName, cloudSource, configNamespace } from "./cloud-source.ts";
import { desiredShareClasses } from "./share-classes.ts";
import { shareTypesGate } from "./share-types-gate.ts";

const driverName = "manila.csi.openstack.org";

/** By namespace: what the parts have to be allowed beside what every driver's operator is. */
export const manilaRules: Readonly<Record<string, readonly PolicyRule[]>> = {
  [configNamespace]: [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [cloudConfigName], verbs: ["list", "watch"] },
  ],
  "openshift-manila-csi-driver": [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    {
      apiGroups: [""],
      resources: ["configmaps"],
      resourceNames: [cloudConfigName],
      verbs: ["get", "update", "delete"],
    },
  ],
};

/** Which classes there are only the cloud knows, so that they cannot be named. */
export const shareClassRules: readonly PolicyRule[] = [
  {
    apiGroups: [storageClasses.group],
    resources: [storageClasses.plural],
    verbs: ["get", "list", "watch", "create", "update", "delete"],
  },
];

/** The cloud is asked first; classes follow what it says, each time. */
export function manilaParts(context: DriverOperatorContext): DriverParts {
  const cloud = cloudSource(context);
  const classes = shareClasses(context);
  const gate = shareTypesGate({
    ...context,
    cloud,
    driverName,
    onShareTypes: (types) => {
      const wanted = desiredShareClasses(types, { driverName, namespace: context.namespace });
      classes.change(wanted.map((each) => ({ name: `${each.metadata.name}.yaml`, text: JSON.stringify(each) })));
    },
  });
  return { gate, controllers: [cloudConfigCopy(context, cloud.cloudConfig), classes.controller] };
}

/** A class whose type is gone stays: claims may name it, and the cloud says what is wrong with it. */
function shareClasses({ deps, operator }: DriverOperatorContext): {
  readonly controller: OperatorController;
  change(assets: readonly Asset[]): void;
} {
  let current: readonly Asset[] = [];
  const informer = deps.informers.informer(storageClasses);
  const controller = storageClassController(
    { ...deps, operator, informer },
    {
      get assets() {
        return current;
      },
    },
  );
  return {
    controller,
    change(assets) {
      const isSame = JSON.stringify(assets) === JSON.stringify(current);
      current = assets;
      if (!isSame) controller.trigger();
    },
  };
}
