import type { Pod } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { at, pod, readyStatus } from "../fixtures/workload-objects.ts";
import { deletionOrder } from "./deletion-order.ts";

const NOW_MS = 1_000_000;
const on = (nodeName: string) => ({ spec: { nodeName, containers: [] } });
const restarted = (restartCount: number): Partial<Pod> => ({
  status: { ...readyStatus(0), containerStatuses: [{ name: "c", image: "", imageID: "", ready: true, restartCount }] },
});
const cost = (value: string) => ({ annotations: { "controller.kubernetes.io/pod-deletion-cost": value } });

describe("of two Pods goes first", () => {
  test.each([
    ["the one on no node", pod("a"), pod("b", {}, on("n"))],
    [
      "the one that is pending",
      pod("a", {}, { status: { phase: "Pending" } }),
      pod("b", {}, { status: { phase: "Running" } }),
    ],
    [
      "the one that is not ready",
      pod("a", {}, { status: { phase: "Running" } }),
      pod("b", {}, { status: readyStatus(0) }),
    ],
    ["the cheaper one", pod("a", cost("-5")), pod("b", cost("5"))],
    ["the one that costs nothing, since its cost is no number", pod("a", cost("1.5")), pod("b", cost("1"))],
    [
      "the one that has been ready for less",
      pod("a", {}, { status: readyStatus(990) }),
      pod("b", {}, { status: readyStatus(1) }),
    ],
    ["the one that was restarted more often", pod("a", {}, restarted(3)), pod("b", {}, restarted(1))],
    ["the younger one", pod("a", { creationTimestamp: at(990) }), pod("b", { creationTimestamp: at(1) })],
    [
      "of about the same age, the one with the smaller uid",
      pod("a", { creationTimestamp: at(2) }),
      pod("b", { creationTimestamp: at(1) }),
    ],
  ])("%s", (_, first, second) => {
    const names = (pods: Pod[]) => pods.map(({ metadata }) => metadata.name);
    expect(names(deletionOrder([second, first], [], NOW_MS))).toEqual(["a", "b"]);
    expect(names(deletionOrder([first, second], [], NOW_MS))).toEqual(["a", "b"]);
  });

  test("the one on the node that has most of them", () => {
    const alone = pod("b", {}, on("two"));
    const crowded = pod("a", {}, on("one"));
    const related = [alone, crowded, pod("c", {}, on("one"))];
    expect(deletionOrder([alone, crowded], related, NOW_MS)[0]).toBe(crowded);
  });
});
