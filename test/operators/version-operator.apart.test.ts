import {
  clusterOperators,
  clusterRoles,
  clusterVersions,
  configMaps,
  deployments,
  namespaces,
  serviceAccounts,
} from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isWrite } from "../perf/sidecars/audit-log.ts";
import { componentFiles, definitionFiles, storageFiles, writePayload } from "./version-operator/payload-folder.ts";
import { isAt, NAMESPACE, soon, VersionBench } from "./version-operator/version-bench.ts";

let bench: VersionBench;

beforeAll(async () => {
  bench = await VersionBench.start();
}, 600_000);
afterEach(() => bench?.forget());
afterAll(() => bench?.[Symbol.asyncDispose]());

/** One that was killed is followed soon. */
const shortLease = ["lease-duration=8s", "renew-deadline=6s", "retry-period=1s"].map(
  (flag) => `--leader-election-${flag}`,
);

const progressing = () => bench.condition("Progressing");

describe("an installation", () => {
  it("applies the payload with the rights of its role alone, and is complete when its operator is", async () => {
    const name = "install";
    const folder = await bench.newFolder();
    await bench.bring(folder, "1.0.0", { ...componentFiles(name, "1.0.0"), ...definitionFiles(name) });
    const startedMs = Date.now();
    bench.run(folder);
    await expect
      .poll(progressing, soon)
      .toBe(
        `Progressing=True ClusterOperatorNotAvailable Unable to apply 1.0.0: the cluster operator ${name} is not available`,
      );
    expect(await bench.history()).toEqual(["1.0.0 Partial"]);
    expect(await bench.condition("Available")).toBe("Available=False");
    expect(await bench.condition("Failing")).toBe(
      `Failing=True ClusterOperatorNotAvailable Cluster operator ${name} is not available: nothing is said of it yet`,
    );
    const { status } = await bench.client.get(clusterOperators, { name });
    expect(status?.relatedObjects).toEqual([{ group: "", resource: "namespaces", name }]);
    expect((await bench.client.get(clusterRoles, { name })).rules).toHaveLength(1);
    expect(await bench.imageOf(name)).toBe(`registry.test/${name}:1.0.0`);
    await bench.report(name, "1.0.0");
    await expect.poll(progressing, soon).toBe(isAt("1.0.0"));
    expect(await bench.history()).toEqual(["1.0.0 Completed"]);
    expect(await bench.condition("Available")).toBe("Available=True Done applying 1.0.0");
    expect(await bench.condition("Failing")).toBe("Failing=False");
    expect(await bench.condition("Upgradeable")).toBe("no Upgradeable");
    const requests = await bench.audit.requests({ fromMs: startedMs, toMs: Date.now() });
    console.log(
      `installation: ${requests.filter(({ resource }) => resource !== "leases").length} requests for 10 objects`,
    );
    expect(requests.filter(({ status: code }) => code === 403)).toEqual([]);
  });

  it("waits for a rollout and says for which", async () => {
    const name = "rollout";
    const folder = await bench.newFolder();
    await bench.bring(folder, "1.0.0", componentFiles(name, "1.0.0", { replicas: 1 }));
    bench.run(folder);
    await expect.poll(() => bench.client.find(clusterOperators, { name }), soon).toBeDefined();
    await bench.report(name, "1.0.0");
    await expect
      .poll(progressing, soon)
      .toBe(
        `Progressing=True WorkloadNotAvailable Working towards 1.0.0: 7 of 8 done (87% complete), waiting on ${name}/${name}`,
      );
    await bench.bring(folder, "1.0.1", componentFiles(name, "1.0.1"));
    await bench.report(name, "1.0.1");
    await expect.poll(progressing, soon).toBe(isAt("1.0.1"));
    expect(await bench.history()).toEqual(["1.0.1 Completed", "1.0.0 Partial"]);
  });

  it("applies nothing of a payload of which a file cannot be read, names it, and goes on when it is mended", async () => {
    const name = "broken";
    const files = componentFiles(name, "1.0.0");
    const folder = await bench.newFolder();
    await bench.bring(folder, "1.0.0", files);
    await writePayload(folder, "1.0.0", { ...files, "0000_90_demo_broken.yaml": "kind: [Deployment" });
    bench.run(folder);
    await expect.poll(() => bench.condition("ReleaseAccepted"), soon).toContain("0000_90_demo_broken.yaml, line 1");
    expect(await bench.condition("ReleaseAccepted")).toContain(
      "ReleaseAccepted=False LoadPayload Loading payload failed",
    );
    expect(await bench.condition("Failing")).toContain("Failing=True UpdatePayloadIntegrity");
    expect(await bench.history()).toEqual([]);
    expect(await bench.client.find(namespaces, { name })).toBeUndefined();
    await writePayload(folder, "1.0.0", files);
    await expect.poll(() => bench.client.find(clusterOperators, { name }), soon).toBeDefined();
    await bench.report(name, "1.0.0");
    await expect.poll(progressing, soon).toBe(isAt("1.0.0"));
    expect(await bench.condition("ReleaseAccepted")).toBe(
      'ReleaseAccepted=True PayloadLoaded Payload loaded version="1.0.0" image=""',
    );
  });

  it("applies all of the storage operator's own payload and waits for it to roll out", async () => {
    const folder = await bench.newFolder();
    await bench.bring(folder, "0.1.0", await storageFiles());
    const fromMs = Date.now();
    bench.run(folder);
    await vi.waitFor(() => bench.report("storage", "0.1.0"), soon);
    // There is no node for its Pod.
    await expect
      .poll(progressing, soon)
      .toMatch(
        /^Progressing=True WorkloadNotAvailable Working towards 0\.1\.0: \d+ of \d+ done \(\d+% complete\), waiting on openshift-cluster-storage-operator\/cluster-storage-operator$/u,
      );
    const requests = await bench.audit.requests({ fromMs, toMs: Date.now() });
    expect(requests.filter(({ status }) => status === 403)).toEqual([]);
    const others = requests.filter(({ resource }) => resource !== "leases");
    console.log(`the storage operator's payload: ${others.length} requests; ${await progressing()}`);
  });

  it("is refused where OpenShift's own operator is, or was, and nothing is written", async () => {
    const folder = await bench.newFolder();
    await bench.bring(folder, "1.0.0", componentFiles("foreign", "1.0.0"));
    const labels = { app: "theirs" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "operator", image: "theirs" }] } };
    const theirs = { name: "cluster-version-operator", namespace: NAMESPACE };
    const spec = { replicas: 0, selector: { matchLabels: labels }, template };
    await bench.client.create(deployments, { metadata: theirs, spec });
    const fromMs = Date.now();
    const first = bench.run(folder);
    await first.ended;
    expect(first.child.exitCode).toBe(1);
    expect(first.said).toContain(
      "another version operator keeps this cluster: the Deployment cluster-version-operator",
    );
    expect(first.said).toContain("next: Do not run Stowage's version operator here");
    await bench.client.delete(deployments, theirs);
    await createForeignVersion("4.20.1");
    const second = bench.run(folder);
    await second.ended;
    expect(second.child.exitCode).toBe(1);
    expect(second.said).toContain("ClusterVersion version has a history (4.20.1) that is not ours");
    const requests = await bench.audit.requests({ fromMs, toMs: Date.now() });
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(isWrite)).toEqual([]);
  });
});

