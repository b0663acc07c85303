import type {
  ClusterRole,
  ConfigMap,
  Deployment,
  KubernetesObject,
  LogLevel,
  Secret,
  Storage,
  TopologyMode,
} from "@stowage/machinery";
import { clusterFactsOf, controlPlaneRoles, parseManifests, renderObject } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import { readAssetFolder } from "../../assets/index.ts";
import { driverOperators } from "../driver-operators/index.ts";
import { storageOperatorNamespace } from "../names.ts";
import { detectorAssets, detectorName, detectorObjects } from "./detector-assets.ts";
import { areAlertsDisabled } from "./detector-config.ts";
import { detectorControllers, detectorHooks } from "./detector-controllers.ts";
import { desiredMonitoringCondition } from "./monitoring-controller.ts";

interface Situation {
  readonly topology?: TopologyMode;
  readonly spec?: Storage["spec"];
  readonly secrets?: readonly Secret[];
  readonly authorities?: ConfigMap;
}

const metadata = (name: string) => ({ name, namespace: storageOperatorNamespace });
const credentials = (data: string): Secret => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: metadata("vsphere-cloud-credentials"),
  data: { data },
});
const authoritiesWith = (data: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata("trusted-ca-bundle"),
  data,
});

async function detector({ topology = "HighlyAvailable", spec = {}, secrets = [], authorities }: Situation = {}) {
  const labels = Object.fromEntries(controlPlaneRoles.map((role) => [role, ""]));
  const facts = clusterFactsOf({
    infrastructure: {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      spec: {},
      status: { controlPlaneTopology: topology, platformStatus: { type: "VSphere" } },
    },
    nodes: [{ metadata: { name: "node-0", labels } }],
    clusterUid: "",
  });
  const env = { VSPHERE_PROBLEM_DETECTOR_OPERATOR_IMAGE: "registry.test/detector" };
  const copies = { secrets: () => secrets, authorities: () => authorities };
  const hooks = detectorHooks({ env, facts: { current: async () => facts } as never }, copies);
  const operator: Storage = {
    apiVersion: "operator.openshift.io/v1",
    kind: "Storage",
    metadata: { name: "cluster" },
    spec,
  };
  const context = { operator, signal: new AbortController().signal };
  const rendered = await renderObject<Deployment, typeof context>(detectorAssets().deployment, { ...hooks, context });
  const template = rendered.spec?.template;
  return { rendered, pod: template?.spec, container: template?.spec?.containers[0], annotations: template?.metadata };
}

describe("the Deployment of the problem detector", () => {
  it("is one Pod beside the storage operator, with nothing unresolved", async () => {
    const { rendered, container } = await detector();
    expect([rendered.metadata.namespace, rendered.spec?.replicas]).toEqual([storageOperatorNamespace, 1]);
    expect(container?.image).toBe("registry.test/detector");
    expect(JSON.stringify(rendered)).not.toContain("${");
  });

  it.each<[TopologyMode, object]>([
    ["HighlyAvailable", { "node-role.kubernetes.io/master": "" }],
    ["SingleReplica", { "node-role.kubernetes.io/master": "" }],
    ["External", {}],
  ])("goes to masters that are in the cluster: %s", async (topology, selector) => {
    expect((await detector({ topology })).pod?.nodeSelector).toEqual(selector);
  });

  it.each<[LogLevel, string]>([
    ["Normal", "--v=2"],
    ["Debug", "--v=4"],
    ["Trace", "--v=6"],
    ["TraceAll", "--v=8"],
  ])("logs as the Storage says: %s", async (logLevel, flag) => {
    expect((await detector({ spec: { logLevel } })).container?.args).toContain(flag);
  });

  it("goes through the cluster's proxy", async () => {
    const observedConfig = { targetconfig: { proxy: { HTTPS_PROXY: "http://proxy.test" } } };
    const { container } = await detector({ spec: { observedConfig } });
    expect(container?.env).toContainEqual({ name: "HTTPS_PROXY", value: "http://proxy.test" });
  });

  it("restarts for another login", async () => {
    const hashes = await Promise.all(
      ["one", "two"].map(async (data) =>
        JSON.stringify((await detector({ secrets: [credentials(data)] })).annotations),
      ),
    );
    expect(new Set(hashes).size).toBe(2);
  });

  it.each([
    ["nobody has put any in", authoritiesWith({}), 0],
    ["there are some", authoritiesWith({ "ca-bundle.crt": "PEM" }), 1],
  ])("trusts the cluster's authorities when %s", async (_, authorities, count) => {
    const { container } = await detector({ authorities });
    const mounted = container?.volumeMounts?.filter(({ mountPath }) => mountPath === "/etc/pki/ca-trust/extracted/pem");
    expect(mounted).toHaveLength(count);
  });
});

