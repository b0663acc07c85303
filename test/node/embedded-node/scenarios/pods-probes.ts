import { imageReferences } from "@stowage/lab";
import { type Container, type Probe, pods } from "@stowage/machinery";
import {
  container,
  createPod,
  deaf,
  kept,
  removeKept,
  runOnce,
  serving,
  untilContainer,
  untilReady,
  untilTold,
} from "../pod-objects.ts";
import type { Scenario } from "../scenario.ts";

const compares = [pods];
const events = ["Pod"];
const volumes = [{ name: "scratch", emptyDir: {} }];
const volumeMounts = [{ name: "scratch", mountPath: "/scratch" }];
/** A busy machine is slow to answer, and that is not what is asked. */
const patient = { periodSeconds: 1, timeoutSeconds: 10 };
/** The server listens by then. */
const late = { ...patient, initialDelaySeconds: 5 };
const exec = (script: string, more: Partial<Probe> = {}): Probe => ({
  exec: { command: ["sh", "-c", script] },
  ...patient,
  ...more,
});
/** busybox is on both, and serves files. */
const web = (port: number, more: Partial<Container>): Container =>
  container(`mkdir -p /www; echo hello > /www/there; exec busybox httpd -f -p ${port} -h /www`, {
    image: imageReferences.busybox,
    ...more,
  });

const becomesReady = (name: string, main: Container): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    await createPod(scene, { volumes, containers: [{ ...main, volumeMounts }] });
    await untilReady(scene);
  },
});

const isComplained = (name: string, main: Container): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    await createPod(scene, { volumes, containers: [{ ...main, volumeMounts }] });
    await untilTold(scene, "Unhealthy");
  },
});

export const readiness: Scenario[] = [
  becomesReady("a command says that it is ready", container(serving, { readinessProbe: exec("true") })),
  becomesReady(
    "a command says that it is ready after a while",
    container(`sleep 3; touch /scratch/ready; ${serving}`, {
      readinessProbe: exec("stat /scratch/ready", { initialDelaySeconds: 1 }),
    }),
  ),
  isComplained(
    "a command says that it is not ready",
    container(serving, { readinessProbe: exec("echo not yet; echo really >&2; exit 3") }),
  ),
  isComplained(
    "a command takes too long",
    container(serving, { readinessProbe: exec("sleep 5", { timeoutSeconds: 1, periodSeconds: 10 }) }),
  ),
  isComplained(
    "a command that is not there",
    container(serving, { readinessProbe: { exec: { command: ["/no/such/program"] }, periodSeconds: 60 } }),
  ),
  becomesReady(
    "a page is there",
    web(18_081, { readinessProbe: { httpGet: { path: "/there", port: 18_081 }, ...late } }),
  ),
  isComplained(
    "a page is not there",
    web(18_082, { readinessProbe: { httpGet: { path: "/none", port: 18_082 }, ...late } }),
  ),
  isComplained(
    "nobody listens where a page is to be",
    container(serving, { readinessProbe: { httpGet: { path: "/", port: 18_083 }, ...patient } }),
  ),
  becomesReady(
    "a port is open",
    web(18_084, {
      ports: [{ name: "web", containerPort: 18_084 }],
      readinessProbe: { tcpSocket: { port: "web" }, ...late },
    }),
  ),
  isComplained("a port is closed", container(serving, { readinessProbe: { tcpSocket: { port: 18_085 }, ...patient } })),
];

