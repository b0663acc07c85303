import type { KubernetesObject } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { ResourceRegistry } from "../../resources/index.ts";
import { Ages } from "../ages.ts";
import { builtInPrinter } from "./index.ts";

const ages = new Ages(Date.parse("2026-01-01T00:01:00Z"));
const metadata = { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" };

/** The cells after the name, as text. */
function shown(kind: string, group: string, fields: object): string {
  const object = { metadata, ...fields } as unknown as KubernetesObject;
  return (builtInPrinter(kind, group)?.cells(object, ages) ?? []).slice(1).join("|");
}

describe("built-in kinds", () => {
  it("are shown by their columns even as bookmarks, which have nothing but a version", () => {
    for (const { kind, group } of new ResourceRegistry().list()) {
      const printer = builtInPrinter(kind, group);
      const cells = printer?.cells({ metadata: {} } as unknown as KubernetesObject, ages);
      // An address has an age, and no column for it.
      const extra = kind === "IPAddress" ? 1 : 0;
      expect(cells?.length, kind).toBe(printer && printer.columns.length + extra);
    }
  });

  it.each<[string, string, object, string]>([
    [
      "PersistentVolume",
      "",
      {
        spec: {
          capacity: { storage: "1024Mi" },
          accessModes: ["ReadWriteMany", "ReadWriteOnce"],
          claimRef: { namespace: "n", name: "c" },
          storageClassName: "fast",
        },
        status: { phase: "Bound" },
      },
      "1Gi|RWO,RWX||Bound|n/c|fast|<unset>||60s|<unset>",
    ],
    [
      "PersistentVolumeClaim",
      "",
      { spec: { storageClassName: "fast", resources: { requests: { storage: "1Gi" } } }, status: { phase: "Pending" } },
      "Pending||||fast|<unset>|60s|<unset>",
    ],
    [
      "PersistentVolumeClaim",
      "",
      {
        spec: { volumeName: "v" },
        status: { phase: "Bound", capacity: { storage: "2Gi" }, accessModes: ["ReadWriteOnce"] },
      },
      "Bound|v|2Gi|RWO||<unset>|60s|<unset>",
    ],
    ["StorageClass", "storage.k8s.io", { provisioner: "d.test" }, "d.test|Delete|Immediate|false|60s"],
    ["CSIDriver", "storage.k8s.io", { spec: {} }, "true|false|false|<unset>|false|<none>|60s"],
    [
      "VolumeAttachment",
      "storage.k8s.io",
      {
        spec: { attacher: "d.test", nodeName: "n", source: { persistentVolumeName: "v" } },
        status: { attached: true },
      },
      "d.test|v|n|true|60s",
    ],
    [
      "Deployment",
      "apps",
      { spec: { replicas: 3, selector: { matchLabels: { a: "1" } } }, status: { readyReplicas: 2 } },
      "2/3|0|0|60s|||a=1",
    ],
    [
      "Job",
      "batch",
      { spec: { parallelism: 3 }, status: { startTime: "2025-12-31T23:00:00Z" } },
      "Running|0/1 of 3|61m|60s|||<none>",
    ],
    [
      "Event",
      "",
      { involvedObject: { kind: "Pod", name: "p" }, eventTime: null, message: " m " },
      "||pod/p|||m|<unknown>|1|a",
    ],
    [
      "Endpoints",
      "",
      { subsets: [{ addresses: ["1", "2", "3", "fd00::1"].map((ip) => ({ ip })), ports: [{ port: 80 }] }] },
      "1:80,2:80,3:80 + 1 more...|60s",
    ],
  ])("show what users know: %s", (kind, group, fields, cells) => {
    expect(shown(kind, group, fields)).toBe(cells);
  });

  it("mark the default class", () => {
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    const object = { metadata: { ...metadata, annotations } } as unknown as KubernetesObject;
    expect(builtInPrinter("StorageClass", "storage.k8s.io")?.cells(object, ages)[0]).toBe("a (default)");
  });
});
