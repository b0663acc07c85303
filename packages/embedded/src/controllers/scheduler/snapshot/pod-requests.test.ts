import type { Container } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { pod } from "../fixtures/scheduler-objects.ts";
import { requestsOf } from "./pod-requests.ts";

const container = (name: string, requests: Record<string, string>, restartPolicy?: "Always"): Container => ({
  name,
  resources: { requests },
  ...(restartPolicy && { restartPolicy }),
});
const cpu = (amount: string, restartPolicy?: "Always") => container(`c${amount}`, { cpu: amount }, restartPolicy);

describe("a Pod asks for", () => {
  test.each([
    ["all that its containers want", { containers: [cpu("1"), cpu("500m")] }, 1500n],
    ["what an init container wants when that is more", { initContainers: [cpu("2")], containers: [cpu("1")] }, 2000n],
    ["no more for two init containers", { initContainers: [cpu("2"), cpu("2")], containers: [cpu("1")] }, 2000n],
    ["sidecars beside its containers", { initContainers: [cpu("1", "Always")], containers: [cpu("1")] }, 2000n],
    [
      "sidecars beside the init containers after them",
      { initContainers: [cpu("1", "Always"), cpu("3")], containers: [cpu("1")] },
      4000n,
    ],
    [
      "no sidecars beside the init containers before them",
      { initContainers: [cpu("3"), cpu("1", "Always")], containers: [cpu("1")] },
      3000n,
    ],
    ["what running it costs", { containers: [cpu("1")], overhead: { cpu: "250m" } }, 1250n],
    ["what is said for the whole of it", { containers: [cpu("1")], resources: { requests: { cpu: "3" } } }, 3000n],
  ])("%s", (_, spec, millis) => {
    expect(requestsOf(pod("a", spec)).requested.get("cpu")).toBe(millis);
  });

  test("as much as it has been given while it is not smaller yet", () => {
    const containerStatuses = [
      { name: "c1", image: "", imageID: "", ready: true, restartCount: 0, allocatedResources: { cpu: "2" } },
    ];
    const shrinking = pod("a", { containers: [cpu("1")], status: { containerStatuses } });
    expect(requestsOf(shrinking).requested.get("cpu")).toBe(2000n);
    const growing = pod("b", { containers: [container("c1", { cpu: "9" })], status: { containerStatuses } });
    expect(requestsOf(growing).requested.get("cpu")).toBe(9000n);
    const conditions = [{ type: "PodResizePending", status: "True" as const, reason: "Infeasible" }];
    const inVain = { ...growing, status: { containerStatuses, conditions } };
    expect(requestsOf(inVain).requested.get("cpu")).toBe(2000n);
  });

  test("something for each container that does not say, when nodes are compared", () => {
    const { requested, assumed } = requestsOf(pod("a", { containers: [container("x", {}), cpu("1")] }));
    expect(requested.get("memory")).toBeUndefined();
    expect(assumed.get("cpu")).toBe(1100n);
    expect(assumed.get("memory")).toBe(400n * 1024n * 1024n);
  });
});
