import { findCondition, type Pod, pods } from "@stowage/machinery";
import {
  container,
  createPod,
  deaf,
  isWaitingFor,
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
const scratch = { volumes: [{ name: "scratch", emptyDir: {} }] };
const volumeMounts = [{ name: "scratch", mountPath: "/scratch" }];
/** Fails the first time that it runs in a Pod. */
const failsOnce = "[ -e /scratch/ran ] || { touch /scratch/ran; exit 4; }";

export const ends: Scenario[] = [
  {
    name: "one that succeeds",
    compares,
    events,
    run: (scene) => runOnce(scene, { containers: [container("exit 0")] }),
  },
  {
    name: "one that fails",
    compares,
    events,
    run: (scene) => runOnce(scene, { containers: [container("exit 3")] }),
  },
  {
    name: "one of two containers fails",
    compares,
    events,
    run: (scene) => runOnce(scene, { containers: [container("exit 0"), container("exit 1", { name: "other" })] }),
  },
  {
    name: "one that is killed by a signal",
    compares,
    events,
    run: (scene) =>
      runOnce(scene, { containers: [container("sh -c 'kill -9 $PPID'; sleep 10")], shareProcessNamespace: true }),
  },
  {
    name: "one that succeeds and would be started again if it failed",
    compares,
    events,
    run: (scene) => runOnce(scene, { restartPolicy: "OnFailure", containers: [container("exit 0")] }),
  },
  {
    name: "one that fails once, and is started again",
    compares,
    events,
    run: (scene) =>
      runOnce(scene, { restartPolicy: "OnFailure", containers: [container(failsOnce, { volumeMounts })], ...scratch }),
  },
  {
    name: "one that crashes again and again has to wait",
    compares: [],
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { containers: [container("exit 7")] });
      scene.show(await untilContainer(scene, isWaitingLonger));
      await untilTold(scene, "BackOff");
    },
  },
  {
    name: "one that always succeeds is started again, too",
    compares: [],
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { containers: [container("exit 0")] });
      scene.show(await untilContainer(scene, isWaitingLonger));
      await untilTold(scene, "BackOff");
    },
  },
  {
    name: "one that runs too long",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { containers: [container(serving)] });
      await untilReady(scene);
      // From here on: a busy machine may take long to start it.
      await scene.patch(pods, "user", { spec: { activeDeadlineSeconds: 1 } });
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
    },
  },
  {
    name: "one that runs",
    compares,
    events,
    async run(scene) {
      await createPod(scene, { containers: [container(serving)] });
      await untilReady(scene);
    },
  },
  {
    name: "two containers that run on",
    compares,
    events,
    async run(scene) {
      await createPod(scene, { containers: [container(serving), container(serving, { name: "other" })] });
      await untilReady(scene);
    },
  },
];

export const lastWords: Scenario[] = [
  {
    name: "last words of one that succeeds",
    compares,
    run: (scene) => runOnce(scene, { containers: [saying("echo done; echo well")] }),
  },
  {
    name: "last words in a file of its own",
    compares,
    run: (scene) =>
      runOnce(scene, { containers: [container("echo here > /last; exit 2", { terminationMessagePath: "/last" })] }),
  },
  {
    name: "the end of the log, for want of last words",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          container("echo first; echo second; exit 2", { terminationMessagePolicy: "FallbackToLogsOnError" }),
        ],
      }),
  },
  {
    name: "no log of one that succeeds",
    compares,
    run: (scene) =>
      runOnce(scene, { containers: [container("echo first", { terminationMessagePolicy: "FallbackToLogsOnError" })] }),
  },
  {
    name: "at most 4096 bytes of last words",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          container("i=0; while [ $i -lt 1000 ]; do echo line-$i; i=$((i+1)); done > /dev/termination-log; exit 1"),
        ],
      }),
  },
  {
    name: "at most 80 lines and 2048 bytes of the log",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          container("i=0; while [ $i -lt 200 ]; do echo a-line-of-the-log-with-number-$i; i=$((i+1)); done; exit 1", {
            terminationMessagePolicy: "FallbackToLogsOnError",
          }),
        ],
      }),
  },
];

/** It has ended, and what it ran in is gone, too. */
const hasNothingLeft = ({ status }: Pod) =>
  status?.phase === "Succeeded" && findCondition(status.conditions, "PodReadyToStartContainers")?.status === "False";

/** Whether the node is done with a Pod when it hears that it is deleted is chance, and with it what version it says that it has seen. */
function withoutObservation({ status = {}, ...rest }: Pod): Pod {
  const unseen = <T extends { readonly observedGeneration?: number }>(told: T) => {
    const { observedGeneration: _seen, ...others } = told;
    return others;
  };
  return { ...rest, status: { ...unseen(status), conditions: (status.conditions ?? []).map(unseen) } };
}

export const deletion: Scenario[] = [
  {
    name: "one that is deleted and ends when it is told to",
    compares,
    events,
    async run(scene) {
      await createPod(scene, { containers: [container(serving)] }, kept);
      await untilReady(scene);
      await removeKept(scene);
    },
  },
  {
    name: "one that is deleted and does not end by itself",
    compares,
    events,
    async run(scene) {
      await createPod(scene, { containers: [container(deaf)] }, kept);
      await untilReady(scene);
      await removeKept(scene);
    },
  },
  {
    name: "one that is deleted and fails",
    compares,
    events,
    async run(scene) {
      const script = "trap 'echo told > /dev/termination-log; exit 9' TERM; while :; do sleep 0.1; done";
      await createPod(scene, { containers: [container(script)], restartPolicy: "OnFailure" }, kept);
      await untilReady(scene);
      await removeKept(scene);
    },
  },
  {
    name: "one that is deleted after it has succeeded",
    compares: [],
    events,
    async run(scene) {
      await createPod(scene, { containers: [container("exit 0")], restartPolicy: "Never" }, kept);
      await scene.until(pods, "user", hasNothingLeft);
      await removeKept(scene);
      const deleted = await scene.until(pods, "user", ({ metadata }) => metadata.deletionTimestamp !== undefined);
      scene.show(withoutObservation(deleted));
    },
  },
  {
    name: "one that is deleted while its container cannot start",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "none", key: "a" } } }];
      await createPod(scene, { containers: [container(serving, { env })] });
      await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
      await scene.remove(pods, "user");
      await scene.untilGone(pods, "user");
    },
  },
];
