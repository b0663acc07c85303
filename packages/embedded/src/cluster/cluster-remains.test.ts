import { expect, it } from "vitest";
import { stopOrder } from "./cluster-remains.ts";

const container = (podNamespace: string, podName: string) => ({
  labels: { podNamespace, podName, podUid: "u", containerName: "main", attempt: 0 },
});

it("ends those who use storage before those who provide it, and drivers last", () => {
  const driver = container("openshift-cluster-csi-drivers", "driver");
  const operator = container("openshift-cluster-storage-operator", "operator");
  const [web, writer] = [container("shop", "web"), container("demo", "writer")];
  expect(stopOrder([driver, web, operator, writer])).toEqual([[web, writer], [operator], [driver]]);
  expect(stopOrder([driver])).toEqual([[driver]]);
});
