import type { Deployment, PlatformType, Storage, TopologyMode } from "@stowage/machinery";
import { clusterFactsOf, controlPlaneRoles, renderObject } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import { storageOperatorNamespace } from "../names.ts";
import { validatorAssets, validatorObjects } from "./validator-assets.ts";
import { validatorControllers, validatorHooks } from "./validator-controllers.ts";

const platforms: readonly PlatformType[] = ["AWS", "OpenStack", "External", "None"];
const topologies: readonly TopologyMode[] = ["HighlyAvailable", "SingleReplica", "External"];
const places = platforms.flatMap((platform) => topologies.map((topology) => ({ platform, topology })));

interface Situation {
  readonly platform?: PlatformType;
  readonly topology?: TopologyMode;
  readonly spec?: Storage["spec"];
}

async function validator({ platform = "None", topology = "HighlyAvailable", spec = {} }: Situation = {}) {
  const labels = Object.fromEntries(controlPlaneRoles.map((role) => [role, ""]));
  const facts = clusterFactsOf({
    infrastructure: {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      spec: {},
      status: { controlPlaneTopology: topology, platformStatus: { type: platform } },
    },
    nodes: [{ metadata: { name: "node-0", labels } }],
    clusterUid: "",
  });
  const env = { VOLUME_DATA_SOURCE_VALIDATOR_IMAGE: "registry.test/validator" };
  const hooks = validatorHooks({ env, facts: { current: async () => facts } as never });
  const metadata = { name: "cluster" };
  const operator: Storage = { apiVersion: "operator.openshift.io/v1", kind: "Storage", metadata, spec };
  const context = { operator, signal: new AbortController().signal };
  const { spec: rendered, ...rest } = await renderObject<Deployment, typeof context>(validatorAssets().deployment, {
    ...hooks,
    context,
  });
  const pod = rendered?.template.spec;
  return { ...rest, replicas: rendered?.replicas, pod, container: pod?.containers[0] };
}

describe.each(places)("the validator on $platform with $topology", (place) => {
  it("is one Pod beside the storage operator, on masters that are in the cluster", async () => {
    const { metadata, replicas, pod } = await validator(place);
    expect([metadata.namespace, replicas]).toEqual([storageOperatorNamespace, 1]);
    const nodeSelector = place.topology === "External" ? {} : { "node-role.kubernetes.io/master": "" };
    expect(pod?.nodeSelector).toEqual(nodeSelector);
  });

  it("elects its leader as all operands do, and has nothing unresolved", async () => {
    const found = await validator(place);
    expect(found.container?.args).toEqual(
      expect.arrayContaining([
        "--leader-election-lease-duration=137s",
        "--leader-election-renew-deadline=107s",
        "--leader-election-retry-period=26s",
      ]),
    );
    expect(found.container?.image).toBe("registry.test/validator");
    expect(JSON.stringify(found)).not.toContain("${");
  });
});

test.each([
  ["Normal", 2],
  ["Debug", 4],
  ["Trace", 6],
  ["TraceAll", 8],
] as const)("it logs at %s with --v=%i, as the Storage says", async (logLevel, verbosity) => {
  expect((await validator({ spec: { logLevel } })).container?.args).toContain(`--v=${verbosity}`);
});

test("its rights have no wildcard, and are bound to its own account alone", () => {
  const text = JSON.stringify(validatorObjects());
  expect(text).not.toContain('"*"');
  const subjects = validatorObjects().flatMap((object) => (object as { subjects?: readonly object[] }).subjects ?? []);
  expect(new Set(subjects.map((each) => JSON.stringify(each))).size).toBe(1);
});

test("none is started without an image: no claim needs it", () => {
  expect(validatorControllers({ env: {} } as never)).toEqual([]);
});
