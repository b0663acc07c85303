import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigMap, Container, Pod, Volume } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostPathVolume } from "./host-path.ts";
import { memoryVolumeBytes } from "./memory-size.ts";
import { nestedMountPoints } from "./nested-mounts.ts";
import { type FileSources, volumeFiles } from "./projected-files.ts";
import { referredObjects } from "./referred-objects.ts";

const pod = (...containers: Partial<Container>[]): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u", labels: { a: "1" } },
  spec: { containers: containers.map((each, index) => ({ name: `c${index}`, ...each })) },
});

describe("places in a volume that others are mounted at", () => {
  const mounts = (...paths: [string, string][]) => ({
    volumeMounts: paths.map(([name, mountPath]) => ({ name, mountPath })),
  });

  it.each([
    [
      [
        ["own", "/a"],
        ["other", "/a/b"],
      ],
      ["b"],
    ],
    [
      [
        ["own", "/a"],
        ["other", "/a/b/"],
        ["third", "/a/b/c"],
      ],
      ["b"],
    ],
    [
      [
        ["own", "/a"],
        ["other", "/ab"],
      ],
      [],
    ],
    [
      [
        ["own", "/"],
        ["other", "/x/y"],
      ],
      ["x/y"],
    ],
    [
      [
        ["other", "/a"],
        ["own", "/a/b"],
      ],
      [],
    ],
  ] as [[string, string][], string[]][])("of mounts %j are %j", (paths, places) => {
    expect(nestedMountPoints(pod(mounts(...paths)), "own")).toEqual(places);
  });

  it("are those of all containers", () => {
    const all = pod(mounts(["own", "/a"], ["x", "/a/1"]), mounts(["own", "/b"], ["x", "/b/2"]));
    expect(nestedMountPoints(all, "own")).toEqual(["1", "2"]);
  });
});

describe("the size of a volume in memory", () => {
  const limited = (memory: string) => ({ resources: { limits: { memory } } });

  it.each([
    [pod({}), undefined, "1Gi", 1n << 30n],
    [pod({}), "1Mi", "1Gi", 1n << 20n],
    [pod({}), "2Gi", "1Gi", 1n << 30n],
    [pod(limited("1Mi"), limited("1Mi")), "4Mi", "1Gi", 2n << 20n],
    [pod(limited("1Mi"), {}), "4Mi", "1Gi", 4n << 20n],
    [pod({}), undefined, undefined, undefined],
  ])("of %# is the least of what limits it", (of, sizeLimit, memory, bytes) => {
    expect(memoryVolumeBytes(of, sizeLimit, memory)).toBe(bytes);
  });
});

describe("what files are made of", () => {
  it("is found in all parts of a volume", () => {
    const sources = [{ configMap: { name: "a" } }, { secret: { name: "s" } }, { downwardAPI: {} }];
    expect(referredObjects({ name: "v", projected: { sources: [...sources, { configMap: { name: "a" } }] } })).toEqual({
      configMaps: ["a"],
      secrets: ["s"],
      isOfPod: true,
    });
    expect(referredObjects({ name: "v", secret: { secretName: "t" } })).toEqual({
      configMaps: [],
      secrets: ["t"],
      isOfPod: false,
    });
  });

  const sources: FileSources = {
    configMap: async (name) => (name === "there" ? ({ data: { k: "v" } } as unknown as ConfigMap) : undefined),
    secret: async () => undefined,
    token: async () => "token",
    allocatable: {},
  };
  const files = (volume: Omit<Volume, "name">, of = pod()) => volumeFiles(sources, of, { name: "v", ...volume });

  it("is told all at once when it is missing", async () => {
    const parts = [{ configMap: { name: "c" } }, { secret: { name: "s" } }, { configMap: { name: "there" } }];
    await expect(files({ projected: { sources: parts } })).rejects.toThrow(
      expect.objectContaining({ message: '[configmap "c" not found, secret "s" not found]' }),
    );
    await expect(files({ projected: { sources: parts.slice(1) } })).rejects.toThrow(
      expect.objectContaining({ message: 'secret "s" not found' }),
    );
    const items = [{ path: "x", fieldRef: { fieldPath: "spec.x" } }];
    await expect(files({ downwardAPI: { items } })).rejects.toThrow("unsupported fieldPath: spec.x");
  });

  it("has the modes that it says, and tokens are only for the group where there is one", async () => {
    const parts = [
      { configMap: { name: "there", items: [{ key: "k", path: "k", mode: 0o400 }] } },
      { serviceAccountToken: { path: "t" } },
      { downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
    ];
    const modes = async (of: Pod) =>
      [...((await files({ projected: { defaultMode: 0o444, sources: parts } }, of)) ?? [])].map(([path, { mode }]) => [
        path,
        mode,
      ]);
    expect(await modes(pod())).toEqual([
      ["k", 0o400],
      ["t", 0o444],
      ["l", 0o444],
    ]);
    const grouped = { ...pod(), spec: { containers: [], securityContext: { fsGroup: 7 } } };
    expect(await modes(grouped)).toContainEqual(["t", 0o600]);
    const user = (runAsUser: number) => ({ securityContext: { runAsUser } });
    expect(await modes(pod(user(7), user(7)))).toContainEqual(["t", 0o600]);
    expect(await modes(pod(user(7), user(8)))).toContainEqual(["t", 0o444]);
    expect(await modes(pod(user(7), {}))).toContainEqual(["t", 0o444]);
  });
});

describe("a path of the machine", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "host-path-"));
    writeFileSync(join(folder, "file"), "kept");
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (name: string, type?: string) =>
    hostPathVolume({ path: join(folder, name), ...(type !== undefined && { type: type as never }) });

  it("is taken as it is, or made", () => {
    expect(at("file")).toMatchObject({ kind: "file" });
    expect(at("new")).toMatchObject({ kind: "folder" });
    expect(at("made/deep", "DirectoryOrCreate")).toMatchObject({ kind: "folder" });
    expect(at("made/file", "FileOrCreate")).toMatchObject({ kind: "file" });
    expect(statSync(join(folder, "made/file")).size).toBe(0);
    symlinkSync(folder, join(folder, "link"));
    expect(at("link", "Directory")).toMatchObject({ kind: "folder" });
    expect(hostPathVolume({ path: "/named", type: "File" }, join(folder, "file")).path).toBe(join(folder, "file"));
  });

  it.each([
    ["none", "Directory", "a directory"],
    ["file", "Directory", "a directory"],
    ["file", "DirectoryOrCreate", "a directory"],
    [".", "File", "a file"],
    [".", "FileOrCreate", "a file"],
    ["none", "File", "a file"],
    ["file", "Socket", "a socket file"],
    ["none", "Socket", "a socket file"],
    ["file", "CharDevice", "a character device"],
    ["file", "BlockDevice", "a block device"],
  ])("%s is refused as a %s", (name, type, told) => {
    const message = `hostPath type check failed: ${join(folder, name)} is not ${told}`;
    expect(() => at(name, type)).toThrow(expect.objectContaining({ message }));
  });

  it("is refused when it has a way up, or a type that nobody knows", () => {
    expect(() => hostPathVolume({ path: "/a/../b" })).toThrow("invalid HostPath `/a/../b`: must not contain '..'");
    expect(() => at("file", "Door")).toThrow("Door is an invalid volume type");
  });
});
