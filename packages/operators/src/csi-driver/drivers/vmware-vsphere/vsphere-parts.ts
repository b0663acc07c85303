import type { PolicyRule } from "@stowage/machinery";
import { featureGateSource } from "@stowage/operator";
import type { DriverOperatorContext } from "../../driver-context.ts";
import type { DriverParts } from "../../driver-profile.ts";
import { checkGate } from "./checks/check-gate.ts";
import { configSecretController, configSecretName, featureStatesController } from "./config/config-controllers.ts";
import { configNamespace, configSource } from "./config/config-source.ts";
import { featureStatesName } from "./config/feature-states.ts";
import { migrationDatastore } from "./config/migration-datastore.ts";
import { DriverErrors } from "./metrics/driver-errors.ts";
import { topologyFigures } from "./metrics/topology-figures.ts";
import { policyGate } from "./policy/policy-controller.ts";
import { soapVCenter } from "./vcenter/soap-vcenter.ts";
import type { ConnectVCenter } from "./vcenter/vcenter.ts";
import { webhookConfigurationController, webhookRules } from "./webhook/webhook-configuration.ts";

const TRUSTED_CA_NAME = "vmware-vsphere-csi-driver-trusted-ca-bundle";
const TRUSTED_CA_KEY = "ca-bundle.crt";

function keepRules(resource: string, name: string): PolicyRule[] {
  return [
    { apiGroups: [""], resources: [resource], verbs: ["create"] },
    { apiGroups: [""], resources: [resource], resourceNames: [name], verbs: ["get", "update", "delete"] },
  ];
}

/** By namespace: what the parts have to be allowed beside what every driver's operator is. */
export const vsphereRules: Readonly<Record<string, readonly PolicyRule[]>> = {
  [configNamespace]: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }],
  "openshift-cluster-csi-drivers": [
    ...keepRules("configmaps", featureStatesName),
    ...keepRules("secrets", configSecretName),
  ],
};

/** Whose driver is on the nodes, before there is a CSIDriver to say so. */
export const vsphereClusterRules: readonly PolicyRule[] = [
  { apiGroups: ["storage.k8s.io"], resources: ["csinodes"], verbs: ["list"] },
  ...webhookRules,
];

/**
 * vCenter is looked at first. The configuration follows, the class when vCenter has its policy, and the webhook's registration when that
 * runs.
 */
export function vsphereParts(
  context: DriverOperatorContext,
  connect: ConnectVCenter = soapVCenter({ env: context.deps.env, authority: () => trustedAuthorities(context) }),
): DriverParts {
  const { deps } = context;
  const source = configSource(context);
  const gates = featureGateSource(deps, deps.env["OPERATOR_IMAGE_VERSION"]);
  const errors = new DriverErrors();
  for (const figure of [errors.figure, ...topologyFigures(context)]) deps.addFigure(figure);
  const gate = checkGate({ ...context, source, errors, run: { connect, gates: (signal) => gates.enabled(signal) } });
  return {
    gate,
    classGate: policyGate({ ...context, source, connect, errors }),
    controllers: [
      configSecretController(context, { source, migration: migrationDatastore(deps.clock, connect) }),
      featureStatesController(context),
      webhookConfigurationController(context),
    ],
  };
}

function trustedAuthorities({ namespace, configMaps }: DriverOperatorContext): string | undefined {
  return configMaps.objects.get({ namespace, name: TRUSTED_CA_NAME })?.data?.[TRUSTED_CA_KEY];
}