describe("an upgrade", () => {
  it("begins when there is another payload, in order, and keeps what users were to change", async () => {
    const name = "upgrade";
    const { folder } = await bench.installed(name);
    const patch = { data: { level: "high" } };
    await bench.client.patch(configMaps, { namespace: name, name: "settings" }, { type: "merge", patch });
    await bench.bring(folder, "1.1.0", componentFiles(name, "1.1.0"));
    await expect
      .poll(progressing, soon)
      .toBe(
        `Progressing=True ClusterOperatorUpdating Working towards 1.1.0: 7 of 8 done (87% complete), waiting on ${name}`,
      );
    expect(await bench.history()).toEqual(["1.1.0 Partial", "1.0.0 Completed"]);
    expect(await bench.condition("Available")).toBe("Available=True Done applying 1.0.0");
    expect(await bench.condition("Failing")).toBe("Failing=False");
    expect(await bench.condition("Upgradeable")).toContain("Upgradeable=False UpdateInProgress");
    expect(await bench.imageOf(name)).toBe(`registry.test/${name}:1.1.0`);
    await bench.report(name, "1.1.0");
    await expect.poll(progressing, soon).toBe(isAt("1.1.0"));
    expect(await bench.history()).toEqual(["1.1.0 Completed", "1.0.0 Completed"]);
    expect(await bench.condition("Upgradeable")).toBe("no Upgradeable");
    expect(await bench.configOf(name, "settings")).toEqual({ level: "high" });
    expect(await bench.configOf(name, "version")).toEqual({ version: "1.1.0" });
  });

  it("stops before an operator that is degraded, and what comes after it is not touched", async () => {
    const name = "degraded";
    const later = { "0000_80_later_00.yaml": laterConfig(name, "1.0.0") };
    const { folder } = await bench.installed(name, { files: { ...componentFiles(name, "1.0.0"), ...later } });
    await bench.report(name, "1.0.0", { Degraded: "True" });
    await expect
      .poll(() => bench.condition("Failing"), soon)
      .toBe(
        `Failing=True ClusterOperatorDegraded Cluster operator ${name} is degraded: Reported: Degraded by the test`,
      );
    expect(await progressing()).toBe(
      `Progressing=False ClusterOperatorDegraded Error while reconciling 1.0.0: the cluster operator ${name} is degraded`,
    );
    const next = { "0000_80_later_00.yaml": laterConfig(name, "1.0.1") };
    await bench.bring(folder, "1.0.1", { ...componentFiles(name, "1.0.1"), ...next });
    await expect
      .poll(progressing, soon)
      .toBe(
        "Progressing=True ClusterOperatorDegraded Working towards 1.0.1: 7 of 9 done (77% complete), " +
          `waiting up to 40 minutes on ${name}: Cluster operator ${name} is degraded: Reported: Degraded by the test`,
      );
    expect(await bench.configOf(name, "version")).toEqual({ version: "1.0.1" });
    expect(await bench.configOf(name, "later")).toEqual({ version: "1.0.0" });
    await bench.report(name, "1.0.1", { Available: "False" });
    await expect
      .poll(progressing, soon)
      .toContain(`Unable to apply 1.0.1: the cluster operator ${name} is not available`);
    await bench.report(name, "1.0.1");
    await expect.poll(progressing, soon).toBe(isAt("1.0.1"));
    expect(await bench.configOf(name, "later")).toEqual({ version: "1.0.1" });
  });

  it("to another minor version waits until everything is upgradeable, or is forced", async () => {
    const name = "blocked";
    const { folder } = await bench.installed(name);
    await bench.report(name, "1.0.0", { Upgradeable: "False" });
    await expect
      .poll(() => bench.condition("Upgradeable"), soon)
      .toBe(
        `Upgradeable=False Reported Cluster operator ${name} should not be upgraded between minor versions: ` +
          "Reported: Upgradeable by the test",
      );
    await bench.bring(folder, "1.1.0", componentFiles(name, "1.1.0"));
    await expect
      .poll(() => bench.condition("ReleaseAccepted"), soon)
      .toContain("ReleaseAccepted=False PreconditionChecks");
    expect(await bench.condition("ReleaseAccepted")).toContain(`Cluster operator ${name} should not be upgraded`);
    expect(await progressing()).toBe(isAt("1.0.0"));
    expect(await bench.imageOf(name)).toBe(`registry.test/${name}:1.0.0`);
    await bench.bring(folder, "1.0.1", componentFiles(name, "1.0.1"));
    await expect.poll(() => bench.imageOf(name), soon).toBe(`registry.test/${name}:1.0.1`);
    await bench.report(name, "1.0.1", { Upgradeable: "False" });
    await expect.poll(progressing, soon).toBe(isAt("1.0.1"));
    await bench.bring(folder, "1.1.0", componentFiles(name, "1.1.0"));
    await expect
      .poll(() => bench.condition("ReleaseAccepted"), soon)
      .toContain("ReleaseAccepted=False PreconditionChecks");
    const patch = { spec: { desiredUpdate: { version: "1.1.0", force: true } } };
    await bench.client.patch(clusterVersions, { name: "version" }, { type: "merge", patch });
    await expect.poll(() => bench.imageOf(name), soon).toBe(`registry.test/${name}:1.1.0`);
    await bench.report(name, "1.1.0");
    await expect.poll(progressing, soon).toBe(isAt("1.1.0"));
    const [last] = (await bench.version())?.status?.history ?? [];
    expect(last?.acceptedRisks).toContain("Forced through");
  });

  it("goes on in the next process when the first is killed in the middle", async () => {
    const name = "killed";
    const { folder, operator } = await bench.installed(name, { flags: shortLease });
    await bench.bring(folder, "1.1.0", componentFiles(name, "1.1.0"));
    await expect.poll(progressing, soon).toContain("waiting on killed");
    const before = (await bench.version())?.status?.history?.[0]?.startedTime;
    await operator.stop("SIGKILL");
    await bench.client.delete(configMaps, { namespace: name, name: "version" });
    bench.run(folder, ...shortLease);
    await bench.report(name, "1.1.0");
    await expect.poll(progressing, soon).toBe(isAt("1.1.0"));
    expect(await bench.configOf(name, "version")).toEqual({ version: "1.1.0" });
    expect(await bench.history()).toEqual(["1.1.0 Completed", "1.0.0 Completed"]);
    expect((await bench.version())?.status?.history?.[0]?.startedTime).toBe(before);
  });

  it("deletes what the payload marks", async () => {
    const name = "deletion";
    const { folder } = await bench.installed(name);
    const annotations = { "release.openshift.io/delete": "true" };
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: name, annotations } };
    const files = { ...componentFiles(name, "1.0.1"), "0000_20_demo_00_account.yaml": account };
    await bench.bring(folder, "1.0.1", files);
    await expect.poll(() => bench.client.find(serviceAccounts, { namespace: name, name }), soon).toBeUndefined();
    await bench.report(name, "1.0.1");
    await expect.poll(progressing, soon).toBe(isAt("1.0.1"));
  });
});

/** As OpenShift's operator leaves it. */
async function createForeignVersion(version: string): Promise<void> {
  const created = await bench.client.create(clusterVersions, {
    metadata: { name: "version" },
    spec: { clusterID: "theirs" },
  });
  const time = "2026-01-01T00:00:00Z";
  const release = { version, image: "registry.test/release" };
  const status = {
    desired: release,
    history: [{ ...release, state: "Completed" as const, startedTime: time, completionTime: time, verified: true }],
    observedGeneration: 1,
    versionHash: "",
    availableUpdates: null,
  };
  await bench.client.update(clusterVersions, { ...created, status }, { subresource: "status" });
}

function laterConfig(namespace: string, version: string) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "later", namespace }, data: { version } };
}
