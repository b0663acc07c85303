import { pods } from "../builders.ts";
import type { Sequence } from "../sequence.ts";
import { type ShownObject, shown } from "../table-builders.ts";

const image = "example.test/app:1";
const long = "2020-05-01T10:00:00Z";
const later = "2021-05-01T10:00:00Z";

type Fields = Readonly<Record<string, unknown>>;

/** What is known of a container that is called so. */
const container = (name: string, state: Fields, more: Fields = {}) => ({
  name,
  image,
  imageID: "",
  ready: false,
  restartCount: 0,
  state,
  ...more,
});

const running = (name: string, more: Fields = {}) =>
  container(name, { running: { startedAt: long } }, { ready: true, started: true, ...more });
const waiting = (name: string, reason: string) => container(name, { waiting: { reason } });
const ended = (name: string, exitCode: number, more: Fields = {}) =>
  container(name, { terminated: { exitCode, ...more } });
const restarted = (count: number, finishedAt: string) => ({
  restartCount: count,
  lastState: { terminated: { exitCode: 1, finishedAt } },
});

const ready = [{ type: "Ready", status: "True" }];
const initialized = [{ type: "Initialized", status: "True" }];

const spec = (names: readonly string[], more: Fields = {}) => ({
  containers: names.map((name) => ({ name, image })),
  ...more,
});
const two = spec(["x", "y"]);
const withInit = spec(["x"], { initContainers: ["i", "j"].map((name) => ({ name, image })) });
const withSidecar = spec(["x"], {
  initContainers: [
    { name: "side", image, restartPolicy: "Always" },
    { name: "i", image },
  ],
});

const of = (what: Fields, status: Fields): ShownObject => ({ spec: what, status });