export const liveness: Scenario[] = [
  {
    name: "a container that is not alive is started anew",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      const main = container(`[ -e /scratch/ran ] && touch /scratch/again; touch /scratch/ran; ${serving}`, {
        volumeMounts,
        livenessProbe: exec("cat /scratch/again", { failureThreshold: 1 }),
      });
      await createPod(scene, { volumes, containers: [main] });
      await untilContainer(scene, ({ restartCount, ready }) => restartCount === 1 && ready);
    },
  },
  {
    name: "a container that is not alive and is not to be started anew",
    compares,
    events,
    eventCounts: false,
    run: (scene) =>
      runOnce(scene, {
        containers: [container(serving, { livenessProbe: exec("echo dead; exit 1", { failureThreshold: 2 }) })],
      }),
  },
  becomesReady(
    "nobody asks whether it is ready before it has started",
    container(`sleep 3; touch /scratch/started; ${serving}`, {
      startupProbe: exec("cat /scratch/started", { failureThreshold: 30 }),
      livenessProbe: exec("cat /scratch/started", { failureThreshold: 1 }),
      readinessProbe: exec("cat /scratch/started"),
    }),
  ),
  {
    name: "a container that does not start in time",
    compares,
    events,
    eventCounts: false,
    run: (scene) =>
      runOnce(scene, {
        containers: [container(serving, { startupProbe: exec("exit 1", { failureThreshold: 2 }) })],
      }),
  },
  {
    name: "a container waits for the sidecar to have started",
    compares,
    events,
    eventCounts: false,
    run: (scene) =>
      runOnce(scene, {
        volumes,
        initContainers: [
          container(`sleep 3; touch /scratch/started; ${serving}`, {
            name: "side",
            restartPolicy: "Always",
            volumeMounts,
            startupProbe: exec("stat /scratch/started", { failureThreshold: 30 }),
          }),
        ],
        containers: [container("stat -c %n /scratch/started > /dev/termination-log", { volumeMounts })],
      }),
  },
];

const listening = "trap 'echo told >> /dev/termination-log; exit 0' TERM; while :; do sleep 0.1; done";
const hook = (script: string) => ({ exec: { command: ["sh", "-c", script] } });

export const hooks: Scenario[] = [
  {
    name: "something is done after the start",
    compares,
    events,
    run: (scene) =>
      runOnce(scene, {
        volumes,
        containers: [
          container("until [ -e /scratch/hook ]; do sleep 0.1; done; cat /scratch/hook > /dev/termination-log", {
            volumeMounts,
            lifecycle: { postStart: hook("echo done > /scratch/hook") },
          }),
        ],
      }),
  },
  {
    name: "what is done after the start fails",
    compares,
    events,
    eventCounts: false,
    run: (scene) =>
      runOnce(scene, { containers: [container(deaf, { lifecycle: { postStart: hook("echo no; exit 4") } })] }),
  },
  {
    name: "something is done before the end",
    compares,
    events,
    async run(scene) {
      const lifecycle = { preStop: hook("echo asked >> /dev/termination-log") };
      await createPod(
        scene,
        { terminationGracePeriodSeconds: 20, containers: [container(listening, { lifecycle })] },
        kept,
      );
      await untilReady(scene);
      await removeKept(scene);
    },
  },
  {
    name: "what is done before the end fails",
    compares,
    events,
    async run(scene) {
      const lifecycle = { preStop: hook("echo no; exit 4") };
      await createPod(
        scene,
        { terminationGracePeriodSeconds: 20, containers: [container(listening, { lifecycle })] },
        kept,
      );
      await untilReady(scene);
      await removeKept(scene);
    },
  },
  {
    name: "what is done before the end takes too long",
    compares,
    events,
    async run(scene) {
      const lifecycle = { preStop: hook("sleep 30") };
      await createPod(
        scene,
        { terminationGracePeriodSeconds: 2, containers: [container(listening, { lifecycle })] },
        kept,
      );
      await untilReady(scene);
      await removeKept(scene);
    },
  },
  {
    name: "a pause before the end",
    compares,
    events,
    async run(scene) {
      const lifecycle = { preStop: { sleep: { seconds: 1 } } };
      await createPod(
        scene,
        { terminationGracePeriodSeconds: 20, containers: [container(listening, { lifecycle })] },
        kept,
      );
      await untilReady(scene);
      await removeKept(scene);
    },
  },
];
