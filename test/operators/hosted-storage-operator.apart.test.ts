import {
  clusterCSIDrivers,
  clusterRoles,
  configMaps,
  type Deployment,
  deployments,
  proxies,
  secrets,
  serviceAccounts,
  services,
} from "@stowage/machinery";
import { driversNamespace, storageOperatorNamespace } from "@stowage/operators/cluster-storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { requestText } from "./driver-operator/running-operator.ts";
import { HostedClusters, namespace } from "./hosted/hosted-clusters.ts";
import { guestPayload, managementPayload } from "./hosted/hosted-payload.ts";
import { unusedRights } from "./storage-operator/rights.ts";
import { images as usualImages } from "./storage-operator/running-storage-operator.ts";
import { openStack, rolledOut } from "./storage-operator/storage-cluster.ts";

const images = {
  ...usualImages,
  HYPERSHIFT_IMAGE: "registry.test/hypershift:1",
  OPENSTACK_CINDER_DRIVER_CONTROL_PLANE_IMAGE: "registry.test/cinder-control-plane:1",
  VOLUME_DATA_SOURCE_VALIDATOR_IMAGE: "registry.test/validator:1",
};
const cinder = "cinder.csi.openstack.org";
const manila = "manila.csi.openstack.org";
const cinderOperator = { namespace, name: "openstack-cinder-csi-driver-operator" };
const manilaOperator = { namespace, name: "manila-csi-driver-operator" };
const ebsOperator = { namespace, name: "aws-ebs-csi-driver-operator" };
const proxy = { name: "HTTP_PROXY", value: "http://proxy.test:3128" };
/** In the guest. */
const validator = { namespace: storageOperatorNamespace, name: "volume-data-source-validator" };
const versionAnnotation = "release.openshift.io/version";
const hostedBy = (type: "OpenStack" | "AWS") => ({
  spec: { ...openStack.spec, platformSpec: { type } },
  status: { ...openStack.status, controlPlaneTopology: "External", platformStatus: { type } } as const,
});

let clusters: HostedClusters;
beforeAll(async () => {
  clusters = await HostedClusters.start();
});
afterAll(async () => {
  await clusters?.[Symbol.asyncDispose]();
});

const soon = <T>(assertion: () => Promise<T>) => eventually(assertion, 120_000);
const deployed = (ref: typeof cinderOperator): Promise<Deployment> =>
  soon(() => clusters.management.client.get(deployments, ref));
const isSaid = (...conditions: string[]) =>
  soon(async () =>
    expect(await clusters.guest.storageConditions(), clusters.log.slice(-2_000)).toEqual(
      expect.arrayContaining(conditions),
    ),
  );
/** `openshift-config/name`, wherever they are. */
const namesOf = ({ items }: { readonly items: readonly Pick<Deployment, "metadata">[] }) =>
  items.map(({ metadata }) => [metadata.namespace, metadata.name].filter(Boolean).join("/"));

/** What Kubernetes says of a Deployment whose Pods run. */
async function rollOut(
  { client }: Pick<HostedClusters["management"], "client">,
  ref: typeof cinderOperator,
): Promise<void> {
  const { metadata, spec } = await client.get(deployments, ref);
  const { replicas = 1 } = spec ?? {};
  const counts = { replicas, updatedReplicas: replicas, availableReplicas: replicas, readyReplicas: replicas };
  const status = { observedGeneration: metadata.generation, ...counts, conditions: [rolledOut] };
  await client.patch(deployments, ref, { type: "merge", patch: { status } }, { subresource: "status" });
}

/** All is rolled out in its present version, which changes when it is said there which one runs: storage is available then. */
const isAvailable = (...operators: (typeof cinderOperator)[]) =>
  soon(async () => {
    for (const ref of operators) await rollOut(clusters.management, ref);
    await rollOut(clusters.guest, validator);
    expect(await clusters.guest.clusterOperatorConditions(), clusters.log.slice(-2_000)).toEqual(
      expect.arrayContaining([
        "Available=True/AsExpected",
        "Progressing=False/AsExpected",
        "Degraded=False/AsExpected",
      ]),
    );
  });

/** What the driver's operator would say when all is well. */
const reportWell = (driver: string, prefix: string) =>
  clusters.guest.report(driver, {
    [`${prefix}DriverControllerServiceControllerAvailable`]: "True",
    [`${prefix}DriverControllerServiceControllerProgressing`]: "False",
  });

