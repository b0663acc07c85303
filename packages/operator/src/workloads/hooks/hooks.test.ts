import type {
  ConfigMap,
  Container,
  DaemonSet,
  Deployment,
  OperatorSpec,
  Secret,
  TopologyMode,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { dataHash } from "../../apply/index.ts";
import { renderObject } from "../../assets/index.ts";
import type { OperatorResource } from "../../operator-client/index.ts";
import { withCaBundle } from "./ca-bundle.ts";
import { withDependencies } from "./dependencies.ts";
import { withForcedRollout } from "./forced-rollout.ts";
import type { HookContext, WorkloadFacts, WorkloadManifestHook } from "./hook-context.ts";
import { singleNodeLeaderElection, withLeaderElection } from "./leader-election-values.ts";
import { withNodeRollout } from "./node-rollout.ts";
import { withObservedProxy } from "./observed-proxy.ts";
import { imagesFrom, withOperandPlaceholders } from "./operand-placeholders.ts";
import { withServingInfo } from "./serving-info.ts";
import { controllerHooks, nodeHooks, operatorHooks } from "./standard-hooks.ts";
import { withControlPlaneTopology, withReplicas } from "./topology.ts";

const { signal } = new AbortController();

function contextOf(spec: OperatorSpec = {}): HookContext {
  const operator: OperatorResource = { apiVersion: "v1", kind: "Storage", metadata: { name: "cluster" }, spec };
  return { operator, signal };
}

const master = "node-role.kubernetes.io/master";
const controlPlane = "node-role.kubernetes.io/control-plane";

function facts(controlPlaneTopology: TopologyMode, roles = [controlPlane, master]): WorkloadFacts {
  return { current: async () => ({ clusterId: "kit-x7", controlPlaneTopology, controlPlaneRoles: roles }) };
}

interface Parts {
  readonly annotations?: Record<string, string>;
  readonly nodeSelector?: Record<string, string>;
  readonly initContainers?: Container[];
  readonly env?: Container["env"];
}

function deployment({ annotations, nodeSelector, initContainers, env }: Parts = {}): Deployment {
  const containers = [{ name: "csi-driver", env }, { name: "other" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "controller", namespace: "drivers", annotations },
    spec: {
      replicas: 7,
      selector: { matchLabels: { app: "controller" } },
      template: { spec: { nodeSelector, initContainers, containers } },
    },
  };
}

const podOf = ({ spec }: Deployment) => spec?.template.spec;

function replace(hook: WorkloadManifestHook, text: string, spec?: OperatorSpec): Promise<string> | string {
  return hook(text, contextOf(spec));
}

describe("placeholders", () => {
  it("get images from the environment, the cluster's name, the log level and further values", async () => {
    const images = imagesFrom({ DRIVER_IMAGE: "quay.test/driver", HOME: "/root" });
    const hook = withOperandPlaceholders({ images, facts: facts("External"), values: { NAMESPACE: "drivers" } });
    const text = "${DRIVER_IMAGE} ${CLUSTER_ID} ${LOG_LEVEL} ${NAMESPACE} ${HOME}";
    expect(await replace(hook, text, { logLevel: "Debug" })).toBe("quay.test/driver kit-x7 4 drivers ${HOME}");
  });

  it("of images that are not set stay, so that the asset is not sent", async () => {
    const hook = withOperandPlaceholders({ images: imagesFrom({ DRIVER_IMAGE: "" }) });
    expect(await replace(hook, "${DRIVER_IMAGE} ${CLUSTER_ID}")).toBe("${DRIVER_IMAGE} ${CLUSTER_ID}");
  });

  it("of images that are not set become empty where the asset hands them on", async () => {
    const images = imagesFrom({}, { names: ["AWS_EBS_DRIVER_IMAGE"], whenUnset: "empty" });
    expect(await replace(withOperandPlaceholders({ images }), "<${AWS_EBS_DRIVER_IMAGE}>")).toBe("<>");
  });

  test.each([
    ["", "2"],
    ["Normal", "2"],
    ["Debug", "4"],
    ["Trace", "6"],
    ["TraceAll", "8"],
  ] as const)("of the log level: %j is -v=%s", async (logLevel, verbosity) => {
    expect(await replace(withOperandPlaceholders({}), "-v=${LOG_LEVEL}", { logLevel })).toBe(`-v=${verbosity}`);
  });

  test.each([
    ["of the platform", undefined, "137s 107s 26s"],
    ["of a single node", singleNodeLeaderElection, "270s 240s 60s"],
  ])("of leader election get the values %s", async (_, values, expected) => {
    const names = ["LEASE_DURATION", "RENEW_DEADLINE", "RETRY_PERIOD"];
    const text = names.map((name) => `\${LEADER_ELECTION_${name}}`).join(" ");
    expect(await replace(withLeaderElection(values), text)).toBe(expected);
  });
});

describe("serving info", () => {
  const text = "--tls-cipher-suites=${TLS_CIPHER_SUITES} --tls-min-version=${TLS_MIN_VERSION}";
  const observed = (servingInfo: object): OperatorSpec => ({ observedConfig: { targetcsiconfig: { servingInfo } } });

  it("is put in as it was observed", async () => {
    const spec = observed({ cipherSuites: ["A", "B"], minTLSVersion: "VersionTLS13" });
    expect(await replace(withServingInfo(), text, spec)).toBe("--tls-cipher-suites=A,B --tls-min-version=VersionTLS13");
  });

  it("has a version also where a custom profile has none", async () => {
    const spec = observed({ cipherSuites: ["A"], minTLSVersion: "" });
    expect(await replace(withServingInfo(), text, spec)).toContain("--tls-min-version=VersionTLS12");
  });

  it("leaves the text as it is before anything was observed", async () => {
    expect(await replace(withServingInfo(), text)).toBe(text);
  });

  test.each([
    ["cipherSuites", { minTLSVersion: "VersionTLS12" }],
    ["minTLSVersion", { cipherSuites: ["A"] }],
    ["cipherSuites", { cipherSuites: [1], minTLSVersion: "VersionTLS12" }],
  ])("fails when %s is wanted and was not observed: %j", (name, servingInfo) => {
    const message = `could not find the servingInfo.${name} config from observed config`;
    expect(() => replace(withServingInfo(), text, observed(servingInfo))).toThrow(message);
    expect(replace(withServingInfo(), "no placeholder", observed(servingInfo))).toBe("no placeholder");
  });
});

describe("the node selector", () => {
  const nodeSelector = { [master]: "", disk: "ssd" };
  test.each<[string, WorkloadFacts, Record<string, string>]>([
    ["stays where there are masters", facts("HighlyAvailable"), nodeSelector],
    ["is emptied with an external control plane", facts("External"), {}],
    ["asks by the label that they have", facts("HighlyAvailable", [controlPlane]), { [controlPlane]: "", disk: "ssd" }],
    ["does not ask for masters where there are none", facts("HighlyAvailable", []), { disk: "ssd" }],
  ])("%s", async (_, known, expected) => {
    const hooked = await withControlPlaneTopology(known)(deployment({ nodeSelector }), contextOf());
    expect(podOf(hooked)?.nodeSelector).toEqual(expected);
  });
});

describe("replicas", () => {
  test.each<[TopologyMode, number]>([
    ["HighlyAvailable", 2],
    ["HighlyAvailableArbiter", 1],
    ["SingleReplica", 1],
    ["DualReplica", 1],
    ["External", 1],
  ])("with the topology %s are %d", async (topology, replicas) => {
    const hooked = await withReplicas(facts(topology))(deployment(), contextOf());
    expect(hooked.spec?.replicas).toBe(replicas);
  });
});

describe("the proxy", () => {
  const annotations = { "config.openshift.io/inject-proxy": "csi-driver, setup" };
  const spec = {
    observedConfig: {
      targetcsiconfig: { proxy: { NO_PROXY: "local", HTTPS_PROXY: "https://p" } },
      targetconfig: { proxy: { HTTP_PROXY: "http://q" } },
    },
  };

  it("is given to the containers that are named, sorted, in the place of what they had", () => {
    const env = [
      { name: "NO_PROXY", value: "old" },
      { name: "A", value: "1" },
    ];
    const plain = deployment({ annotations, env, initContainers: [{ name: "setup" }] });
    const pod = podOf(withObservedProxy()(plain, contextOf(spec)));
    const proxy = [
      { name: "HTTPS_PROXY", value: "https://p" },
      { name: "NO_PROXY", value: "local" },
    ];
    expect(pod?.containers.map((container) => container.env)).toEqual([
      [{ name: "A", value: "1" }, ...proxy],
      undefined,
    ]);
    expect(pod?.initContainers?.[0]?.env).toEqual(proxy);
    expect(podOf(plain)?.containers[0]?.env).toEqual(env);
  });

  it("is read elsewhere for the storage operator", () => {
    const pod = podOf(withObservedProxy(["targetconfig", "proxy"])(deployment({ annotations }), contextOf(spec)));
    expect(pod?.containers[0]?.env).toEqual([{ name: "HTTP_PROXY", value: "http://q" }]);
  });

  it("changes nothing where there is none, or nobody asks for it", () => {
    const plain = deployment({ annotations });
    expect(withObservedProxy()(plain, contextOf())).toBe(plain);
    expect(withObservedProxy()(deployment(), contextOf(spec))).toEqual(deployment());
  });

  it("that is no map is refused, without telling what it is", () => {
    const wrong = { observedConfig: { targetcsiconfig: { proxy: { HTTP_PROXY: { password: "hunter2" } } } } };
    expect(() => withObservedProxy()(deployment({ annotations }), contextOf(wrong))).toThrow(
      /^couldn't get the proxy config from observedConfig$/u,
    );
  });
});

const configMap = (data?: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "trusted", namespace: "drivers" },
  data,
});

