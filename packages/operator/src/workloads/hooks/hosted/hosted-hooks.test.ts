import type { Deployment, TopologyMode } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { MemoryInformers } from "../../../fixtures/memory-informers.ts";
import type { OperatorResource } from "../../../operator-client/index.ts";
import { isVersionDue } from "../../deployment-version-controller.ts";
import type { HookContext } from "../hook-context.ts";
import { controllerHooks, operatorHooks } from "../standard-hooks.ts";
import { type HostedControlPlane, hostedControlPlaneSource, hostedControlPlanes } from "./hosted-control-plane.ts";
import {
  withControlPlaneImages,
  withHostedLabels,
  withHostedNodeSelector,
  withHostedReplicas,
  withHostedTolerations,
  withManagementProxy,
  withRunAsUser,
} from "./hosted-hooks.ts";
import { withSecretProviderClass, withTokenMinter } from "./hosted-identity.ts";
import { withHostedPlace } from "./hosted-place.ts";

const { signal } = new AbortController();
const operator: OperatorResource = { apiVersion: "v1", kind: "ClusterCSIDriver", metadata: { name: "x" }, spec: {} };
const context: HookContext = { operator, signal };
const namespace = "clusters-guest";

const deployment: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "controller", namespace },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "controller" } },
    template: {
      metadata: { labels: { app: "controller" } },
      spec: {
        nodeSelector: { "node-role.kubernetes.io/master": "" },
        tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists" }],
        affinity: { podAntiAffinity: {} },
        containers: [
          { name: "csi-driver", image: "driver" },
          { name: "csi-provisioner", image: "provisioner", args: ["--leader-election"] },
          { name: "provisioner-kube-rbac-proxy", image: "proxy", env: [{ name: "NO_PROXY", value: "old" }] },
          { name: "csi-liveness-probe", image: "probe" },
        ],
        volumes: [{ name: "bound-sa-token", projected: { sources: [] } }],
      },
    },
  },
};

const podOf = ({ spec }: Deployment) => spec?.template.spec;
const namesOf = ({ spec }: Deployment) => (spec?.template.spec?.containers ?? []).map(({ name }) => name);
const hosted = (spec: HostedControlPlane["spec"]) => ({ current: async () => ({ spec }) });

describe("beside a hosted control plane", () => {
  it("there is one controller", async () => {
    expect((await withHostedReplicas()(deployment, context)).spec?.replicas).toBe(1);
  });

  test.each([
    ["those of the control plane", { "hypershift.openshift.io/control-plane": "true" }],
    ["any where it does not say", undefined],
  ])("the nodes are %s", async (_, nodeSelector) => {
    const hooked = await withHostedNodeSelector(hosted({ nodeSelector }))(deployment, context);
    expect(podOf(hooked)?.nodeSelector).toEqual(nodeSelector ?? {});
  });

  test.each([
    ["come to the Pods", { team: "a" }, { team: "a", app: "controller" }],
    ["do not take the place of what the selector needs", { app: "other" }, { app: "controller" }],
    ["may be none", undefined, { app: "controller" }],
  ])("its labels %s", async (_, labels, expected) => {
    const { spec } = await withHostedLabels(hosted({ labels }))(deployment, context);
    expect(spec?.template.metadata?.labels).toEqual(expected);
    expect(spec?.selector).toEqual({ matchLabels: { app: "controller" } });
  });

  it("its tolerations come to those that are there", async () => {
    const custom = { key: "dedicated", operator: "Exists" } as const;
    const hooked = await withHostedTolerations(hosted({ tolerations: [custom] }))(deployment, context);
    expect(podOf(hooked)?.tolerations).toEqual([...(podOf(deployment)?.tolerations ?? []), custom]);
  });

  test.each([
    ["stay without variables", {}, ["driver", "provisioner", "proxy", "probe"]],
    [
      "are those of the management cluster where it has others",
      {
        DRIVER_CONTROL_PLANE_IMAGE: "d2",
        LIVENESS_PROBE_CONTROL_PLANE_IMAGE: "l2",
        KUBE_RBAC_PROXY_CONTROL_PLANE_IMAGE: "k2",
      },
      ["d2", "provisioner", "k2", "l2"],
    ],
  ])("images %s", async (_, env, expected) => {
    const hooked = await withControlPlaneImages(env)(deployment, context);
    expect(podOf(hooked)?.containers.map(({ image }) => image)).toEqual(expected);
  });

  test.each([
    [undefined, undefined],
    ["", undefined],
    ["1001", 1001],
    ["0", 0],
  ])("RUN_AS_USER=%s runs the Pod as %s", async (user, expected) => {
    const hooked = await withRunAsUser({ RUN_AS_USER: user })(deployment, context);
    expect(podOf(hooked)?.securityContext?.runAsUser).toBe(expected);
  });

  test.each(["root", "-1", "1.5", "99999999999999999999"])("RUN_AS_USER=%s is refused, with what to do", (user) => {
    expect(() => withRunAsUser({ RUN_AS_USER: user })(deployment, context)).toThrow(
      expect.objectContaining({ code: "OBJECT_REFUSED", message: expect.stringContaining(`"${user}"`) }),
    );
  });

  it("every container has the management cluster's proxy, in the place of another", async () => {
    const hooked = await withManagementProxy({ NO_PROXY: "local", HTTPS_PROXY: "" })(deployment, context);
    for (const { env } of podOf(hooked)?.containers ?? []) expect(env).toEqual([{ name: "NO_PROXY", value: "local" }]);
    expect(await withManagementProxy({})(deployment, context)).toBe(deployment);
  });
});

