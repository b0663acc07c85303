import type { Deployment, PolicyRule, ValidatingWebhookConfiguration } from "@stowage/machinery";
import { applyObject, deleteObject, type OperatorController, operatorController, watching } from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";

const assetPrefix = "vmware-vsphere-csi-driver";
const CONFIGURATION_NAME = "validation.csi.vsphere.vmware.com";
const DEPLOYMENT_NAME = `${assetPrefix}-webhook`;
/** Made by us where no service CA fills the authority in. */
const BUNDLE_NAME = `${assetPrefix}-serving-ca-bundle`;
const BUNDLE_KEY = "service-ca.crt";
const RESYNC_MS = 10 * 60_000;

const rule = { apiGroups: ["admissionregistration.k8s.io"], resources: ["validatingwebhookconfigurations"] };

export const webhookRules: readonly PolicyRule[] = [
  { ...rule, verbs: ["create"] },
  { ...rule, resourceNames: [CONFIGURATION_NAME], verbs: ["get", "update", "delete"] },
];

/**
 * Has the API server ask the driver's webhook about storage classes. Without an answer it refuses all of them, also those of other
 * drivers: so it is told of the webhook only when that runs, and made to forget it before that goes.
 * Watches: the operator's resource, Deployments and ConfigMaps of the driver's namespace. Owns: ValidatingWebhookConfiguration
 * `validation.csi.vsphere.vmware.com`. Writes condition: `VMwareVSphereDriverWebhookConfigurationControllerDegraded`. Deletes: it, on
 * removal.
 */
export function webhookConfigurationController(context: DriverOperatorContext): OperatorController {
  const { deps, operator, namespace, deployments, configMaps } = context;
  const bundle = () => configMaps.objects.get({ namespace, name: BUNDLE_NAME })?.data?.[BUNDLE_KEY];
  return operatorController(
    { ...deps, operator },
    {
      name: "VMwareVSphereDriverWebhookConfigurationController",
      watches: [
        watching(deployments, { matches: ({ metadata }) => metadata.name === DEPLOYMENT_NAME }),
        watching(configMaps, { matches: ({ metadata }) => metadata.name === BUNDLE_NAME }),
      ],
      resyncMs: RESYNC_MS,
      async sync({ signal }) {
        const deployment = deployments.objects.get({ namespace, name: DEPLOYMENT_NAME });
        if (answers(deployment)) await applyObject(deps, desiredConfiguration(namespace, bundle()), { signal });
      },
      remove: async ({ signal }) =>
        void (await deleteObject(deps, desiredConfiguration(namespace, undefined), { signal })),
    },
  );
}

function answers(deployment: Deployment | undefined): boolean {
  return (deployment?.status?.availableReplicas ?? 0) > 0;
}

export function desiredConfiguration(namespace: string, bundle: string | undefined): ValidatingWebhookConfiguration {
  const service = { name: `${assetPrefix}-webhook-svc`, namespace, path: "/validate" };
  const caBundle = bundle === undefined ? undefined : Buffer.from(bundle).toString("base64");
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: {
      name: CONFIGURATION_NAME,
      annotations: { "service.beta.openshift.io/inject-cabundle": "true" },
    },
    webhooks: [
      {
        name: CONFIGURATION_NAME,
        clientConfig: { service, ...(caBundle !== undefined && { caBundle }) },
        rules: [
          {
            apiGroups: ["storage.k8s.io"],
            apiVersions: ["v1", "v1beta1"],
            operations: ["CREATE", "UPDATE"],
            resources: ["storageclasses"],
          },
        ],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        failurePolicy: "Fail",
      },
    ],
  };
}