describe("the trusted authorities", () => {
  const annotations = { "config.openshift.io/inject-proxy-cabundle": "csi-driver" };
  const key = "operator.openshift.io/dep-drivers.trusted.configmap";

  it("are mounted once they are there, and restart the Pods when they change", () => {
    const data = { "ca-bundle.crt": "PEM" };
    const hooked = withCaBundle(() => configMap(data))(deployment({ annotations }));
    const name = "non-standard-root-system-trust-ca-bundle";
    const items = [{ key: "ca-bundle.crt", path: "tls-ca-bundle.pem" }];
    expect(podOf(hooked)?.volumes).toEqual([{ name, configMap: { name: "trusted", items } }]);
    const mount = { name, mountPath: "/etc/pki/ca-trust/extracted/pem", readOnly: true };
    expect(podOf(hooked)?.containers.map(({ volumeMounts }) => volumeMounts)).toEqual([[mount], undefined]);
    expect(hooked.spec?.template.metadata?.annotations).toEqual({ [key]: dataHash(data) });
  });

  test.each([
    ["there is no ConfigMap", undefined],
    ["it is empty", configMap()],
    ["it has another key", configMap({ other: "PEM" })],
  ])("are not mounted while %s", (_, bundle) => {
    const plain = deployment({ annotations });
    expect(withCaBundle(() => bundle)(plain)).toBe(plain);
  });
});

