import { existsSync, mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ContainerSpec } from "../container-spec.ts";
import { plainSpec } from "../fixtures/plain-spec.ts";
import { createPlainConfinement } from "./plain-confinement.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "plain-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const prepared = (uid: number, more: Partial<ContainerSpec>) =>
  createPlainConfinement({ uid, temporaryFolder: folder }).prepare(plainSpec(more), join(folder, "c"));

function mount(name: string, containerPath: string) {
  const hostPath = join(folder, name);
  mkdirSync(hostPath);
  return { hostPath, containerPath, isReadOnly: false, propagation: "None" as const };
}

describe("a container that is nothing but a process", () => {
  const other = { user: { uid: 1000, gid: 0, supplementalGroups: [] } };

  it("has the user that there is, unless that is root and another was asked for", () => {
    expect(prepared(1234, other).entry.kind).toBe("plain");
    expect(prepared(0, {}).entry.kind).toBe("plain");
    expect(() => prepared(0, other)).toThrow(expect.objectContaining({ code: "CONTAINER_NEEDS_ROOT" }));
  });

  it("has what its own variables say rather than what it is told", () => {
    const env = { HOSTNAME: "mine", PATH: "/mine", DATA: "/data/x" };
    const mounts = [mount("volume", "/data"), mount("temporary", "/tmp")];
    expect(prepared(1, { env, hostname: "web-0", mounts }).env).toEqual({
      HOSTNAME: "mine",
      PATH: "/mine",
      DATA: join(folder, "volume/x"),
      TMPDIR: join(folder, "temporary"),
    });
  });

  it("finds a place whose path is too long for a socket by a short link, and any other by its path", () => {
    const long = mount("long".repeat(20), "/csi");
    const mounts = [mount("near", "/data"), long];
    const { entry, script } = prepared(1, { mounts, command: ["driver", "unix:///csi/csi.sock", "/data"] });
    const { linksFolder = "", places } = entry as Extract<typeof entry, { kind: "plain" }>;
    const link = join(linksFolder, "1");
    expect(places).toEqual([
      { named: "/data", real: join(folder, "near") },
      { named: "/csi", real: link },
    ]);
    expect(readlinkSync(link)).toBe(long.hostPath);
    expect(script).toContain(`exec driver unix://${link}/csi.sock ${join(folder, "near")}\n`);
  });

  it("makes no links that nobody needs, nor names for what is where it is said to be", () => {
    const here = mount("here", join(folder, "here"));
    expect(prepared(1, { mounts: [here] }).entry).toEqual({ kind: "plain", prefix: [], places: [] });
    expect(existsSync(join(folder, "c"))).toBe(false);
  });
});
