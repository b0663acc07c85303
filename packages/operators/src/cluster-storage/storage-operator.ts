import { type CSIDriver, clusterCSIDrivers, csiDrivers, storages } from "@stowage/machinery";
import {
  type ClusterOperatorSpec,
  clusterFactsSource,
  clusterOperatorController,
  configObserverController,
  createOperatorClient,
  createServiceCaProbe,
  logLevelController,
  managementStateController,
  type OperatorController,
  proxyObserver,
  staleConditionsController,
  storageProxyPath,
} from "@stowage/operator";
import type { OperatorProgram, OperatorProgramDeps } from "../program/index.ts";
import { attributesClassMismatch } from "./attributes-class-mismatch.ts";
import { defaultClassCount } from "./default-class-count.ts";
import { defaultStorageClassController } from "./default-storage-class-controller.ts";
import { type DriverOperatorEntry, driverOperators } from "./driver-operators/index.ts";
import { driverStarter } from "./driver-starter.ts";
import {
  clusterObjectName,
  driversNamespace,
  storageClusterOperator,
  storageOperatorName,
  storageOperatorNamespace,
} from "./names.ts";
import { operatorsSide } from "./operators-side.ts";
import { validatorControllers } from "./populators/index.ts";
import { selinuxReadinessController } from "./selinux-readiness-controller.ts";
import { ownCertificates } from "./serving-certificates.ts";
import type { StorageOperatorContext } from "./storage-operator-context.ts";
import { hostedTlsSettings, tlsSettingsSource } from "./tls-settings-source.ts";

const STATUS_INTERVAL_MS = 1_000;

/** Finds out what the cluster runs on, starts the operators of its drivers, and tells the cluster how its storage is. */
export function createStorageOperator(
  deps: OperatorProgramDeps,
  { entries = driverOperators }: { readonly entries?: readonly DriverOperatorEntry[] } = {},
): OperatorProgram {
  const context = storageOperatorContext(deps);
  deps.addFigure(defaultClassCount(context));
  deps.addFigure(attributesClassMismatch(context));
  const starter = driverStarter(context, { entries, onDecided: () => status.trigger() });
  const status = clusterOperatorController(context, {
    name: storageClusterOperator,
    versions: () => versionsFrom(deps.env),
    staticObjects,
    relatedObjects: () => starter.relatedObjects(),
    writeIntervalMs: STATUS_INTERVAL_MS,
  });
  return { controllers: [starter, status, ...commonControllers(context)] };
}

function storageOperatorContext(deps: OperatorProgramDeps): StorageOperatorContext {
  const { client, informers, clock } = deps;
  const operators = operatorsSide(deps);
  const { hosted, mapper } = operators;
  const context = {
    ...deps,
    operators,
    operator: createOperatorClient({
      client,
      informers,
      clock,
      type: storages,
      name: clusterObjectName,
      // A cluster without storage is one without this operator.
      management: { allowsUnmanaged: true, allowsRemoved: false },
    }),
    facts: clusterFactsSource(deps),
    tlsSettings: hosted === undefined ? tlsSettingsSource(deps) : hostedTlsSettings(hosted),
    // Beside a control plane nothing is allowed outside of its namespace.
    serviceCa: createServiceCaProbe(hosted === undefined ? deps : { mapper, clock }),
    driverResources: informers.informer(clusterCSIDrivers),
    csiDrivers: informers.informer(csiDrivers, { transform: trimCsiDriver }),
  };
  const observers = [proxyObserver(context, storageProxyPath)];
  const configObserver = configObserverController(context, { name: "openshift-storage", observers });
  return { ...context, configObserver, certificates: ownCertificates({ ...context, configObserver }) };
}

function commonControllers(context: StorageOperatorContext): OperatorController[] {
  return [
    defaultStorageClassController(context),
    selinuxReadinessController(context),
    managementStateController(context, { name: storageClusterOperator }),
    logLevelController(context, { control: context.logLevel }),
    staleConditionsController(context, { name: storageClusterOperator, types: staleConditions }),
    context.configObserver,
    context.certificates,
    ...validatorControllers(context),
  ];
}

/** Of versions that watched over vSphere by a Deployment of their own. */
const staleConditions = ["VSphereProblemDetectorDeploymentControllerAvailable"];

const staticObjects: ClusterOperatorSpec["staticObjects"] = [
  { group: "", resource: "namespaces", name: storageOperatorNamespace },
  { group: "", resource: "namespaces", name: driversNamespace },
  { group: storages.group, resource: storages.plural, name: clusterObjectName },
  { group: "rbac.authorization.k8s.io", resource: "clusterrolebindings", name: `${storageOperatorName}-role` },
];

/** From the start, not after a rollout: the operands have versions of their own. */
function versionsFrom({ OPERATOR_IMAGE_VERSION: operator }: OperatorProgramDeps["env"]): Record<string, string> {
  return operator ? { operator } : {};
}

/** Whose they are is all that counts. */
function trimCsiDriver({ apiVersion, kind, metadata }: CSIDriver): CSIDriver {
  const { name, uid, annotations, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, uid, annotations, resourceVersion }, spec: {} };
}
