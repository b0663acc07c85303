import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasErrorCode } from "@stowage/machinery";
import { afterAll, describe, expect, it } from "vitest";
import { checkPaths } from "./state-paths.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "state-paths-")));
afterAll(() => rmSync(place, { recursive: true }));

const names = { nodes: 1, driverName: "local.csi.stowage.dev" };
/** What a state directory may have: the longest path in it is that of a driver's registration. */
const ROOM = 107 - "/cluster/nodes/node-1/plugins_registry/local.csi.stowage.dev-reg.sock".length;
const ofLength = (bytes: number) => join(place, "x".repeat(bytes - place.length - 1));
const isTooLong = (error: unknown) => hasErrorCode(error, "UP_PATH_TOO_LONG");

describe("the path of a state directory", () => {
  it("leaves room for sockets", () => {
    expect(() => checkPaths(ofLength(ROOM), names)).not.toThrow();
    expect(() => checkPaths(ofLength(ROOM + 1), names)).toThrow(expect.toSatisfy(isTooLong));
  });

  it("is as long as where it leads", () => {
    const far = ofLength(ROOM + 1);
    mkdirSync(far);
    const near = join(place, "near");
    symlinkSync(far, near);
    expect(() => checkPaths(near, names)).toThrow("too long by 1 bytes");
  });

  it("has less room with ten nodes", () => {
    expect(() => checkPaths(ofLength(ROOM), { ...names, nodes: 10 })).toThrow(expect.toSatisfy(isTooLong));
  });
});
