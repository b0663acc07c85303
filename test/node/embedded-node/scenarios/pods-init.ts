import { type Container, pods } from "@stowage/machinery";
import {
  container,
  createPod,
  isWaitingLonger,
  kept,
  removeKept,
  runOnce,
  saying,
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
const note = (name: string): Container => container(`echo ${name} >> /scratch/notes`, { name, volumeMounts });
const sidecar = (script: string, more: Partial<Container> = {}): Container =>
  container(script, { name: "side", restartPolicy: "Always", ...more });

export const initContainers: Scenario[] = [
  {
    name: "init containers run in order, each when the one before has ended",
    compares,
    events,
    run: (scene) =>
      runOnce(scene, {
        volumes,
        initContainers: [note("one"), note("two")],
        containers: [saying("cat /scratch/notes", { volumeMounts })],
      }),
  },
  {
    name: "an init container that fails is the end of a Pod that is not to be started again",
    compares,
    events,
    run: (scene) =>
      runOnce(scene, {
        initContainers: [container("exit 5", { name: "one" }), container("exit 0", { name: "two" })],
        containers: [container("exit 0")],
      }),
  },
  {
    name: "an init container that fails again and again has to wait",
    compares: [],
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, {
        initContainers: [container("exit 5", { name: "one" })],
        containers: [container("exit 0")],
      });
      scene.show(await untilContainer(scene, isWaitingLonger, "one"));
      await untilTold(scene, "BackOff");
    },
  },
  {
    name: "while an init container runs",
    compares,
    events,
    async run(scene) {
      await createPod(scene, {
        initContainers: [container(serving, { name: "one" }), container("exit 0", { name: "two" })],
        containers: [container("exit 0")],
      });
      await untilContainer(scene, ({ state }) => state?.running !== undefined, "one");
    },
  },
];

export const sidecars: Scenario[] = [
  {
    name: "a sidecar runs beside the container",
    compares,
    events,
    async run(scene) {
      await createPod(scene, { initContainers: [sidecar(serving)], containers: [container(serving)] });
      await untilReady(scene);
    },
  },
  {
    name: "a sidecar is stopped when the container has ended",
    compares,
    events,
    async run(scene) {
      await runOnce(scene, { initContainers: [sidecar(serving)], containers: [container("exit 0")] });
    },
  },
  {
    name: "a sidecar starts between init containers, and goes on",
    compares,
    events,
    run: (scene) =>
      runOnce(scene, {
        volumes,
        initContainers: [
          note("one"),
          sidecar(`echo side >> /scratch/notes; ${serving}`, { volumeMounts }),
          container("until grep -q side /scratch/notes; do sleep 0.1; done; echo two >> /scratch/notes", {
            name: "two",
            volumeMounts,
          }),
        ],
        containers: [saying("cat /scratch/notes", { volumeMounts })],
      }),
  },
  {
    name: "sidecars are stopped after the container, the last one first",
    compares,
    events,
    async run(scene) {
      const ending = (name: string) =>
        `trap 'echo ${name} >> /scratch/notes; cat /scratch/notes > /dev/termination-log; exit 0' TERM; while :; do sleep 0.1; done`;
      await createPod(
        scene,
        {
          terminationGracePeriodSeconds: 20,
          volumes,
          initContainers: [
            sidecar(ending("first"), { name: "first", volumeMounts }),
            sidecar(ending("second"), { name: "second", volumeMounts }),
          ],
          containers: [container(ending("main"), { volumeMounts })],
        },
        kept,
      );
      await untilReady(scene);
      await removeKept(scene);
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined, "first");
    },
  },
];
