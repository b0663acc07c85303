import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasErrorCode } from "@stowage/machinery";
import { afterAll, describe, expect, it } from "vitest";
import { checkPaths } from "./state-paths.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "state-paths-")));
afterAll(() => rmSync(place, { recursive: true }));

const names = { nodes: 1, driverName: "local.csi.stowage.dev" };
const DATABASE = "/cluster/apiserver/state.db.new";
/** Where no way leads around the length of an address: the longest path is that of a driver's registration. */
const SOCKET = "/cluster/nodes/node-1/plugins_registry/local.csi.stowage.dev-reg.sock";
const ROOM = 504 - DATABASE.length;
const ROOM_ELSEWHERE = 103 - SOCKET.length;

const ofLength = (bytes: number) => `${place}${"/deep".repeat(100).slice(0, bytes - place.length - 1)}r`;
const isTooLong = (error: unknown) => hasErrorCode(error, "UP_PATH_TOO_LONG");

describe("the path of a state directory", () => {
  it("leaves room for the database", () => {
    expect(() => checkPaths(ofLength(ROOM), names, "linux")).not.toThrow();
    expect(() => checkPaths(ofLength(ROOM + 1), names, "linux")).toThrow(expect.toSatisfy(isTooLong));
  });

  it("leaves room for sockets where there is no way around", () => {
    const stateDir = (bytes: number) => `/${"x".repeat(bytes - 1)}`;
    expect(() => checkPaths(stateDir(ROOM_ELSEWHERE), names, "darwin")).not.toThrow();
    expect(() => checkPaths(stateDir(ROOM_ELSEWHERE + 1), names, "darwin")).toThrow(expect.toSatisfy(isTooLong));
    const tenNodes = { ...names, nodes: 10 };
    expect(() => checkPaths(stateDir(ROOM_ELSEWHERE), tenNodes, "darwin")).toThrow(expect.toSatisfy(isTooLong));
  });

  it("is as long as where it leads", () => {
    const far = ofLength(ROOM + 1);
    mkdirSync(far, { recursive: true });
    const near = join(place, "near");
    symlinkSync(far, near);
    expect(() => checkPaths(near, names, "linux")).toThrow(
      "at most 504 bytes, that of the API server's would have 505",
    );
  });
});
