import type { Deployment, TopologyMode } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import { readDriverAssets } from "./assets/index.ts";
import { driverIds, loadDriverProfile } from "./drivers/index.ts";
import { hostedDriver, hostedNamespace as namespace, podOf } from "./fixtures/hosted-driver.ts";
import { checkHosted } from "./operator/controller-side.ts";
import { hostedOperatorRules } from "./rights/index.ts";

/** Drivers whose controller runs beside a hosted control plane: each rule by driver, platform and topology of the guest. */
const profiles = await Promise.all(driverIds.map(loadDriverProfile));
const hosted = profiles.filter((profile) => profile.hosted !== undefined);
const topologies: readonly TopologyMode[] = ["External", "HighlyAvailable", "SingleReplica"];
const places = hosted.flatMap((profile) =>
  [profile.platform, "None" as const].flatMap((platform) =>
    topologies.map((topology) => ({ id: profile.id, profile, platform, topology })),
  ),
);

describe.each(places)("$id hosted on $platform with $topology", ({ profile, platform, topology }) => {
  const made = hostedDriver(profile, { platform, topology });

  it("has one controller, beside the control plane and on its nodes", async () => {
    const { controller } = await made;
    expect(controller.metadata.namespace).toBe(namespace);
    expect(controller.spec?.replicas).toBe(1);
    expect(podOf(controller)).toMatchObject({
      nodeSelector: { role: "cp" },
      priorityClassName: "hypershift-control-plane",
    });
  });

  it("says whose it is and which version it wants", async () => {
    const { metadata, spec } = (await made).controller;
    expect(metadata.labels?.["hypershift.openshift.io/managed-by"]).toBe("cluster-storage-operator");
    expect(metadata.annotations?.["release.openshift.io/desired-version"]).toBe("4.22.0");
    expect(spec?.template.metadata?.labels?.["hypershift.openshift.io/hosted-control-plane"]).toBe(namespace);
  });

  it("has its sidecars in the guest, where they lead in the driver's namespace", async () => {
    const sidecars = podOf((await made).controller).containers.filter(({ args = [] }) =>
      args.includes("--leader-election"),
    );
    expect(sidecars.length).toBeGreaterThan(0);
    for (const { args } of sidecars) {
      expect(args).toContain("--kubeconfig=$(KUBECONFIG)");
      expect(args).toContain(`--leader-election-namespace=${profile.namespace}`);
    }
  });

  it("has its nodes in the guest as ever, and nothing unresolved", async () => {
    const { controller, node } = await made;
    expect(node.metadata.namespace).toBe(profile.namespace);
    expect(JSON.stringify([controller, node])).not.toContain("${");
  });
});

test("those that have it in the originals run beside a hosted control plane, and no others", () => {
  const ofOriginals = ["aws-ebs", "azure-disk", "azure-file", "openstack-cinder", "openstack-manila", "powervs-block"];
  expect(hosted.map(({ id }) => id).toSorted()).toEqual(ofOriginals);
});

describe.each(hosted.flatMap((profile) => profile.sidecars.map((sidecars) => ({ id: profile.id, profile, sidecars }))))(
  "the controller of $id with $sidecars sidecars",
  ({ profile, sidecars }) => {
    it("mounts what it has, and has nothing that nobody mounts", async () => {
      const pod = podOf(
        (await hostedDriver(profile, { sidecars, env: { HYPERSHIFT_IMAGE: "registry.test/hypershift" } })).controller,
      );
      const containers = [...(pod.initContainers ?? []), ...pod.containers];
      const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
      const volumes = (pod.volumes ?? []).map(({ name }) => name);
      expect(volumes).toEqual([...new Set(volumes)]);
      expect(new Set(mounted)).toEqual(new Set(volumes));
    });

    it("takes from the management cluster only what HyperShift or its operator has put there", async () => {
      expect(sourcesOf((await hostedDriver(profile, { sidecars })).controller)).toEqual(
        new Set(
          ["Secret service-network-admin-kubeconfig", ...(ownSources[profile.id] ?? [])].map((name) =>
            name.replace("METRICS", `${profile.assetPrefix}-controller-metrics-serving-cert`),
          ),
        ),
      );
    });
  },
);

