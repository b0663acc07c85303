import type { Deployment, KubernetesObject, Service } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { composeDriver } from "./compose-driver.ts";
import type { CompositionInput, DriverComposition } from "./driver-composition.ts";

const example: DriverComposition = {
  assetPrefix: "example-csi-driver",
  assetShortPrefix: "example",
  driverName: "csi.example.com",
  modes: ["Separate", "Combined"],
  controller: {
    livenessPort: 10301,
    metrics: { local: 8300, exposed: 9300 },
    sidecars: [{ name: "provisioner", flags: ["--timeout=3m"] }, { name: "attacher" }, { name: "snapshotter" }],
  },
  node: { registrar: { livenessPort: 10300, healthPort: 10304 } },
};

const driverPatch = `
spec:
  template:
    spec:
      containers:
        - name: csi-driver
          image: \${DRIVER_IMAGE}
          args: ["--metrics=localhost:\${LOCAL_METRICS_PORT}", "--name=\${DRIVER_NAME}", "--v=\${LOG_LEVEL}"]
`;
const patches = [
  { name: "controller.yaml", text: driverPatch },
  { name: "storageclass.yaml", text: "metadata: {name: fast}" },
];
const rules = {
  cluster: [],
  namespaced: [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "patch"] },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get"] },
  ],
};

function compose(change: Partial<CompositionInput> = {}): Map<string, string> {
  return composeDriver({ composition: example, patches, rules, ...change });
}

function read(files: Map<string, string>, name: string): KubernetesObject {
  const [object] = parseManifests({ name, text: files.get(name) ?? "" });
  if (object === undefined) throw new Error(`there is no ${name}`);
  return object;
}

const containersOf = (object: KubernetesObject) => (object as Deployment).spec?.template.spec?.containers ?? [];
const flagOf = (args: readonly string[] = [], flag: string) =>
  args.find((argument) => argument.startsWith(`${flag}=`))?.slice(flag.length + 1);