describe("dependencies", () => {
  it("are annotated on the workload and on its Pods; what is missing is not", () => {
    const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "cloud", namespace: "drivers" } };
    const hooked = withDependencies(() => [secret, undefined])(deployment());
    const annotations = { "operator.openshift.io/dep-drivers.cloud.secret": dataHash(undefined) };
    expect(hooked.metadata.annotations).toEqual(annotations);
    expect(hooked.spec?.template.metadata?.annotations).toEqual(annotations);
  });
});

describe("the rollout on nodes", () => {
  const daemonSet = (updateStrategy?: object): DaemonSet => ({
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "node" },
    spec: { selector: {}, template: {}, updateStrategy },
  });
  test.each([
    ["takes a tenth of them at a time", undefined, { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } }],
    ["is what the asset says", { rollingUpdate: { maxUnavailable: 1 } }, { rollingUpdate: { maxUnavailable: 1 } }],
    ["may be left to somebody else", { type: "OnDelete" }, { type: "OnDelete" }],
  ])("%s", async (_, given, expected) => {
    const { spec } = await withNodeRollout()(daemonSet(given), contextOf());
    expect(spec?.updateStrategy).toEqual(expected);
  });
});

describe("a forced rollout", () => {
  const forcedBy = (reason?: string): HookContext => {
    const context = contextOf();
    const annotations: Record<string, string> = reason === undefined ? {} : { "operator.openshift.io/force": reason };
    return { ...context, operator: { ...context.operator, metadata: { name: "cluster", annotations } } };
  };
  test.each([
    ["changes the template by what the operator's resource says", "2026-11-15", "2026-11-15"],
    ["is none without the annotation", undefined, undefined],
    ["is none with an empty one", "", undefined],
  ])("%s", (_, reason, expected) => {
    const { metadata, spec } = withForcedRollout()(deployment({ annotations: { kept: "yes" } }), forcedBy(reason));
    expect(metadata.annotations?.["operator.openshift.io/force"]).toBe(expected);
    expect(metadata.annotations?.["kept"]).toBe("yes");
    expect(spec?.template.metadata?.annotations?.["operator.openshift.io/force"]).toBe(expected);
  });

  it("is the last word of every workload's hooks", () => {
    const name = { forced: "yes" };
    const sets = [
      controllerHooks<OperatorResource>({ facts: facts("External") }),
      operatorHooks<OperatorResource>({ facts: facts("External") }),
    ];
    for (const { objectHooks } of sets) {
      const last = objectHooks.at(-1)?.(deployment(), forcedBy(name.forced)) as Deployment;
      expect(last.metadata.annotations?.["operator.openshift.io/force"]).toBe(name.forced);
    }
  });
});