/** What each driver has beside the way into its guest. */
const ownSources: Readonly<Record<string, readonly string[]>> = {
  "aws-ebs": ["Secret METRICS", "Secret ebs-cloud-credentials"],
  "azure-disk": ["Secret METRICS", "Secret azure-disk-csi-config"],
  "azure-file": ["Secret METRICS", "Secret azure-file-csi-config"],
  "openstack-cinder": ["Secret METRICS", "Secret openstack-cloud-credentials", "ConfigMap cloud-conf"],
  "openstack-manila": ["Secret METRICS", "Secret manila-cloud-credentials", "ConfigMap openstack-cloud-config"],
  "powervs-block": ["Secret METRICS", "Secret storage-creds"],
};

function sourcesOf(controller: Deployment): Set<string> {
  const { volumes = [], containers, initContainers = [] } = podOf(controller);
  const ofVolumes = volumes.flatMap(({ secret, configMap }) => [
    ...(secret ? [`Secret ${secret.secretName}`] : []),
    ...(configMap ? [`ConfigMap ${configMap.name}`] : []),
  ]);
  const ofVariables = [...initContainers, ...containers].flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [`Secret ${valueFrom.secretKeyRef.name}`] : [])),
  );
  return new Set([...ofVolumes, ...ofVariables]);
}

test("EBS gets into the cloud by a token of the guest, where there is an image to fetch it with", async () => {
  const ebs = await loadDriverProfile("aws-ebs");
  const namesWith = async (env: Readonly<Record<string, string>>) =>
    podOf((await hostedDriver(ebs, { env })).controller).containers.map(({ name }) => name);
  expect(await namesWith({ HYPERSHIFT_IMAGE: "registry.test/hypershift" })).toContain("token-minter");
  expect(await namesWith({})).not.toContain("token-minter");
});

test("EBS trusts the authority that HyperShift has put beside the control plane", async () => {
  const ebs = await loadDriverProfile("aws-ebs");
  const configMaps = { "user-ca-bundle": { "ca-bundle.pem": "x" } };
  const { controller } = await hostedDriver(ebs, { configMaps });
  expect(podOf(controller).volumes).toContainEqual({ name: "ca-bundle", configMap: { name: "user-ca-bundle" } });
});

test.each(profiles.map((profile) => [profile.id, profile] as const))(
  "%s runs there, or says that it does not",
  (_, profile) => {
    const attempt = (management: object | undefined) => {
      try {
        checkHosted(management === undefined ? {} : { management: management as never }, profile);
        return "runs";
      } catch (error) {
        return String(error);
      }
    };
    expect(attempt(undefined)).toBe("runs");
    const refusal = expect.stringContaining(`${profile.id} does not run beside a hosted control plane`);
    expect(attempt({})).toEqual(profile.hosted === undefined ? refusal : "runs");
  },
);

test.each(hosted.map((profile) => [profile.id, profile] as const))(
  "the operator of %s may do nothing in the whole management cluster, and names what it may change",
  (_, profile) => {
    const { cluster, namespaced } = hostedOperatorRules(profile, readDriverAssets(profile), namespace);
    expect(cluster).toEqual([]);
    const rules = Object.values(namespaced).flat();
    expect(JSON.stringify(rules)).not.toContain('"*"');
    const unnamed = rules.filter(
      ({ verbs, resources = [], resourceNames = [] }) =>
        verbs.some((verb) => ["update", "patch", "delete"].includes(verb)) &&
        resourceNames.length === 0 &&
        !resources.includes("events"),
    );
    expect(unnamed).toEqual([]);
  },
);

test("what stands around a controller is in the control plane's namespace too", async () => {
  const { controlPlane } = readDriverAssets(await loadDriverProfile("openstack-cinder"));
  const namespaces = controlPlane.flatMap(({ asset }) =>
    parseManifests(asset).map(({ metadata }) => metadata.namespace),
  );
  expect(new Set(namespaces)).toEqual(new Set(["${NAMESPACE}"]));
});
