import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clusterRoleBindings,
  clusterRoles,
  events,
  formatTime,
  persistentVolumeClaims,
  silentLogger,
} from "@stowage/machinery";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExplainCluster, startExplainCluster } from "../explain/fixtures/explain-cluster.ts";
import { Scene } from "../explain/fixtures/scene.ts";
import { runProgram } from "../program.ts";
import { strictlyRead } from "../trace/fixtures/strict-markup.ts";
import { traceCommand } from "./trace.ts";

let cluster: ExplainCluster;
const folder = mkdtempSync(join(tmpdir(), "trace-"));

beforeAll(async () => {
  cluster = await startExplainCluster({ crds: ["snapshots"] });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** As a user types it. */
async function stowage(words: readonly string[], kubeconfig = cluster.kubeconfigPath) {
  let [out, err] = ["", ""];
  const terminal = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const signal = AbortSignal.timeout(60_000);
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/", signal };
  const deps = { commands: [traceCommand], terminal, contextFor: () => context };
  const exitCode = await runProgram(deps, [...words, "--kubeconfig", kubeconfig]);
  return { exitCode, out, err };
}

const newScene = async () => new Scene(cluster, await cluster.namespace());

it("gives people a line for each step, and programs the same as JSON", async () => {
  await using scene = await newScene();
  await scene.boundClaim("data", await scene.storageClass(await cluster.goodDriver()));
  const words = ["trace", "pvc", "data", "-n", scene.namespace];
  const { exitCode, out } = await stowage(words);
  expect(exitCode).toBe(0);
  expect(out).toMatch(new RegExp(`^PersistentVolumeClaim ${scene.namespace}/data is Bound\\.\nCreated \\d{4}-`, "u"));
  expect(out).toMatch(/^ +\+0s +\S+ +created PersistentVolumeClaim$/mu);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const { out: json } = await stowage([...words, "-o", "json"]);
  expect(JSON.parse(json)).toMatchObject({
    state: "Bound",
    steps: expect.arrayContaining([
      expect.objectContaining({ kind: "created", offsetMs: 0, says: "created PersistentVolumeClaim" }),
    ]),
  });
});

it("writes a page that shows markup in an event as words, for its owner alone", async () => {
  await using scene = await newScene();
  const claim = await scene.claim("data", { storageClassName: "nowhere" });
  const { namespace = "", name, uid } = claim.metadata;
  const now = formatTime(Date.now());
  const message = `<script>alert(1)</script> & "more"\u001B[2J`;
  await scene.client.create(events, {
    metadata: { namespace, name: "evil" },
    involvedObject: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid },
    reason: "Evil",
    message,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component: "<b>bold</b>" },
  });
  const file = join(folder, "page.html");
  // Is overwritten, and must not stay for everybody to read.
  writeFileSync(file, "x".repeat(100_000), { mode: 0o644 });
  const { exitCode, out } = await stowage(["trace", "pvc", "data", "-n", namespace, "-o", "html", "--file", file]);
  expect([exitCode, out]).toEqual([0, ""]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const elements = strictlyRead(readFileSync(file, "utf8"));
  expect(elements.map(({ name: tag }) => tag)).not.toContain("script");
  const cells = elements.filter(({ name: tag }) => tag === "td").map(({ text }) => text);
  expect(cells).toContain(`Evil: <script>alert(1)</script> & "more" [2J`);
  expect(cells).toContain("<b>bold</b>");
});

it("says what it was not allowed to read, and goes on with the rest", async () => {
  await using scene = await newScene();
  const name = scene.own("reader");
  const rules = [{ apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list"] }];
  await scene.client.create(clusterRoles, { metadata: { name }, rules });
  await scene.client.create(clusterRoleBindings, {
    metadata: { name },
    subjects: [{ kind: "User", name, apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  });
  await scene.claim("data", { storageClassName: "nowhere" });
  const { exitCode, out } = await stowage(["trace", "pvc", "data", "-n", scene.namespace], cluster.kubeconfigOf(name));
  expect(out).toMatch(/created PersistentVolumeClaim/u);
  expect(out).toMatch(/\nNot read:\n[^]*volumeattachments: may not be read by this user/u);
  expect(exitCode).toBe(0);
});

it("has a word for a claim that never was, for other kinds, and for a file that cannot be written", async () => {
  await using scene = await newScene();
  const nothing = await stowage(["trace", "pvc", "nothing", "-n", scene.namespace]);
  expect(nothing.err).toContain(`there is no PersistentVolumeClaim ${scene.namespace}/nothing, and no event of one`);
  expect(nothing.exitCode).toBe(1);
  const pod = await stowage(["trace", "pod", "web"]);
  expect(pod.err).toBe('stowage trace: "pod" has no time line; a claim has: stowage trace pvc NAME\n');
  expect(pod.exitCode).toBe(2);
  await scene.claim("data", { storageClassName: "nowhere" });
  const file = join(folder, "missing", "page.html");
  const words = ["trace", "persistentvolumeclaim", "data", "-n", scene.namespace, "-f", file];
  const unwritable = await stowage(words);
  expect(unwritable.err).toContain(`the time line cannot be written to ${file}`);
  expect(unwritable.exitCode).toBe(1);
  await scene.client.delete(persistentVolumeClaims, { namespace: scene.namespace, name: "data" });
});