describe("all hooks together", () => {
  const asset = (kind: string) => ({
    name: "workload.yaml",
    text: `
apiVersion: apps/v1
kind: ${kind}
metadata: {name: controller, namespace: drivers}
spec:
  selector: {matchLabels: {app: controller}}
  template:
    spec:
      nodeSelector: {node-role.kubernetes.io/master: ""}
      containers: [{name: csi-driver, image: "\${DRIVER_IMAGE}", args: ["--v=\${LOG_LEVEL}"]}]
`,
  });

  it("run in order, the driver's own after replicas and before hashes", async () => {
    const seen: unknown[] = [];
    const hooks = controllerHooks<OperatorResource>({
      facts: facts("External"),
      images: { DRIVER_IMAGE: "d" },
      hooks: [
        (object) => {
          seen.push(object.spec?.replicas, podOf(object)?.nodeSelector, object.metadata.annotations);
          return object;
        },
      ],
      secrets: () => [{ apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n" } }],
    });
    const rendered = await renderObject<Deployment, HookContext>(asset("Deployment"), {
      ...hooks,
      context: contextOf(),
    });
    expect(seen).toEqual([1, {}, undefined]);
    expect(Object.keys(rendered.metadata.annotations ?? {})).toEqual(["operator.openshift.io/dep-n.s.secret"]);
    expect(podOf(rendered)?.containers[0]).toEqual({ name: "csi-driver", image: "d", args: ["--v=2"] });
  });

  it("tell which of them has failed", async () => {
    const unknown: WorkloadFacts = { current: () => Promise.reject(new Error("nothing is known")) };
    const { objectHooks } = controllerHooks<OperatorResource>({ facts: unknown });
    const { manifestHooks } = controllerHooks<OperatorResource>({
      facts: facts("External"),
      images: { DRIVER_IMAGE: "d" },
    });
    const rendering = { manifestHooks, objectHooks, context: contextOf() };
    await expect(renderObject<Deployment, HookContext>(asset("Deployment"), rendering)).rejects.toThrow(
      "error running hook function (index=0): nothing is known",
    );
  });

  it("of a driver's operator leave replicas alone and take the storage operator's proxy", async () => {
    const hooks = operatorHooks<OperatorResource>({
      facts: facts("External"),
      images: { DRIVER_IMAGE: "d" },
      hooks: [(object) => ({ ...object, metadata: { ...object.metadata, labels: { seen: "yes" } } })],
    });
    const annotated = asset("Deployment").text.replace(
      "namespace: drivers",
      "namespace: drivers, annotations: {config.openshift.io/inject-proxy: csi-driver}",
    );
    const context = contextOf({ observedConfig: { targetconfig: { proxy: { NO_PROXY: "local" } } } });
    const rendering = { ...hooks, context };
    const rendered = await renderObject<Deployment, HookContext>({ name: "operator.yaml", text: annotated }, rendering);
    expect(rendered.spec?.replicas).toBeUndefined();
    expect(rendered.metadata.labels).toEqual({ seen: "yes" });
    expect(podOf(rendered)?.nodeSelector).toEqual({});
    expect(podOf(rendered)?.containers[0]?.env).toEqual([{ name: "NO_PROXY", value: "local" }]);
  });

  it("of nodes leave the selector alone and look at ConfigMaps and Secrets", async () => {
    const hooks = nodeHooks<OperatorResource>({
      images: { DRIVER_IMAGE: "d" },
      caBundle: () => undefined,
      configMaps: () => [configMap({})],
      secrets: () => [undefined],
    });
    const rendered = await renderObject<DaemonSet, HookContext>(asset("DaemonSet"), { ...hooks, context: contextOf() });
    expect(rendered.spec?.template.spec?.nodeSelector).toEqual({ "node-role.kubernetes.io/master": "" });
    expect(Object.keys(rendered.metadata.annotations ?? {})).toEqual([
      "operator.openshift.io/dep-drivers.trusted.configmap",
    ]);
    expect(rendered.spec?.updateStrategy?.rollingUpdate?.maxUnavailable).toBe("10%");
  });
});
