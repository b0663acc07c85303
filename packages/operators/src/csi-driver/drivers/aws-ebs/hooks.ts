import type { AWSPlatformStatus, ClusterCSIDriver, CSIDriver, Deployment, StorageClass } from "@stowage/machinery";
import type { HookContext } from "@stowage/operator";
import type { DriverHooks, DriverSources } from "../../driver-profile.ts";
import { pairsText, withAddition, withDriverAddition } from "../../hooks/index.ts";
import { caKey, cloudConfigName } from "./ca-sync/index.ts";

/** Nodes say anew how many volumes they can have: other devices take places of theirs at any time. */
const ALLOCATABLE_GATE = "MutableCSINodeAllocatableCount";
const ALLOCATABLE_PERIOD_SECONDS = 600;

/** In the order of the originals: hooks are told by their index. */
export function awsEbsHooks(sources: DriverSources): DriverHooks {
  type ControllerHook = (deployment: Deployment, context: HookContext) => Promise<Deployment>;
  const forAws =
    (change: (deployment: Deployment, aws: AWSPlatformStatus) => Deployment): ControllerHook =>
    async (deployment, { signal }) =>
      change(deployment, (await sources.facts.current(signal)).platformStatus.aws ?? {});
  const isAllocatableMutable = async (signal: AbortSignal) =>
    (await sources.enabledGates?.(signal))?.has(ALLOCATABLE_GATE) ?? false;
  return {
    controllerHooks: [
      forAws(withRegion),
      forAws(withTags),
      forAws(withEndpoint),
      async (deployment, { signal }) =>
        (await isAllocatableMutable(signal)) ? withAllocatableGate(deployment) : deployment,
      (deployment) => withCloudCa(deployment, sources),
    ],
    csiDriverHooks: [
      async (csiDriver, { signal }) =>
        (await isAllocatableMutable(signal)) ? withAllocatablePeriod(csiDriver) : csiDriver,
    ],
    storageClassHooks: [withKmsKey],
  };
}

function withRegion(deployment: Deployment, { region = "" }: AWSPlatformStatus): Deployment {
  if (region === "") return deployment;
  return withDriverAddition(deployment, { env: [{ name: "AWS_REGION", value: region }] });
}

/** Beside the cluster's own tag, which the driver derives from the cluster's id. */
function withTags(deployment: Deployment, { resourceTags = [] }: AWSPlatformStatus): Deployment {
  if (resourceTags.length === 0) return deployment;
  return withDriverAddition(deployment, { args: [`--extra-tags=${pairsText(resourceTags)}`] });
}

function withEndpoint(deployment: Deployment, { serviceEndpoints = [] }: AWSPlatformStatus): Deployment {
  const url = serviceEndpoints.findLast(({ name }) => name === "ec2")?.url;
  return url ? withDriverAddition(deployment, { env: [{ name: "AWS_EC2_ENDPOINT", value: url }] }) : deployment;
}

/** Put there by HyperShift itself. */
export const hostedCaName = "user-ca-bundle";

/** The cloud's own authority, where it has one: of regions that are nobody else's. */
function withCloudCa(deployment: Deployment, sources: DriverSources): Deployment {
  const source = sources.isHosted ? hostedCaName : cloudConfigName;
  if (sources.configMap(source)?.data?.[caKey] === undefined) return deployment;
  const name = "ca-bundle";
  return withDriverAddition(
    deployment,
    {
      env: [{ name: "AWS_CA_BUNDLE", value: `/etc/ca/${caKey}` }],
      volumeMounts: [{ name, mountPath: "/etc/ca", readOnly: true }],
    },
    [{ name, configMap: { name: source } }],
  );
}

/** All sidecars in one need not be told. */
function withAllocatableGate(deployment: Deployment): Deployment {
  return withAddition(deployment, "csi-attacher", { args: [`--feature-gates=${ALLOCATABLE_GATE}=true`] });
}

function withAllocatablePeriod(csiDriver: CSIDriver): CSIDriver {
  const nodeAllocatableUpdatePeriodSeconds = ALLOCATABLE_PERIOD_SECONDS;
  return { ...csiDriver, spec: { ...csiDriver.spec, nodeAllocatableUpdatePeriodSeconds } };
}

function withKmsKey(storageClass: StorageClass, { operator }: { readonly operator: ClusterCSIDriver }): StorageClass {
  const { driverType, aws } = operator.spec.driverConfig ?? {};
  if (driverType !== "AWS" || !aws?.kmsKeyARN) return storageClass;
  return { ...storageClass, parameters: { ...storageClass.parameters, kmsKeyId: aws.kmsKeyARN } };
}