describe("the storage operator beside the hosted control plane of a guest on OpenStack", () => {
  beforeAll(async () => {
    await clusters.guest.become(hostedBy("OpenStack"));
    const { client } = clusters.guest;
    await client.create(proxies, { metadata: { name: "cluster" }, spec: {} });
    const patch = { type: "merge", patch: { status: { httpProxy: proxy.value } } } as const;
    await client.patch(proxies, { name: "cluster" }, patch, { subresource: "status" });
    await clusters.startOperator(images);
  });

  it("waits for a control plane to be there, and says so in the guest", async () => {
    const type = "OpenStackCinderCSIDriverOperatorMgmtStaticControllerDegraded";
    await isSaid(`${type}=True/SyncError`);
    expect(await clusters.guest.storageMessage(type)).toContain(`no HostedControlPlane in namespace ${namespace}`);
    expect(namesOf(await clusters.management.client.list(deployments))).toEqual([]);
  });

  it("starts the operators of the drivers beside it, each with the way into the guest", async () => {
    const tlsSecurityProfile = { type: "Modern", modern: {} };
    await clusters.createControlPlane({
      nodeSelector: { role: "cp" },
      labels: { team: "a" },
      tolerations: [{ key: "own", operator: "Exists" }],
      configuration: { apiServer: { tlsSecurityProfile, tlsAdherence: "StrictAllComponents" } },
    });
    const { metadata, spec } = await deployed(cinderOperator);
    expect(metadata.annotations).toMatchObject({ "release.openshift.io/desired-version": "1.2.3" });
    expect(metadata.labels).toMatchObject({ "hypershift.openshift.io/managed-by": "cluster-storage-operator" });
    const pod = spec?.template.spec;
    expect(JSON.stringify(spec)).not.toContain("${");
    expect(pod).toMatchObject({ nodeSelector: { role: "cp" }, priorityClassName: "hypershift-control-plane" });
    expect(spec?.template.metadata?.labels).toMatchObject({ team: "a" });
    expect(pod?.tolerations).toContainEqual({ key: "own", operator: "Exists" });
    expect(pod?.containers[0]?.args).toContain("--guest-kubeconfig=/etc/hosted-kubernetes/kubeconfig");
    expect(pod?.containers[0]?.env).toContainEqual({
      name: "DRIVER_CONTROL_PLANE_IMAGE",
      value: images.OPENSTACK_CINDER_DRIVER_CONTROL_PLANE_IMAGE,
    });
    expect(pod?.containers[1]?.args).toContain("--tls-min-version=VersionTLS13");
    await deployed(manilaOperator);
    // That of the guest: HyperShift has it from the HostedControlPlane.
    await soon(async () =>
      expect((await deployed(cinderOperator)).spec?.template.spec?.containers[0]?.env).toContainEqual(proxy),
    );
    const { client } = clusters.management;
    await soon(() => client.get(services, { ...cinderOperator, name: `${cinderOperator.name}-metrics` }));
    await soon(() => client.get(secrets, { ...cinderOperator, name: `${cinderOperator.name}-serving-cert` }));
    const config = await soon(() =>
      client.get(configMaps, { ...cinderOperator, name: `${cinderOperator.name}-config` }),
    );
    expect(config.data?.["config.yaml"]).toContain("minTLSVersion: VersionTLS13");
  });

  it("has what the drivers are asked for in the guest, and of the control plane nothing there", async () => {
    const { client } = clusters.guest;
    await soon(async () =>
      expect(namesOf(await client.list(clusterCSIDrivers)).toSorted()).toEqual([cinder, manila].toSorted()),
    );
    const account = { namespace: driversNamespace, name: cinderOperator.name };
    await soon(() => client.get(serviceAccounts, account));
    await soon(() => client.get(clusterRoles, { name: `${cinderOperator.name}-clusterrole` }));
    // Looks at claims, which are in the guest.
    await soon(async () =>
      expect(namesOf(await client.list(deployments))).toEqual([`${validator.namespace}/${validator.name}`]),
    );
    expect(namesOf(await client.list(secrets))).toEqual([]);
    expect(namesOf(await client.list(services)).filter((name) => name !== "default/kubernetes")).toEqual([]);
  });

  it("is available in the guest when the drivers are, and says beside the control plane which version runs", async () => {
    await reportWell(cinder, "OpenStackCinder");
    await reportWell(manila, "Manila");
    await isAvailable(cinderOperator, manilaOperator);
    await soon(async () => {
      for (const ref of [cinderOperator, manilaOperator]) {
        expect((await deployed(ref)).metadata.annotations?.[versionAnnotation]).toBe("1.2.3");
      }
    });
    const related = (await clusters.guest.clusterOperator())?.status?.relatedObjects ?? [];
    expect(related.map(({ resource, name }) => `${resource}/${name}`)).toEqual(
      expect.arrayContaining([`clustercsidrivers/${cinder}`, `clusterroles/${cinderOperator.name}-clusterrole`]),
    );
    expect(related.filter((each) => each.namespace === namespace)).toEqual([]);
  });

  it("brings back what somebody takes away, in either cluster, and takes nothing away itself", async () => {
    const before = await deployed(cinderOperator);
    await clusters.management.client.delete(deployments, cinderOperator);
    await clusters.guest.client.delete(clusterCSIDrivers, { name: cinder });
    await soon(async () => {
      expect((await clusters.management.client.get(deployments, cinderOperator)).metadata.uid).not.toBe(
        before.metadata.uid,
      );
      expect((await clusters.guest.driver(cinder)).spec.managementState).toBe("Managed");
    });
    await clusters.guest.configure({ managementState: "Removed" });
    await isSaid("ManagementStateDegraded=True/Removed");
    expect(namesOf(await clusters.management.client.list(deployments)).toSorted()).toEqual(
      [cinderOperator, manilaOperator].map(({ name }) => `${namespace}/${name}`).toSorted(),
    );
    expect(await clusters.guest.driver(cinder)).toBeDefined();
  });
});

