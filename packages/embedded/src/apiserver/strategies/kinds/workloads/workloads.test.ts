import { describe, expect, it } from "vitest";
import { WriteScene } from "../../../verbs/writes/write-scene.ts";

const apps = "/apis/apps/v1/namespaces/default";
const jobs = "/apis/batch/v1/namespaces/default/jobs";

const template = (spec = {}) => ({
  metadata: { labels: { app: "w" } },
  spec: { containers: [{ name: "main", image: "example.test/app:1" }], ...spec },
});
const workload = (spec = {}) => ({
  metadata: { name: "w" },
  spec: { selector: { matchLabels: { app: "w" } }, template: template(), ...spec },
});

describe("a Deployment", () => {
  it("gets what its client has left out", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(`POST ${apps}/deployments`, workload());
    expect(object.spec).toMatchObject({
      replicas: 1,
      progressDeadlineSeconds: 600,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      template: { spec: { restartPolicy: "Always" } },
    });
  });

  it("keeps its selector", async () => {
    using scene = await WriteScene.withNamespace();
    await scene.send(`POST ${apps}/deployments`, workload());
    const { code, object } = await scene.patch(`${apps}/deployments/w`, {
      spec: { selector: { matchLabels: { a: "b" } } },
    });
    expect(code).toBe(422);
    expect(object.message).toContain(
      'spec.selector: Invalid value: {"matchLabels":{"a":"b","app":"w"}}: field is immutable',
    );
  });
});

describe("a DaemonSet", () => {
  it("counts the changes of its template", async () => {
    using scene = await WriteScene.withNamespace();
    const generations: unknown[] = [];
    const answers = [
      await scene.send(`POST ${apps}/daemonsets`, workload()),
      await scene.patch(`${apps}/daemonsets/w`, { spec: { minReadySeconds: 5 } }),
      await scene.patch(`${apps}/daemonsets/w`, { spec: { template: { metadata: { annotations: { a: "b" } } } } }),
    ];
    for (const { object } of answers) {
      generations.push(object.metadata.annotations["deprecated.daemonset.template.generation"]);
    }
    expect(generations).toEqual(["1", "1", "2"]);
  });
});

describe("a StatefulSet", () => {
  it("keeps most of its spec", async () => {
    using scene = await WriteScene.withNamespace();
    await scene.send(`POST ${apps}/statefulsets`, workload());
    const { object } = await scene.patch(`${apps}/statefulsets/w`, { spec: { serviceName: "other", replicas: 3 } });
    expect(object.message).toContain("updates to statefulset spec for fields other than 'replicas'");
  });
});

describe("a Job", () => {
  const job = (spec = {}, labels = {}) => ({
    metadata: { name: "j", labels },
    spec: { template: template({ restartPolicy: "Never" }), ...spec },
  });

  it("selects its Pods by its uid, and labels itself as them when it has no labels", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(`POST ${jobs}`, job());
    const { uid } = object.metadata;
    expect(object.spec.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": uid } });
    expect(object.metadata.labels).toEqual(object.spec.template.metadata.labels);
    expect(object.metadata.labels).toMatchObject({ app: "w", "job-name": "j", "controller-uid": uid });
  });

  it("keeps labels of its own, though they are those of its Pods", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(`POST ${jobs}`, job({}, { app: "w" }));
    expect(object.metadata.labels).toEqual({ app: "w" });
  });

  it("may get another place while it waits, and none when it runs", async () => {
    using scene = await WriteScene.withNamespace();
    const place = { spec: { template: { spec: { nodeSelector: { a: "b" } } } } };
    await scene.send(`POST ${jobs}`, job({ suspend: true }));
    expect((await scene.patch(`${jobs}/j`, place)).code).toBe(200);
    await scene.patch(`${jobs}/j`, { spec: { suspend: false } });
    const { object } = await scene.patch(`${jobs}/j`, { spec: { template: { spec: { nodeSelector: { a: "c" } } } } });
    expect(object.message).toContain("field is immutable");
  });

  it("warns whoever deletes it and leaves its Pods", async () => {
    using scene = await WriteScene.withNamespace();
    await scene.send(`POST ${jobs}`, job());
    const { warnings } = await scene.send(`DELETE ${jobs}/j`);
    expect(warnings).toEqual([expect.stringContaining("child pods are preserved by default")]);
  });
});