describe("a composed driver", () => {
  it("has each sidecar with a proxy before its metrics, at ports one after the other", () => {
    const containers = containersOf(read(compose(), "controller-separate.yaml"));
    expect(containers.map(({ name }) => name)).toEqual([
      "csi-driver",
      "kube-rbac-proxy-8300",
      "csi-provisioner",
      "provisioner-kube-rbac-proxy",
      "csi-attacher",
      "attacher-kube-rbac-proxy",
      "csi-snapshotter",
      "snapshotter-kube-rbac-proxy",
      "csi-liveness-probe",
    ]);
    const served = containers.map(({ args }) => flagOf(args, "--http-endpoint") ?? flagOf(args, "--metrics-address"));
    expect(served.filter(Boolean)).toEqual(["localhost:8301", "localhost:8302", "localhost:8303"]);
    const proxies = containers.filter(({ name }) => name.includes("rbac-proxy"));
    expect(proxies.map(({ args }) => [flagOf(args, "--upstream"), flagOf(args, "--secure-listen-address")])).toEqual([
      ["http://127.0.0.1:8300/", "0.0.0.0:9300"],
      ["http://127.0.0.1:8301/", "0.0.0.0:9301"],
      ["http://127.0.0.1:8302/", "0.0.0.0:9302"],
      ["http://127.0.0.1:8303/", "0.0.0.0:9303"],
    ]);
  });

  it("has all sidecars in one container in the other mode, each with its flags under its name", () => {
    const containers = containersOf(read(compose(), "controller-combined.yaml"));
    expect(containers.map(({ name }) => name)).toEqual([
      "csi-driver",
      "kube-rbac-proxy-8300",
      "csi-sidecars",
      "sidecars-kube-rbac-proxy",
      "csi-liveness-probe",
    ]);
    const { command, args } = containers[2] ?? {};
    expect(command).toEqual(["stowage", "sidecars"]);
    expect(args).toContain("--controllers=provisioner,attacher,snapshotter");
    expect(args).toContain("--provisioner-timeout=3m");
    expect(args).toContain("--http-endpoint=localhost:8301");
  });

  it("hands on in one process what is of the process once, and nothing that it does not know", () => {
    const atOnce = ["--kube-api-qps=20", "--kube-api-burst=100", "--feature-gates=Topology=true"];
    const controller: DriverComposition["controller"] = {
      livenessPort: 10301,
      metrics: { local: 8300, exposed: 9300 },
      sidecars: [
        { name: "provisioner", flags: [...atOnce, "--retry-interval-max=60s", "--worker-threads=1"] },
        { name: "resizer", flags: [...atOnce, "--retry-interval-max=60s", "--workers=1"] },
      ],
    };
    const files = compose({ composition: { ...example, controller } });
    const { args = [] } = containersOf(read(files, "controller-combined.yaml"))[2] ?? {};
    const last = args.slice(args.indexOf("--v=${LOG_LEVEL}") + 1);
    expect(last).toEqual(["--retry-interval-max=60s", "--provisioner-worker-threads=1", "--resizer-workers=1"]);
    expect(containersOf(read(files, "controller-separate.yaml"))[2]?.args).toEqual(expect.arrayContaining(atOnce));
  });

  it("has no proxy and shows no port for a driver without metrics, and the sidecars' ports stay", () => {
    const { controller } = example;
    const composition = { ...example, controller: controller && { ...controller, servesNoMetrics: true } };
    const files = compose({ composition });
    const names = containersOf(read(files, "controller-separate.yaml")).map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(["csi-driver", "csi-provisioner"]);
    const { spec } = read(files, "controller-metrics-service-separate.yaml") as Service;
    expect(spec?.ports?.map(({ name, port }) => `${name} ${port}`)).toEqual([
      "provisioner-m 9301",
      "attacher-m 9302",
      "snapshotter-m 9303",
    ]);
  });

  it.each([
    ["separate", ["provisioner-m 9301", "attacher-m 9302", "snapshotter-m 9303", "driver-m 9300"]],
    ["combined", ["sidecars-m 9301", "driver-m 9300"]],
  ])("shows the exposed ports in the Service and its monitor, when %s", (mode, expected) => {
    const files = compose();
    const { spec } = read(files, `controller-metrics-service-${mode}.yaml`) as Service;
    expect(spec?.ports?.map(({ name, port }) => `${name} ${port}`)).toEqual(expected);
    const monitor = read(files, `controller-metrics-monitor-${mode}.yaml`) as KubernetesObject & {
      spec: { endpoints: { port: string }[] };
    };
    expect(monitor.spec.endpoints.map(({ port }) => port)).toEqual(expected.map((each) => each.split(" ")[0]));
  });

  it("may note in ConfigMaps what it is about to make, when combined, by the same Role that leases have", () => {
    const files = compose();
    const roleOf = (mode: string) =>
      read(files, `lease-leader-election-role-${mode}.yaml`) as KubernetesObject & { rules: { resources: string[] }[] };
    expect(roleOf("separate").metadata).toEqual(roleOf("combined").metadata);
    expect(roleOf("separate").rules.flatMap(({ resources }) => resources)).toEqual(["leases"]);
    expect(roleOf("combined").rules.flatMap(({ resources }) => resources)).toEqual(["leases", "configmaps"]);
  });

  it("has what is known when it is made filled in, and what is not left for the running operator", () => {
    const text = compose().get("controller-separate.yaml") ?? "";
    expect(text).toContain("--metrics=localhost:8300");
    expect(text).toContain("--name=csi.example.com");
    expect(text).toContain("--v=${LOG_LEVEL}");
    expect(text).not.toMatch(/\$\{(ASSET|DRIVER_NAME|LOCAL|EXPOSED|LIVENESS_PROBE_PORT)/u);
  });

  it("says in each file's first lines what it was made of", () => {
    const header = compose().get("controller-combined.yaml")?.split("\napiVersion")[0];
    expect(header?.split("\n")).toEqual([
      "# Generated by `npm run generate`. Do not edit.",
      "# base Deployment",
      "# + patches/controller.yaml",
      "# + kube-rbac-proxy-8300 (metrics 8300, exposed 9300)",
      "# + csi-sidecars (metrics 8301, exposed 9301) provisioner --timeout=3m attacher snapshotter",
      "# + csi-liveness-probe at 10301",
    ]);
  });
});

describe("a driver's own patches", () => {
  it("in JSON come last, and may change what was composed", () => {
    const operations = '- {op: replace, path: /spec/template/spec/containers/8/args, value: ["--own"]}';
    const files = compose({ patches: [...patches, { name: "controller-separate.yaml.patch", text: operations }] });
    expect(containersOf(read(files, "controller-separate.yaml")).at(8)?.args).toEqual(["--own"]);
    expect(containersOf(read(files, "controller-combined.yaml")).at(-1)?.args).not.toEqual(["--own"]);
  });

  it("are assets themselves where there is no base of their name", () => {
    const text = "{apiVersion: v1, kind: Secret, metadata: {name: '${ASSET_PREFIX}-config'}}";
    const files = compose({ patches: [...patches, { name: "config-secret.yaml", text }] });
    expect(read(files, "config-secret.yaml").metadata.name).toBe("example-csi-driver-config");
  });

  it("give each class of their name a base", () => {
    const files = compose({
      patches: [...patches, { name: "storageclass-slow.yaml", text: "metadata: {name: slow}" }],
    });
    expect(read(files, "storageclass-slow.yaml")).toMatchObject({
      metadata: { name: "slow" },
      provisioner: "csi.example.com",
      volumeBindingMode: "WaitForFirstConsumer",
    });
  });

  it.each([
    ["a JSON patch of nothing", { name: "nothing.yaml.patch", text: "[]" }, "has no apiVersion"],
    ["an asset of two objects", { name: "two.yaml", text: twice("ConfigMap") }, "neither a patch of an asset nor"],
    ["text that is no patch", { name: "node.yaml", text: "[1]" }, "patches/node.yaml is not a patch"],
  ])("are refused: %s", (_, patch, message) => {
    expect(() => compose({ patches: [...patches, patch] })).toThrow(message);
  });
});

function twice(kind: string): string {
  const one = `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x}\n`;
  return `${one}---\n${one}`;
}