describe("the place beside a control plane", () => {
  const place = {
    namespace,
    managedBy: "cluster-storage-operator",
    version: "4.22.0",
    guestContainers: ["csi-driver"],
  };
  const placed = async () => withHostedPlace(place)(deployment, context);

  it("is told by the names that HyperShift knows", async () => {
    const { metadata, spec } = await placed();
    expect(metadata.labels).toEqual({ "hypershift.openshift.io/managed-by": "cluster-storage-operator" });
    expect(metadata.annotations).toEqual({ "release.openshift.io/desired-version": "4.22.0" });
    expect(spec?.template.metadata?.labels).toEqual({
      app: "controller",
      "hypershift.openshift.io/hosted-control-plane": namespace,
    });
  });

  it("is near its other Pods and on its own nodes, apart from its like as before", async () => {
    const pod = podOf(await placed());
    expect(pod?.priorityClassName).toBe("hypershift-control-plane");
    expect(pod?.tolerations?.map(({ key, value }) => `${key}=${value}`)).toEqual([
      "hypershift.openshift.io/control-plane=true",
      `hypershift.openshift.io/cluster=${namespace}`,
    ]);
    expect(Object.keys(pod?.affinity ?? {})).toEqual(["podAntiAffinity", "nodeAffinity", "podAffinity"]);
  });

  it("has the way into the guest for those who need it, and for nobody else", async () => {
    const pod = podOf(await placed());
    const guests = pod?.containers.filter(({ env = [] }) => env.some(({ name }) => name === "KUBECONFIG")) ?? [];
    expect(guests.map(({ name }) => name)).toEqual(["csi-driver", "csi-provisioner"]);
    for (const { args = [], volumeMounts = [] } of guests) {
      expect(args).toContain("--kubeconfig=$(KUBECONFIG)");
      expect(volumeMounts).toContainEqual({
        name: "hosted-kubeconfig",
        mountPath: "/etc/hosted-kubernetes",
        readOnly: true,
      });
    }
    expect(pod?.volumes?.at(-1)?.secret?.secretName).toBe("service-network-admin-kubeconfig");
  });
});

describe("an identity in the cloud", () => {
  const minter = { namespace: "drivers", serviceAccount: "controller-sa" };
  it("is a token of the guest that a container beside the driver fetches", async () => {
    const hooked = await withTokenMinter({ ...minter, image: "hypershift" })(deployment, context);
    expect(namesOf(hooked).at(-1)).toBe("token-minter");
    const [container] = podOf(hooked)?.containers.slice(-1) ?? [];
    expect(container?.args).toEqual(
      expect.arrayContaining(["--service-account-namespace=drivers", "--service-account-name=controller-sa"]),
    );
    expect(podOf(hooked)?.volumes).toEqual([{ name: "bound-sa-token", emptyDir: { medium: "Memory" } }]);
  });

  it("stays what it is without an image", async () => {
    expect(await withTokenMinter({ ...minter, image: undefined })(deployment, context)).toBe(deployment);
  });

  test.each([
    ["mounted into the driver alone", " class-a ", "class-a"],
    ["left out where there is none", " ", undefined],
  ])("may be a certificate of a class, %s", async (_, className, expected) => {
    const hooked = await withSecretProviderClass("azure-disk", className)(deployment, context);
    const volume = podOf(hooked)?.volumes?.find(({ name }) => name === "azure-disk");
    expect(volume?.csi?.volumeAttributes?.["secretProviderClass"]).toBe(expected);
    const mounting = podOf(hooked)?.containers.filter(({ volumeMounts = [] }) => volumeMounts.length > 0) ?? [];
    expect(mounting.map(({ name }) => name)).toEqual(expected === undefined ? [] : ["csi-driver"]);
  });
});

