import {
  clusterRoleBindings,
  clusterRoles,
  persistentVolumeClaims,
  secrets,
  silentLogger,
  volumeSnapshotClasses,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExplainCluster, startExplainCluster } from "../explain/fixtures/explain-cluster.ts";
import { Scene } from "../explain/fixtures/scene.ts";
import { runProgram } from "../program.ts";
import { explainCommand } from "./explain.ts";
import { statusCommand } from "./status.ts";

let cluster: ExplainCluster;

beforeAll(async () => {
  cluster = await startExplainCluster();
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** As a user types it. */
async function stowage(
  words: readonly string[],
  { kubeconfig = cluster.kubeconfigPath, signal = AbortSignal.timeout(60_000) } = {},
) {
  let [out, err] = ["", ""];
  const terminal = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/", signal };
  const deps = { commands: [explainCommand, statusCommand], terminal, contextFor: () => context };
  const exitCode = await runProgram(deps, [...words, "--kubeconfig", kubeconfig]);
  return { exitCode, out, err };
}

const newScene = async () => new Scene(cluster, await cluster.namespace());

it("says that nothing is wrong with a claim that has its volume", async () => {
  await using scene = await newScene();
  await scene.boundClaim("data", await scene.storageClass(await cluster.goodDriver()));
  const { exitCode, out } = await stowage(["explain", "pvc", "data", "-n", scene.namespace]);
  expect(out).toBe(`PersistentVolumeClaim ${scene.namespace}/data is Bound.\nNothing is wrong with it.\n`);
  expect(exitCode).toBe(0);
});

it("says so of its volume, its class and a snapshot of it too", async () => {
  await using scene = await newScene();
  const driver = await cluster.goodDriver();
  const storageClassName = await scene.storageClass(driver);
  const { spec } = await scene.boundClaim("data", storageClassName);
  const className = scene.own("snapshots");
  const deletionPolicy = "Delete";
  await scene.client.create(volumeSnapshotClasses, {
    metadata: { name: className },
    driver: driver.name,
    deletionPolicy,
  });
  await scene.client.create(volumeSnapshots, {
    metadata: { namespace: scene.namespace, name: "monday" },
    spec: { source: { persistentVolumeClaimName: "data" }, volumeSnapshotClassName: className },
  });
  await scene.until(volumeSnapshots, "monday", ({ status }) => status?.readyToUse === true);
  const asked = [
    ["pv", spec?.volumeName ?? ""],
    ["sc", storageClassName],
    ["vs", "monday"],
  ] as const;
  for (const [kind, name] of asked) {
    const { exitCode, out } = await stowage(["explain", kind, name, "-n", scene.namespace]);
    expect(out, kind).toContain("Nothing is wrong with it.");
    expect(exitCode).toBe(0);
  }
});

it("gives people cause, evidence and command, in that order and without colours in a pipe", async () => {
  await using scene = await newScene();
  await scene.claim("data", { storageClassName: "nowhere" });
  const { exitCode, out } = await stowage(["explain", "persistentvolumeclaims", "data", "-n", scene.namespace]);
  const mending = `kubectl get persistentvolumeclaim data -n ${scene.namespace} -o yaml | sed`;
  expect(out).toMatch(
    new RegExp(
      `^PersistentVolumeClaim ${scene.namespace}/data is Pending\\.\n\nCause: CLASS_MISSING\n {2}The claim names[^]*\nEvidence:\n[^]*\nTo mend it:\n[^]*${RegExp.escape(mending)}`,
      "u",
    ),
  );
  expect(out).not.toContain("\u001B");
  expect(exitCode).toBe(0);
});

it("gives programs the same as JSON", async () => {
  await using scene = await newScene();
  await scene.claim("data", { storageClassName: "nowhere" });
  const { out } = await stowage(["explain", "pvc", "data", "-n", scene.namespace, "-o", "json"]);
  expect(JSON.parse(out)).toMatchObject({
    subject: `PersistentVolumeClaim ${scene.namespace}/data`,
    state: "Pending",
    verdict: "explained",
    findings: [{ cause: "CLASS_MISSING", evidence: [{ field: "spec.storageClassName", value: "nowhere" }, {}] }],
  });
});

it("says what it looked at when it does not know", async () => {
  await using scene = await newScene();
  // Nothing is missing, and nobody runs it.
  await scene.pod("web", { nodeName: await scene.node("a") });
  const { exitCode, out } = await stowage(["explain", "pod", "web", "-n", scene.namespace]);
  expect(out).toMatch(/Why is not known\. What was looked at:\n/u);
  expect(out).toMatch(new RegExp(`^ {2}Node ${scene.own("a")}: found$`, "mu"));
  expect(out).toMatch(new RegExp(`^ {2}events of Pod ${scene.namespace}/web: \\d+ found$`, "mu"));
  expect(exitCode).toBe(3);
});

/** Somebody who may read claims, Pods and events alone. Returns the kubeconfig's path. */
async function limitedUser(scene: Scene): Promise<string> {
  const name = scene.own("reader");
  const rules = [{ apiGroups: [""], resources: ["persistentvolumeclaims", "events", "pods"], verbs: ["get", "list"] }];
  await scene.client.create(clusterRoles, { metadata: { name }, rules });
  await scene.client.create(clusterRoleBindings, {
    metadata: { name },
    subjects: [{ kind: "User", name, apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  });
  return cluster.kubeconfigOf(name);
}

it("says what it was not allowed to read, and goes on with the rest", async () => {
  await using scene = await newScene();
  const kubeconfig = await limitedUser(scene);
  await scene.claim("data", { storageClassName: "nowhere" });
  const { exitCode, out } = await stowage(["explain", "pvc", "data", "-n", scene.namespace], { kubeconfig });
  expect(out).toContain("StorageClass nowhere: may not be read by this user");
  expect(exitCode).toBe(3);
});

it("shows the status to somebody who may read next to nothing, and says so", async () => {
  await using scene = await newScene();
  const { exitCode, out } = await stowage(["status"], { kubeconfig: await limitedUser(scene) });
  expect(out.replaceAll(/\s+/gu, " ")).toContain("Not shown This user may not read clusterversions");
  expect(exitCode).toBe(0);
});

it("leaves out the value of a Secret that a driver has put into its answer", async () => {
  await using scene = await newScene();
  const value = "correct-horse-battery";
  const stringData = { token: value };
  await scene.client.create(secrets, { metadata: { namespace: scene.namespace, name: "key" }, stringData });
  const message = `the array refuses ${value} and https://admin:pw@array`;
  const fault = { method: "CreateVolume", kind: "fail", code: "PERMISSION_DENIED", message } as const;
  const driver = await scene.driver({ faults: [fault] });
  const parameters = {
    "csi.storage.k8s.io/node-stage-secret-name": "key",
    "csi.storage.k8s.io/node-stage-secret-namespace": scene.namespace,
  };
  await scene.claim("data", { storageClassName: await scene.storageClass(driver, { parameters }) });
  const words = ["explain", "pvc", "data", "-n", scene.namespace, "-o", "json"];
  await expect
    .poll(async () => (await stowage(words)).out)
    .toContain("the array refuses redacted and https://redacted@array");
  const { out } = await stowage(words);
  expect(out).toContain("CREATE_VOLUME_DENIED");
  expect(out).not.toContain(value);
});

it("finds nothing wrong any more once the missing Secret is there", async () => {
  await using scene = await newScene();
  const parameters = {
    "csi.storage.k8s.io/provisioner-secret-name": "key",
    "csi.storage.k8s.io/provisioner-secret-namespace": scene.namespace,
  };
  const storageClassName = await scene.storageClass(await cluster.goodDriver(), { parameters });
  await scene.claim("data", { storageClassName });
  const words = ["explain", "pvc", "data", "-n", scene.namespace];
  await expect.poll(async () => (await stowage(words)).out).toContain("CLASS_SECRET_MISSING");
  await scene.client.create(secrets, { metadata: { namespace: scene.namespace, name: "key" }, stringData: { a: "b" } });
  await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Bound");
  expect((await stowage(words)).out).toContain("Nothing is wrong with it.");
});

it("refuses a kind that it does not know", async () => {
  const { exitCode, err } = await stowage(["explain", "cheese", "brie"]);
  expect(err).toBe(
    'stowage explain: "cheese" is none of pvc, pv, pod, volumesnapshot, volumegroupsnapshot, storageclass\n',
  );
  expect(exitCode).toBe(2);
});

it("shows the status anew when something has changed, until it is stopped", async () => {
  await using scene = await newScene();
  const stop = new AbortController();
  let shown = "";
  const terminal = { out: (text: string) => void (shown += text), err: (text: string) => void (shown += text) };
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/", signal: stop.signal };
  const deps = { commands: [statusCommand], terminal, contextFor: () => context };
  const words = ["status", "--watch", "--interval", "50ms", "--kubeconfig", cluster.kubeconfigPath];
  const running = runProgram(deps, words);
  await expect.poll(() => shown).toContain("StorageClasses");
  await scene.storageClass("gone.example.org", { metadata: { name: "late" } });
  await expect.poll(() => shown).toContain(`StorageClass ${scene.own("late")} (gone.example.org)`);
  stop.abort();
  expect(await running).toBe(0);
});

it("ends with 3 when something is not well", async () => {
  await using scene = await newScene();
  await scene.storageClass("gone.example.org");
  const { exitCode, out } = await stowage(["status", "-o", "json"]);
  expect(JSON.parse(out)).toMatchObject({ state: "well", children: expect.any(Array) });
  expect(exitCode).toBe(3);
});
