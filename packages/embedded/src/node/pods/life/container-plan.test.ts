import type { Container, Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { type ContainerPlan, desiredContainer } from "./container-plan.ts";

const image = { command: ["server"], args: ["--usual"], env: { FROM: "image", HOME: "/root" } };

function plan(own: Partial<Container> = {}, spec: Partial<NonNullable<Pod["spec"]>> = {}): ContainerPlan {
  const container: Container = { name: "main", ...own };
  const metadata = { name: "web-0", namespace: "shop", uid: "u" };
  return {
    pod: { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [container], ...spec } },
    container,
    attempt: 2,
    id: "c",
    image,
    env: { FROM: "pod", WHO: "me" },
    volumes: new Map([
      ["data", { kind: "folder", path: "/volumes/data", isReadOnly: false }],
      ["fixed", { kind: "folder", path: "/volumes/fixed", isReadOnly: true }],
      ["raw", { kind: "device", path: "/dev/loop7" }],
    ]),
    subPaths: new Map([[1, "/pod/volume-subpaths/data/main/1"]]),
    podFiles: [{ hostPath: "/pod/hosts", containerPath: "/etc/hosts" }],
    homeOf: (uid) => `/home/${uid}`,
    terminationLogPath: "/pod/last-words",
  };
}

const spec = (...args: Parameters<typeof plan>) => desiredContainer(plan(...args));

describe("what a container is started with", () => {
  it("is its Pod's name, its labels, and variables of the Pod before those of the image", () => {
    expect(spec()).toMatchObject({
      labels: { podUid: "u", podName: "web-0", podNamespace: "shop", containerName: "main", attempt: 2, image: "" },
      env: { FROM: "pod", WHO: "me", HOME: "/root", HOSTNAME: "web-0" },
      hostname: "web-0",
      workingDir: "/",
    });
    expect(spec({}, { hostNetwork: true })).not.toHaveProperty("hostname");
    expect(spec({}, { hostname: "other" }).hostname).toBe("other");
  });

  it("has a terminal where it is to have one, on which others may type if it reads", () => {
    expect(spec({ stdin: true })).not.toHaveProperty("terminal");
    expect(spec({ tty: true }).terminal).toEqual({ takesInput: false });
    expect(spec({ tty: true, stdin: true }).terminal).toEqual({ takesInput: true });
  });

  it.each([
    [{}, ["server", "--usual"]],
    [{ args: ["--own"] }, ["server", "--own"]],
    [{ command: ["tool"] }, ["tool"]],
    [{ command: ["tool"], args: ["$(WHO)", "$$(WHO)"] }, ["tool", "me", "$(WHO)"]],
  ])("of %j is the command %j", (own, command) => {
    expect(spec(own).command).toEqual(command);
  });

  it("is what its image runs instead, where that stands in for another, without the mounts that it has no use for", () => {
    const standIn = {
      ...image,
      instead: ["other", "$(WHO)"],
      ignoredMounts: ["/sys/bus"],
      files: [{ hostPath: "/cloud", containerPath: "/kept", isWritable: true }],
    };
    const volumeMounts = [
      { name: "data", mountPath: "/sys/bus/scsi" },
      { name: "fixed", mountPath: "/sys/business" },
    ];
    const container = plan({ command: ["tool"], args: ["--own"], volumeMounts });
    const { command, mounts } = desiredContainer({ ...container, image: standIn, subPaths: new Map() });
    expect(command).toEqual(["other", "me"]);
    expect(mounts).toContainEqual({
      hostPath: "/cloud",
      containerPath: "/kept",
      isReadOnly: false,
      propagation: "None",
    });
    const paths = mounts.map(({ containerPath }) => containerPath);
    expect(paths).toContain("/sys/business");
    expect(paths).not.toContain("/sys/bus/scsi");
  });

  it("has its volumes where they are to be, and the files of its Pod", () => {
    const volumeMounts = [
      { name: "data", mountPath: "data", mountPropagation: "Bidirectional" as const },
      { name: "data", mountPath: "/mine", subPath: "a/b", readOnly: true, recursiveReadOnly: "IfPossible" as const },
      { name: "fixed", mountPath: "/etc/hosts" },
    ];
    expect(spec({ volumeMounts }).mounts).toEqual([
      { hostPath: "/volumes/data", containerPath: "/data", isReadOnly: false, propagation: "Bidirectional" },
      {
        hostPath: "/pod/volume-subpaths/data/main/1",
        containerPath: "/mine",
        isReadOnly: true,
        isRecursivelyReadOnly: true,
        propagation: "None",
      },
      { hostPath: "/volumes/fixed", containerPath: "/etc/hosts", isReadOnly: true, propagation: "None" },
      { hostPath: "/pod/last-words", containerPath: "/dev/termination-log", isReadOnly: false, propagation: "None" },
    ]);
    expect(spec({ volumeDevices: [{ name: "raw", devicePath: "/dev/xvda" }] }).devices).toEqual([
      { hostPath: "/dev/loop7", containerPath: "/dev/xvda" },
    ]);
  });

  it("has volumes in volumes, in whatever order they are named", () => {
    const at = (mountPath: string) => ({ name: "data", mountPath });
    const { mounts } = spec({ volumeMounts: [at("/a/b/c"), at("/x"), at("/a/b/"), at("/a")] });
    expect(mounts.slice(0, 4).map(({ containerPath }) => containerPath)).toEqual(["/x", "/a", "/a/b/", "/a/b/c"]);
  });

  it.each([
    [{ volumeMounts: [{ name: "none", mountPath: "/x" }] }, 'cannot find volume "none" to mount into container "main"'],
    [{ volumeMounts: [{ name: "raw", mountPath: "/x" }] }, 'cannot find volume "raw" to mount into container "main"'],
    [
      { volumeMounts: [{ name: "data", mountPath: "/x", recursiveReadOnly: "Enabled" as const }] },
      'volume "data" requested recursive read-only mode, but it is not read-only',
    ],
    [{ volumeDevices: [{ name: "data", devicePath: "/dev/x" }] }, 'volume "data" is no block device'],
    [{ securityContext: { runAsNonRoot: true } }, "container has runAsNonRoot and image will run as root"],
    [{ securityContext: { runAsNonRoot: true, runAsUser: 0 } }, "container's runAsUser breaks non-root policy"],
  ])("cannot be %j", (own, message) => {
    expect(() => spec(own)).toThrow(
      expect.objectContaining({ code: "CONTAINER_CONFIG", message: expect.stringContaining(message) }),
    );
  });

  it("is who it says, or else who its Pod says, with the Pod's groups", () => {
    const securityContext = { runAsUser: 1, runAsGroup: 2, fsGroup: 3, supplementalGroups: [3, 4], runAsNonRoot: true };
    expect(spec({}, { securityContext }).user).toEqual({ uid: 1, gid: 2, supplementalGroups: [3, 4] });
    expect(spec({ securityContext: { runAsUser: 9, runAsGroup: 8 } }, { securityContext }).user).toMatchObject({
      uid: 9,
      gid: 8,
    });
    expect(spec().user).toEqual({ uid: 0, gid: 0, supplementalGroups: [] });
  });

  it("may do what it says that it may", () => {
    const securityContext = {
      privileged: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { add: ["NET_ADMIN"], drop: ["ALL"] },
    };
    expect(spec({ securityContext }, { hostPID: true })).toMatchObject({
      isPrivileged: true,
      hasReadOnlyRoot: true,
      mayGainPrivileges: false,
      addedCapabilities: ["NET_ADMIN"],
      droppedCapabilities: ["ALL"],
      seesHostProcesses: true,
    });
  });
});