const topologies: readonly TopologyMode[] = ["External", "HighlyAvailable", "SingleReplica"];
test.each(topologies)(
  "all together, with %s in the guest: in the originals' order, the driver's own last",
  async (topology) => {
    const seen: Deployment[] = [];
    const { objectHooks } = controllerHooks<OperatorResource>({
      facts: { current: async () => ({ clusterId: "", controlPlaneTopology: topology, controlPlaneRoles: [] }) },
      hosted: {
        facts: hosted({ nodeSelector: { a: "b" }, tolerations: [{ key: "own" }] }),
        place: { namespace, managedBy: "cluster-storage-operator", version: undefined },
        env: { RUN_AS_USER: "7", HTTP_PROXY: "http://management.test" },
      },
      hooks: [(object) => (seen.push(object), object)],
    });
    let object = deployment;
    for (const hook of objectHooks) object = await hook(object, context);
    const [before] = seen;
    expect(before?.spec?.replicas).toBe(1);
    expect(before && podOf(before)).toMatchObject({ nodeSelector: { a: "b" }, securityContext: { runAsUser: 7 } });
    expect(before && podOf(before)?.tolerations?.map(({ key }) => key)).toEqual([
      "hypershift.openshift.io/control-plane",
      "hypershift.openshift.io/cluster",
      "own",
    ]);
  },
);

test("an operator is placed like a driver's controller, with the guest's proxy and its own hooks last", async () => {
  const seen: Deployment[] = [];
  const { objectHooks } = operatorHooks<OperatorResource>({
    facts: { current: async () => ({ clusterId: "", controlPlaneTopology: "External", controlPlaneRoles: [] }) },
    hosted: {
      facts: hosted({ nodeSelector: { a: "b" } }),
      place: { namespace, managedBy: "cluster-storage-operator", version: undefined },
      env: { RUN_AS_USER: "7", HTTP_PROXY: "http://management.test" },
    },
    hooks: [(object) => (seen.push(object), object)],
  });
  let object = deployment;
  for (const hook of objectHooks) object = await hook(object, context);
  const pod = seen[0] && podOf(seen[0]);
  expect(pod).toMatchObject({ nodeSelector: { a: "b" }, securityContext: { runAsUser: 7 } });
  expect(JSON.stringify(pod)).not.toContain("http://management.test");
});

describe("the control plane of a namespace", () => {
  const source = (...names: string[]) => {
    const informers = new MemoryInformers();
    for (const name of names) informers.set(hostedControlPlanes, { metadata: { name, namespace } });
    return hostedControlPlaneSource({ informers, mapper: informers.mapper }, namespace);
  };

  it("is the only one there", async () => {
    expect((await source("guest").current(signal)).metadata.name).toBe("guest");
  });

  test.each([
    ["no HostedControlPlane", []],
    ["more than one HostedControlPlane", ["a", "b"]],
  ])("is told when there is %s", async (what, names) => {
    await expect(source(...names).current(signal)).rejects.toMatchObject({
      code: "CLUSTER_CONFIG_MISSING",
      message: `there is ${what} in namespace ${namespace}`,
    });
  });
});

describe("the version of a Deployment", () => {
  const rolledOut = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" } as const;
  const desired = "release.openshift.io/desired-version";
  const said = "release.openshift.io/version";
  test.each([
    ["is said when all Pods have it", { [desired]: "2" }, rolledOut, 4, true],
    ["is not said twice", { [desired]: "2", [said]: "2" }, rolledOut, 4, false],
    ["takes the place of the one before", { [desired]: "2", [said]: "1" }, rolledOut, 4, true],
    ["waits for the rollout", { [desired]: "2" }, { ...rolledOut, reason: "ReplicaSetUpdated" }, 4, false],
    ["waits for Kubernetes to have seen the change", { [desired]: "2" }, rolledOut, 3, false],
    ["is none of ours while another operator has its say", { [desired]: "1" }, rolledOut, 4, false],
  ])("%s", (...[, annotations, condition, observedGeneration, expected]) => {
    const status = { observedGeneration, conditions: [condition] };
    const metadata = { name: "controller", generation: 4, annotations };
    expect(isVersionDue({ apiVersion: "apps/v1", kind: "Deployment", metadata, status }, "2")).toBe(expected);
  });
});
