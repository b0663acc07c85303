import type { ClusterCSIDriver, ConfigMap, DaemonSet, Deployment, Secret } from "@stowage/machinery";
import { clusterFactsOf, renderObject } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import type { DriverProfile, DriverSources } from "../driver-profile.ts";
import { loadDriverProfile } from "../drivers/index.ts";
import { readDriverAssets } from "./driver-assets.ts";
import { driverImageNames } from "./driver-placeholders.ts";
import { controllerSpec, type DriverWorkloadSpec, nodeSpec } from "./workload-specs.ts";

const cinder = await loadDriverProfile("openstack-cinder");
const { namespace } = cinder;
const images = Object.fromEntries(driverImageNames.map((name) => [name, `registry.example/${name.toLowerCase()}`]));

interface Situation {
  readonly profile?: DriverProfile;
  readonly env?: Record<string, string>;
  readonly secrets?: readonly Secret[];
  readonly configMaps?: readonly ConfigMap[];
  readonly sidecars?: string;
}

function inputOf({ profile = cinder, env = images, secrets = [], configMaps = [] }: Situation) {
  const facts = clusterFactsOf({ infrastructure: undefined, nodes: [], clusterUid: "uid" });
  const sources: DriverSources = {
    facts: { current: async () => facts },
    secret: (name) => secrets.find(({ metadata }) => metadata.name === name),
    configMap: (name) => configMaps.find(({ metadata }) => metadata.name === name),
  };
  const assets = readDriverAssets(profile);
  return { profile, assets, sources, hooks: profile.ownHooks?.(sources) ?? {}, env };
}

function clusterCSIDriver(sidecars?: string): ClusterCSIDriver {
  const servingInfo = { minTLSVersion: "VersionTLS12", cipherSuites: ["TLS_AES_128_GCM_SHA256"] };
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name: cinder.driverName },
    spec: { observedConfig: { targetcsiconfig: { servingInfo } }, unsupportedConfigOverrides: { sidecars } },
  };
}

function render<W extends Deployment | DaemonSet>(spec: DriverWorkloadSpec<W>, sidecars?: string): Promise<W> {
  const { asset, manifestHooks, objectHooks } = spec;
  const context = { operator: clusterCSIDriver(sidecars), signal: new AbortController().signal };
  return renderObject<W, typeof context>(asset, { manifestHooks, objectHooks, context });
}

async function controller(situation: Situation = {}): Promise<Deployment> {
  const spec = controllerSpec(inputOf(situation));
  if (spec === undefined) throw new Error("there is no controller");
  return render(spec, situation.sidecars);
}

const node = (situation: Situation = {}): Promise<DaemonSet> =>
  render(nodeSpec(inputOf(situation)), situation.sidecars);

const secretOf = (name: string, value: string): Secret => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace, name },
  data: { value },
});
const configMapOf = (name: string, data: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace, name },
  data,
});

function hashesOf({ spec }: Deployment | DaemonSet): Record<string, string> {
  const annotations = Object.entries(spec?.template.metadata?.annotations ?? {});
  return Object.fromEntries(annotations.filter(([name]) => name.startsWith("operator.openshift.io/dep-")));
}

describe("the workloads of a driver", () => {
  it("have the names that conditions begin with", () => {
    const input = inputOf({});
    expect(controllerSpec(input)?.name).toBe("OpenStackCinderDriverControllerServiceController");
    expect(nodeSpec(input).name).toBe("OpenStackCinderDriverNodeServiceController");
  });

  it("restart when a Secret or a ConfigMap of the profile changes, and for no other", async () => {
    const given = (value: string): Situation => ({
      secrets: [secretOf("openstack-cloud-credentials", value), secretOf("another", value)],
      configMaps: [configMapOf("cloud-conf", { value })],
    });
    for (const render of [controller, node]) {
      const [before, after] = [hashesOf(await render(given("a"))), hashesOf(await render(given("b")))];
      expect(Object.keys(before)).toHaveLength(2);
      expect(Object.values(before)).not.toEqual(Object.values(after));
    }
  });

  it("mount the cluster's authorities into the driver alone, once there are any", async () => {
    const bundle = configMapOf("openstack-cinder-csi-driver-trusted-ca-bundle", { "ca-bundle.crt": "PEM" });
    const volume = "non-standard-root-system-trust-ca-bundle";
    for (const render of [controller, node]) {
      const { containers = [] } = (await render({ configMaps: [bundle] })).spec?.template.spec ?? {};
      const mounting = containers.filter(({ volumeMounts = [] }) => volumeMounts.some(({ name }) => name === volume));
      expect(mounting.map(({ name }) => name)).toEqual(["csi-driver"]);
      expect(JSON.stringify(await render())).not.toContain(volume);
    }
  });

  it("change their sidecars while the operator runs, as the ClusterCSIDriver says", async () => {
    const namesOf = async (sidecars?: string) =>
      (await controller({ sidecars })).spec?.template.spec?.containers.map(({ name }) => name);
    expect(await namesOf()).toContain("csi-attacher");
    expect(await namesOf("Combined")).not.toContain("csi-attacher");
    expect(await namesOf("Combined")).toContain("csi-sidecars");
  });

  it("are not there while the ClusterCSIDriver asks for sidecars that there are not", async () => {
    await expect(controller({ sidecars: "Both" })).rejects.toMatchObject({
      code: "HOOK_FAILED",
      message: expect.stringMatching(/\(index=0\): ClusterCSIDriver cinder\.csi\.openstack\.org: .*"Both"/u),
      nextStep: "Set the field to Separate or Combined, or take it away.",
    });
  });

  it("are not there without an image, and say which variable is missing", async () => {
    const { SNAPSHOTTER_IMAGE: _, ...env } = images;
    await expect(controller({ env })).rejects.toMatchObject({
      code: "ASSET_PLACEHOLDER_UNRESOLVED",
      message: expect.stringMatching(/^controller-separate\.yaml: \$\{SNAPSHOTTER_IMAGE\} has no value/u),
    });
    expect(await controller({ env, sidecars: "Combined" })).toBeDefined();
  });

  it("have no controller where the driver makes its volumes on each node", async () => {
    const profile = await loadDriverProfile("local");
    expect(controllerSpec(inputOf({ profile }))).toBeUndefined();
    expect((await node({ profile })).metadata.name).toBe("stowage-local-csi-driver-node");
  });
});