describe("what turns the alerts off", () => {
  const config = (text: string | undefined): ConfigMap => ({
    ...authoritiesWith({}),
    data: text === undefined ? {} : { "config.yaml": text },
  });

  it.each<[ConfigMap | undefined, boolean]>([
    [undefined, false],
    [config(""), false],
    [config("alertsDisabled: false\n"), false],
    [config("alertsDisabled: true\n"), true],
  ])("is said in a ConfigMap (%#)", (configMap, disabled) => {
    expect(areAlertsDisabled(configMap)).toBe(disabled);
  });

  it.each([
    [undefined, "it has no key config.yaml"],
    ["[", "config.yaml is not YAML"],
    ["- a", "config.yaml holds no fields"],
    ["alertDisabled: true", "config.yaml has the field alertDisabled, and only alertsDisabled is known"],
    ["alertsDisabled: maybe", "alertsDisabled is neither true nor false"],
  ])("is not guessed from %j", (text, what) => {
    const message = `ConfigMap openshift-cluster-storage-operator/vsphere-problem-detector: ${what}`;
    expect(() => areAlertsDisabled(config(text))).toThrow(expect.objectContaining({ message }));
  });

  it.each([
    [true, "vsphere-problem-detector alerts are enabled"],
    [false, "vsphere-problem-detector alerts are disabled"],
  ])("is told (%s)", (areWanted, message) => {
    expect(desiredMonitoringCondition(areWanted)).toMatchObject({ status: "True", message });
  });
});

test("its rights have no wildcard, change nothing but its own, and are bound to its own account alone", () => {
  const payload = readAssetFolder(new URL("../../../manifests/", import.meta.url));
  const roles = payload.filter(({ name }) => name.includes("vsphere_problem_detector_roles")).flatMap(parseManifests);
  expect(JSON.stringify(roles)).not.toContain('"*"');
  const subjects = detectorObjects().flatMap((object) => (object as { subjects?: readonly object[] }).subjects ?? []);
  expect(new Set(subjects.map((each) => JSON.stringify(each))).size).toBe(1);
  const bindings = detectorObjects().filter(({ kind }) => kind.endsWith("Binding"));
  const named = ({ kind, metadata: { namespace = "", name = "" } }: KubernetesObject) => `${kind} ${namespace} ${name}`;
  expect(
    bindings.map((each) =>
      named(each)
        .replace("Binding", "")
        .replace(/binding$/u, ""),
    ),
  ).toEqual(roles.map(named));
  const rules = roles.flatMap((role) => (role as ClusterRole).rules ?? []);
  const changed = rules.filter(({ verbs }) =>
    verbs.some((verb) => ["create", "update", "patch", "delete"].includes(verb)),
  );
  expect(changed.flatMap(({ resources = [] }) => resources).toSorted()).toEqual([
    "events",
    "leases",
    "storages/status",
    "subjectaccessreviews",
    "tokenreviews",
  ]);
});

test("every alert has a severity and says what to look at", () => {
  const rule = detectorAssets().monitoring.find(({ object }) => object.kind === "PrometheusRule")?.object;
  const { groups } = (rule as unknown as { spec: { groups: { rules: Record<string, Record<string, string>>[] }[] } })
    .spec;
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.map(({ alert }) => alert)).toEqual([
    "VSphereOpenshiftNodeHealthFail",
    "VSphereOpenshiftClusterHealthFail",
    "VSphereOpenshiftConnectionFailure",
    "CSIWithOldVSphereHWVersion",
    "VSphereOlderVersionPresent",
    "VSphereOlderVCenterPresent",
    "VSphereOpenshiftVmsCBTMismatch",
  ]);
  for (const { labels, annotations } of rules) {
    expect(["info", "warning"]).toContain(labels?.["severity"]);
    expect(annotations?.["description"]).toBeTruthy();
  }
});

test("it is started on vSphere alone, and nowhere without its image", () => {
  const withOwn = driverOperators.filter(({ ownControllers }) => ownControllers === detectorControllers);
  expect(withOwn.map(({ platform }) => platform)).toEqual(["VSphere"]);
  expect(detectorControllers({ env: {} } as never)).toEqual([]);
  expect(detectorName).toBe("vsphere-problem-detector-operator");
});