export const podTables: readonly Sequence[] = shown({
  kind: "Pod",
  apiVersion: "v1",
  path: pods,
  rows: {
    "just created": { spec: two },
    running: of(two, { phase: "Running", conditions: ready, containerStatuses: [running("x"), running("y")] }),
    "one of two ready": of(two, { phase: "Running", containerStatuses: [running("x"), waiting("y", "")] }),
    "with addresses": of(two, { phase: "Running", podIP: "10.0.0.9", podIPs: [{ ip: "10.0.0.9" }, { ip: "fd00::9" }] }),
    "on a node": { spec: { ...two, nodeName: "some-node" } },
    "nominated to a node": of(two, { nominatedNodeName: "other-node" }),
    "creating its containers": of(two, {
      phase: "Pending",
      containerStatuses: [waiting("x", "ContainerCreating"), waiting("y", "ContainerCreating")],
    }),
    "crashing in a loop": of(two, {
      phase: "Running",
      containerStatuses: [{ ...waiting("x", "CrashLoopBackOff"), ...restarted(7, long) }, running("y")],
    }),
    "restarted, the last time counts": of(two, {
      phase: "Running",
      conditions: ready,
      containerStatuses: [running("x", restarted(2, long)), running("y", restarted(3, later))],
    }),
    "restarted, nobody knows when": of(two, {
      phase: "Running",
      containerStatuses: [running("x", { restartCount: 4 }), running("y")],
    }),
    "image not found": of(two, { phase: "Pending", containerStatuses: [waiting("x", "ErrImagePull"), running("y")] }),
    succeeded: of(two, {
      phase: "Succeeded",
      containerStatuses: [ended("x", 0, { reason: "Completed" }), ended("y", 0, { reason: "Completed" })],
    }),
    failed: of(two, { phase: "Failed", containerStatuses: [ended("x", 3), ended("y", 0, { reason: "Completed" })] }),
    "failed with a reason": of(two, { phase: "Failed", reason: "Evicted", message: "too full" }),
    "killed by a signal": of(two, { phase: "Failed", containerStatuses: [ended("x", 137, { signal: 9 })] }),
    "out of memory": of(two, {
      phase: "Running",
      containerStatuses: [ended("x", 137, { reason: "OOMKilled" }), running("y")],
    }),
    "one completed, one running and ready": of(two, {
      phase: "Running",
      conditions: ready,
      containerStatuses: [ended("x", 0, { reason: "Completed" }), running("y")],
    }),
    "one completed, one running, not ready": of(two, {
      phase: "Running",
      containerStatuses: [ended("x", 0, { reason: "Completed" }), running("y")],
    }),
    "one completed, one in error": of(two, {
      phase: "Running",
      containerStatuses: [ended("x", 0, { reason: "Completed" }), ended("y", 1, { reason: "Error" })],
    }),
    "waiting for its gates": {
      spec: { ...two, schedulingGates: [{ name: "example.test/wait" }] },
      status: { conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] },
    },
    "readiness gates": {
      spec: { ...two, readinessGates: [{ conditionType: "example.test/a" }, { conditionType: "example.test/b" }] },
      status: {
        conditions: [
          { type: "example.test/a", status: "True" },
          { type: "example.test/b", status: "False" },
        ],
      },
    },
    "init containers, none begun": of(withInit, { phase: "Pending" }),
    "init container running": of(withInit, {
      phase: "Pending",
      initContainerStatuses: [running("i"), waiting("j", "PodInitializing")],
    }),
    "second init container": of(withInit, {
      phase: "Pending",
      initContainerStatuses: [ended("i", 0), waiting("j", "PodInitializing")],
    }),
    "init container crashing": of(withInit, {
      phase: "Pending",
      initContainerStatuses: [
        { ...waiting("i", "CrashLoopBackOff"), ...restarted(5, long) },
        waiting("j", "PodInitializing"),
      ],
    }),
    "init container failed": of(withInit, { phase: "Pending", initContainerStatuses: [ended("i", 2)] }),
    "init container killed": of(withInit, { phase: "Pending", initContainerStatuses: [ended("i", 1, { signal: 15 })] }),
    "init container failed with a reason": of(withInit, {
      phase: "Pending",
      initContainerStatuses: [ended("i", 1, { reason: "Error" })],
    }),
    "init done": of(withInit, {
      phase: "Running",
      conditions: [...initialized, ...ready],
      initContainerStatuses: [{ ...ended("i", 0), restartCount: 2 }, ended("j", 0)],
      containerStatuses: [running("x")],
    }),
    "said to be initialized": of(withInit, {
      phase: "Running",
      conditions: initialized,
      initContainerStatuses: [ended("i", 1, { reason: "Error" })],
      containerStatuses: [running("x")],
    }),
    "sidecar begun": of(withSidecar, {
      phase: "Pending",
      initContainerStatuses: [running("side"), waiting("i", "PodInitializing")],
    }),
    "sidecar beside the others": of(withSidecar, {
      phase: "Running",
      conditions: [...initialized, ...ready],
      initContainerStatuses: [running("side", restarted(3, long)), ended("i", 0)],
      containerStatuses: [running("x", restarted(1, later))],
    }),
    "sidecar not ready": of(withSidecar, {
      phase: "Running",
      conditions: initialized,
      initContainerStatuses: [running("side", { ready: false }), ended("i", 0)],
      containerStatuses: [running("x")],
    }),
    "sidecar not begun": of(withSidecar, {
      phase: "Pending",
      initContainerStatuses: [running("side", { started: false, ready: false }), waiting("i", "PodInitializing")],
    }),
    "reason of its own": of(two, { phase: "Running", reason: "NodeLost" }),
    "phase unknown": of(two, { phase: "Unknown" }),
  },
});

const terminating = (name: string, status: Fields): Sequence => ({
  name: `Pod, being deleted: ${name}`,
  steps: [
    {
      send: `POST ${pods}`,
      body: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", finalizers: ["example.test/wait"] },
        spec: two,
      },
    },
    { send: `PATCH ${pods}/a/status`, type: "application/merge-patch+json", body: { status } },
    { send: `DELETE ${pods}/a` },
    { send: `GET ${pods}?includeObject=None`, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  ],
});

export const podDeletionTables: readonly Sequence[] = [
  terminating("running", { phase: "Running" }),
  terminating("lost with its node", { phase: "Running", reason: "NodeLost" }),
  terminating("succeeded", { phase: "Succeeded" }),
  terminating("failed", { phase: "Failed" }),
];
