import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Container, pods, type Volume, type VolumeMount } from "@stowage/machinery";
import { container, createPod, isWaitingFor, runOnce, saying, untilContainer, untilTold } from "../pod-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [pods];
const events = ["Pod"];
const at = (mountPath: string, more: Partial<VolumeMount> = {}): VolumeMount => ({ name: "data", mountPath, ...more });
const says = (script: string, mount: VolumeMount, more: Partial<Container> = {}) =>
  saying(script, { volumeMounts: [mount], ...more });
const modes = "stat -c '%n %A %u %g %F'";

export const emptyFolders: Scenario[] = [
  {
    name: "an empty folder that all containers share",
    compares,
    run: (scene) =>
      runOnce(scene, {
        volumes: [{ name: "data", emptyDir: {} }],
        initContainers: [says(`${modes} /data; echo kept > /data/file`, at("/data"), { name: "one" })],
        containers: [says("cat /else/file; touch /else/mine", at("/else"))],
      }),
  },
  {
    name: "an empty folder in memory",
    compares,
    run: (scene) =>
      runOnce(scene, {
        volumes: [{ name: "data", emptyDir: { medium: "Memory", sizeLimit: "16Mi" } }],
        containers: [says(`${modes} /data; stat -f -c %T /data; df -k /data | sed 1d | sed 's/  */ /g'`, at("/data"))],
      }),
  },
  {
    name: "an empty folder with the Pod's group",
    compares,
    run: (scene) =>
      runOnce(scene, {
        securityContext: { fsGroup: 12004, runAsUser: 12001 },
        volumes: [{ name: "data", emptyDir: {} }],
        containers: [says(`${modes} /data; touch /data/mine; ${modes} /data/mine`, at("/data"))],
      }),
  },
  {
    name: "an empty folder in memory with the Pod's group",
    compares,
    run: (scene) =>
      runOnce(scene, {
        securityContext: { fsGroup: 12004, runAsUser: 12001 },
        volumes: [{ name: "data", emptyDir: { medium: "Memory" } }],
        containers: [says(`${modes} /data; touch /data/mine; ${modes} /data/mine`, at("/data"))],
      }),
  },
  {
    name: "an empty folder that can only be read",
    compares,
    run: (scene) =>
      runOnce(scene, {
        volumes: [{ name: "data", emptyDir: {} }],
        containers: [says("touch /data/x", at("/data", { readOnly: true }))],
      }),
  },
];

interface Host {
  readonly path: string;
  readonly type?: string;
}

/** Folders, files, a link and a socket that are there before the Pod. */
function prepare({ folder }: Scene): void {
  mkdirSync(join(folder, "folder"), { mode: 0o755 });
  writeFileSync(join(folder, "folder/inside"), "inside\n");
  writeFileSync(join(folder, "file"), "content\n");
  symlinkSync(join(folder, "folder"), join(folder, "link"));
}

const hostVolume = ({ folder }: Scene, { path, type = "" }: Host): Volume => ({
  name: "data",
  hostPath: { path: join(folder, path), type: type as "" },
});

const works = (name: string, host: Host, script: string): Scenario => ({
  name,
  compares,
  async run(scene) {
    prepare(scene);
    await runOnce(scene, { volumes: [hostVolume(scene, host)], containers: [says(script, at("/data"))] });
  },
});

const fails = (name: string, host: Host): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    prepare(scene);
    await createPod(scene, { volumes: [hostVolume(scene, host)], containers: [says("true", at("/data"))] });
    await untilTold(scene, "FailedMount");
  },
});

export const foldersOfTheMachine: Scenario[] = [
  works("a folder of the machine", { path: "folder" }, `${modes} /data; cat /data/inside; touch /data/new`),
  works("a folder of the machine, as such", { path: "folder", type: "Directory" }, "cat /data/inside"),
  works("a folder of the machine by a link", { path: "link", type: "Directory" }, "cat /data/inside"),
  works("a folder of the machine that is made", { path: "new/er", type: "DirectoryOrCreate" }, `${modes} /data`),
  works("a folder of the machine that is made without being asked for", { path: "unasked" }, `${modes} /data`),
  works("a file of the machine", { path: "file", type: "File" }, `cat /data; ${modes} /data`),
  works("a file of the machine that is made", { path: "newfile", type: "FileOrCreate" }, `${modes} /data`),
  fails("a folder that is not there", { path: "none", type: "Directory" }),
  fails("a folder that is a file", { path: "file", type: "Directory" }),
  fails("a folder to be made where a file is", { path: "file", type: "DirectoryOrCreate" }),
  fails("a file that is a folder", { path: "folder", type: "File" }),
  fails("a file to be made where there is no folder", { path: "none/file", type: "FileOrCreate" }),
  fails("a socket that is not one", { path: "file", type: "Socket" }),
  fails("a device that is not one", { path: "file", type: "BlockDevice" }),
  {
    name: "a socket of the machine",
    compares,
    async run(scene) {
      const server = createServer().listen(join(scene.folder, "socket"));
      try {
        const volumes = [hostVolume(scene, { path: "socket", type: "Socket" })];
        await runOnce(scene, { volumes, containers: [says("stat -c %F /data", at("/data"))] });
      } finally {
        server.close();
      }
    },
  },
];

const withPart = (name: string, mount: Partial<VolumeMount>, script: string): Scenario => ({
  name,
  compares,
  async run(scene) {
    prepare(scene);
    await runOnce(scene, {
      volumes: [{ name: "data", hostPath: { path: scene.folder } }],
      containers: [says(script, at("/data", mount), { env: [{ name: "WHERE", value: "fol" }] })],
    });
  },
});

const refusedPart = (name: string, mount: Partial<VolumeMount>): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    prepare(scene);
    symlinkSync("/", join(scene.folder, "out"));
    await createPod(scene, {
      volumes: [{ name: "data", hostPath: { path: scene.folder } }],
      containers: [says("true", at("/data", mount))],
    });
    await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
  },
});

export const parts: Scenario[] = [
  withPart("a part of a volume", { subPath: "folder" }, "cat /data/inside"),
  withPart("a file of a volume", { subPath: "file" }, "cat /data"),
  withPart("a part of a volume that is made", { subPath: "made/deep" }, modes.concat(" /data")),
  withPart("a part of a volume by a link within it", { subPath: "link" }, "cat /data/inside"),
  withPart("a part of a volume by a variable", { subPathExpr: "$(WHERE)der" }, "cat /data/inside"),
  withPart("a part of a volume that can only be read", { subPath: "folder", readOnly: true }, "touch /data/x"),
  refusedPart("a link that leads out of the volume", { subPath: "out" }),
  refusedPart("a link that leads out of the volume, and on", { subPath: "out/etc" }),
  refusedPart("a part by a variable that is not there", { subPathExpr: "$(NONE)" }),
  {
    name: "parts of an empty folder with the Pod's group",
    compares,
    run: (scene) =>
      runOnce(scene, {
        securityContext: { fsGroup: 12004 },
        volumes: [{ name: "data", emptyDir: {} }],
        initContainers: [
          container("echo one > /data/file", { name: "one", volumeMounts: [at("/data", { subPath: "a" })] }),
        ],
        containers: [
          saying(`cat /a/file; ${modes} /a /b`, {
            volumeMounts: [at("/a", { subPath: "a" }), at("/b", { subPath: "b/c" })],
          }),
        ],
      }),
  },
];