describe("the storage operator beside the hosted control plane of a guest on AWS", () => {
  const efs = "efs.csi.aws.com";

  beforeAll(async () => {
    await clusters.stopOperator();
    await clusters.guest.become(hostedBy("AWS"));
    await clusters.guest.client.create(clusterCSIDrivers, { metadata: { name: efs }, spec: {} });
    await clusters.startOperator(images);
  });

  it("starts the operator of EBS, with a token of the guest for the cloud", async () => {
    const pod = (await deployed(ebsOperator)).spec?.template.spec;
    const minter = pod?.containers.find(({ name }) => name === "token-minter");
    expect(minter?.image).toBe(images.HYPERSHIFT_IMAGE);
    expect(pod?.containers[0]?.env).toContainEqual({ name: "HYPERSHIFT_IMAGE", value: images.HYPERSHIFT_IMAGE });
    const volumes = pod?.volumes?.map(({ name }) => name) ?? [];
    const mounts = pod?.containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)) ?? [];
    expect(volumes.toSorted()).toEqual([...new Set(mounts)].toSorted());
  });

  it("leaves a driver alone that cannot be run from there, and says so without being in trouble", async () => {
    await isSaid("CSIDriverStarterHosted=False/DriverNotHosted", "CSIDriverStarterDegraded=False/AsExpected");
    expect(await clusters.guest.storageMessage("CSIDriverStarterHosted")).toContain("aws-efs-csi-driver-operator");
    await reportWell("ebs.csi.aws.com", "AWSEBS");
    await isAvailable(ebsOperator);
    const efsOperator = { namespace, name: "aws-efs-csi-driver-operator" };
    expect(await clusters.management.client.find(deployments, efsOperator)).toBeUndefined();
  });
});

/** For rollouts that have failed, for a feature gate that is off here, and for a figure that nobody reads here. */
const rarelyUsed = [
  `list pods in ${namespace}`,
  `list pods in ${storageOperatorNamespace}`,
  "list configmaps in openshift-config",
  "watch configmaps in openshift-config",
  "list volumeattributesclasses",
  "watch volumeattributesclasses",
];

describe("the rights of the storage operator beside a hosted control plane", () => {
  it("are enough, and in the management cluster for that namespace alone", () => {
    const { management, guest } = clusters.requests();
    const refused = [...management, ...guest].filter(({ isAllowed }) => !isAllowed);
    expect(refused.map(requestText)).toEqual([]);
    // Everybody may ask which APIs there are.
    const outside = management.filter((each) => each.resource !== "" && each.namespace !== namespace);
    expect(outside.map(requestText)).toEqual([]);
    expect(management.length).toBeGreaterThan(0);
  });

  it("are no more than it needs", () => {
    const { management, guest } = clusters.requests();
    const unused = [...unusedRights(management, managementPayload(namespace)), ...unusedRights(guest, guestPayload())];
    expect(unused.filter((right) => !rarelyUsed.includes(right))).toEqual([]);
  });
});
