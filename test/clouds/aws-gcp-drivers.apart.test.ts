import {
  clusterCSIDrivers,
  clusterRoleBindings,
  configMaps,
  credentialsRequests,
  csiDrivers,
  deployments,
  type FeatureGate,
  featureGates,
  namespaces,
  type PlatformStatus,
  storageClasses,
} from "@stowage/machinery";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { assetIdentities, namesOf, readAll } from "../operators/driver-operator/applied-objects.ts";
import {
  allDefinitions,
  type OperatorCluster,
  startOperatorCluster,
} from "../operators/driver-operator/operator-cluster.ts";
import {
  becomeAvailable,
  becomeAvailableOnNodes,
  createDriver,
  namespace,
} from "../operators/driver-operator/platform.ts";
import { images, RunningOperator, requestText } from "../operators/driver-operator/running-operator.ts";
import { unusedRights } from "../operators/driver-operator/unused-rights.ts";
import { becomeCloud, clusterId, sayOfCloud } from "./aws-gcp-drivers/cloud-platform.ts";

// The operators of the drivers of AWS and Google before the real API server, each with exactly the rights that it is deployed with.

const version = "9.9.9";
const env = { ...images, TOOLS_IMAGE: "registry.test/tools:1", OPERATOR_IMAGE_VERSION: version };
const credentialsNamespace = "openshift-cloud-credential-operator";
const quietMs = 5_000;

interface Cloud {
  readonly id: string;
  readonly status: PlatformStatus;
  readonly credentials: string;
  /** Variables of the operator beside its images. */
  readonly own?: Readonly<Record<string, string>>;
}

const role = "arn:aws:iam::1:role/efs";
const aws: PlatformStatus = { type: "AWS", aws: { region: "eu-central-1" } };
const gcp: PlatformStatus = { type: "GCP", gcp: { projectID: "shop", region: "europe-west3" } };
const clouds: readonly Cloud[] = [
  { id: "aws-ebs", status: aws, credentials: "ebs-cloud-credentials" },
  { id: "aws-efs", status: aws, credentials: "aws-efs-cloud-credentials", own: { ROLEARN: role } },
  { id: "gcp-pd", status: gcp, credentials: "gcp-pd-cloud-credentials" },
  { id: "gcp-filestore", status: gcp, credentials: "gcp-filestore-cloud-credentials" },
];

let cluster: OperatorCluster;
let operator: RunningOperator;

