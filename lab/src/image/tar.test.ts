import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type TarEntry, tarBytes } from "./tar.ts";

const folder = mkdtempSync(join(tmpdir(), "tar-"));
afterAll(() => rmSync(folder, { recursive: true }));
const source = join(folder, "source");
writeFileSync(source, "x".repeat(1000));

const long = `${"deep/".repeat(40)}file`;
const entries: TarEntry[] = [
  { kind: "folder", path: "tmp", mode: 0o1777 },
  { kind: "file", path: "etc/motd", mode: 0o644, content: Buffer.from("hello\n") },
  { kind: "file", path: "bin/tool", mode: 0o755, source },
  { kind: "link", path: "bin/sh", target: "tool" },
  { kind: "file", path: long, mode: 0o600, content: Buffer.from("deep") },
  { kind: "link", path: "far", target: long },
];

async function archive(from: Iterable<TarEntry>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(tarBytes(from)));
}

describe("a tar archive", () => {
  it("is read by the system's tar with the modes, owner, time and targets that were meant", async () => {
    const listing = execFileSync("tar", ["--list", "--verbose", "--numeric-owner", "--utc", "--full-time"], {
      input: await archive(entries),
      encoding: "utf8",
    });
    expect(listing.trim().split("\n")).toEqual([
      expect.stringMatching(/^drwxrwxrwt 0\/0 +0 1970-01-01 00:00:00 tmp\/$/),
      expect.stringMatching(/^-rw-r--r-- 0\/0 +6 1970-01-01 00:00:00 etc\/motd$/),
      expect.stringMatching(/^-rwxr-xr-x 0\/0 +1000 1970-01-01 00:00:00 bin\/tool$/),
      expect.stringMatching(/^lrwxrwxrwx 0\/0 +0 1970-01-01 00:00:00 bin\/sh -> tool$/),
      expect.stringContaining(long),
      expect.stringContaining(`far -> ${long}`),
    ]);
  });

  it("is unpacked to the same content", async () => {
    const into = mkdtempSync(join(folder, "unpacked-"));
    execFileSync("tar", ["--extract", "--directory", into], { input: await archive(entries) });
    expect(readFileSync(join(into, "etc/motd"), "utf8")).toBe("hello\n");
    expect(readFileSync(join(into, "bin/tool"), "utf8")).toBe("x".repeat(1000));
    expect(readFileSync(join(into, long), "utf8")).toBe("deep");
    expect(readlinkSync(join(into, "far"))).toBe(long);
    expect(statSync(join(into, long)).mode & 0o777).toBe(0o600);
  });

  it("is the same bytes each time", async () => {
    expect((await archive(entries)).equals(await archive(entries))).toBe(true);
  });
});