beforeAll(async () => {
  cluster = await startOperatorCluster();
  await cluster.install(...allDefinitions);
  for (const name of [namespace, credentialsNamespace]) await cluster.client.create(namespaces, { metadata: { name } });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** What the assets hold, without what is of another mode, another region, or to be deleted. */
function wantedOf({ profile }: RunningOperator) {
  const others = ["hyperdisk-balanced", "gcp-pd-controller-privileged-binding"];
  return assetIdentities(profile, "combined").filter(
    ({ metadata: { name = "" } }) => ![...others, "gcp-filestore-controller-privileged-binding"].includes(name),
  );
}

const refused = () => operator.requests().filter(({ code }) => code === 403);
const driverArguments = async () => {
  const name = `${operator.profile.assetPrefix}-controller`;
  const { spec } = await cluster.client.get(deployments, { namespace, name });
  return spec?.template.spec?.containers.find((each) => each.name === "csi-driver")?.args ?? [];
};
const setDriverConfig = (driverConfig: object) =>
  cluster.client.patch(
    clusterCSIDrivers,
    { name: operator.profile.driverName },
    { type: "merge", patch: { spec: { driverConfig } } },
  );
const parametersOf = async (name: string) => (await cluster.client.get(storageClasses, { name })).parameters;

describe.each(clouds)("the operator of $id", ({ id, status, credentials, own }) => {
  beforeAll(async () => {
    await becomeCloud(cluster, status, credentials);
    operator = new RunningOperator(cluster, await loadDriverProfile(id));
    await createDriver(cluster, operator.profile.driverName);
    if (id.startsWith("gcp-")) await leaveBindingBehind(id);
    await operator.start({ ...env, ...own });
  });
  afterAll(() => operator.stop());

  it("makes everything from its assets, without a placeholder left, and is refused nothing", async () => {
    const wanted = wantedOf(operator);
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    expect(wanted.length).toBeGreaterThan(18);
    expect(JSON.stringify(await readAll(cluster, wanted))).not.toContain("${");
    expect(refused().map(requestText)).toEqual([]);
  });

  it("is available when its workloads are, and writes nothing from then on", async () => {
    const { assetPrefix, conditionPrefix, driverName } = operator.profile;
    await becomeAvailable(cluster, `${assetPrefix}-controller`);
    await becomeAvailableOnNodes(cluster, `${assetPrefix}-node`);
    await eventually(async () => {
      const said = (await cluster.conditions(driverName)).join(" ");
      for (const part of ["Controller", "Node"]) {
        expect(said).toContain(`${conditionPrefix}Driver${part}ServiceControllerAvailable=True/`);
      }
      expect(said).not.toContain("Degraded=True");
    });
    await eventually(async () => expect(operator.writes(Date.now() - quietMs)).toEqual([]));
  });

  it.runIf(id === "aws-ebs")("follows tags, keys and gates", async () => {
    const resourceTags = [{ key: "a", value: "b" }];
    await sayOfCloud(cluster, { type: "AWS", aws: { region: "eu-central-1", resourceTags } });
    await eventually(async () => expect(await driverArguments()).toContain("--extra-tags=a=b"));
    const kmsKeyARN = "arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555";
    await setDriverConfig({ driverType: "AWS", aws: { kmsKeyARN } });
    await eventually(async () => expect(await parametersOf("gp3-csi")).toMatchObject({ kmsKeyId: kmsKeyARN }));
    await enableGate("MutableCSINodeAllocatableCount");
    await eventually(async () => {
      const { spec } = await cluster.client.get(csiDrivers, { name: "ebs.csi.aws.com" });
      expect(spec.nodeAllocatableUpdatePeriodSeconds).toBe(600);
    });
  });

  it.runIf(id === "aws-ebs")("has the cloud's authority beside the driver while there is one", async () => {
    const source = { name: "kube-cloud-config", namespace: "openshift-config-managed" };
    const copy = { name: source.name, namespace };
    const data = { "ca-bundle.pem": "authority" };
    await cluster.client.create(configMaps, { metadata: source, data });
    const mounts = async () => {
      const { spec } = await cluster.client.get(deployments, { namespace, name: "aws-ebs-csi-driver-controller" });
      return JSON.stringify(spec?.template.spec?.volumes);
    };
    await eventually(async () => expect((await cluster.client.find(configMaps, copy))?.data).toEqual(data));
    await eventually(async () => expect(await mounts()).toContain(source.name));
    await cluster.client.delete(configMaps, source);
    await eventually(async () => expect(await cluster.client.find(configMaps, copy)).toBeUndefined());
    await eventually(async () => expect(await mounts()).not.toContain(source.name));
    expect(refused().map(requestText)).toEqual([]);
  });

  it.runIf(id === "aws-efs")("asks for credentials, of the controller by the role that it was given", async () => {
    const request = (name: string) =>
      cluster.client.get(credentialsRequests, { name, namespace: credentialsNamespace });
    const { spec } = await request("openshift-aws-efs-csi-driver");
    expect(spec.providerSpec).toMatchObject({ stsIAMRoleARN: role });
    expect(spec.cloudTokenPath).toBe("/var/run/secrets/openshift/serviceaccount/token");
    const node = await request("openshift-aws-efs-csi-driver-node");
    expect(node.spec.providerSpec).not.toHaveProperty("stsIAMRoleARN");
    const said = (await cluster.conditions("efs.csi.aws.com")).filter((each) => each.includes("CredentialsRequest"));
    expect(said.filter((each) => each.includes("Progressing=True"))).toEqual([
      "AWSEFSCredentialsRequestControllerProgressing=True/CredentialsNotProvisionedYet",
      "AWSEFSNodeCredentialsRequestControllerProgressing=True/CredentialsNotProvisionedYet",
    ]);
  });

  it.runIf(id.startsWith("gcp-"))("marks what it makes, and takes away the right that earlier ones had", async () => {
    expect(await driverArguments()).toContain(`--extra-labels=kubernetes-io-cluster-${clusterId}=owned`);
    const name = `${id}-controller-privileged-binding`;
    await eventually(async () => expect(await cluster.client.find(clusterRoleBindings, { name })).toBeUndefined());
  });

  it.runIf(id === "gcp-pd")("follows keys", async () => {
    const kmsKey = { name: "key", keyRing: "ring", projectID: "shop-project" };
    await setDriverConfig({ driverType: "GCP", gcp: { kmsKey } });
    const key = "projects/shop-project/locations/global/keyRings/ring/cryptoKeys/key";
    await eventually(async () =>
      expect(await parametersOf("ssd-csi")).toMatchObject({ "disk-encryption-kms-key": key }),
    );
  });

  it("was refused nothing, and has no right that it does not use", async () => {
    const { driverName: name, isRemovable } = operator.profile;
    if (isRemovable) await cluster.client.delete(clusterCSIDrivers, { name });
    const isThere = async () => (await cluster.client.find(clusterCSIDrivers, { name })) !== undefined;
    await eventually(async () => expect(await isThere()).toBe(!isRemovable));
    // Lets go of its lease.
    expect(await operator.stop()).toBe(0);
    expect([...new Set(refused().map(requestText))]).toEqual([]);
    // Nothing was changed of most that would need another rollout.
    const isOfRollouts = (right: string) => /^update (deployments|daemonsets)\.apps/u.test(right);
    expect(unusedRights(operator).filter((right) => !isOfRollouts(right))).toEqual([]);
  });
});

/** As it was when the controller was privileged. */
async function leaveBindingBehind(id: string): Promise<void> {
  await cluster.client.create(clusterRoleBindings, {
    metadata: { name: `${id}-controller-privileged-binding` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: `${id}-privileged-role` },
    subjects: [{ kind: "ServiceAccount", name: `${id}-csi-driver-controller-sa`, namespace }],
  });
}

async function enableGate(gate: string): Promise<void> {
  const name = "cluster";
  await cluster.client.create(featureGates, { metadata: { name }, spec: {} });
  const status: FeatureGate["status"] = { featureGates: [{ version, enabled: [{ name: gate }], disabled: [] }] };
  await cluster.client.patch(featureGates, { name }, { type: "merge", patch: { status } }, { subresource: "status" });
}
