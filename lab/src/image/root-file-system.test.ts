import { expect, it } from "vitest";
import { parseLdd } from "./program-files.ts";
import { rootFileSystem } from "./root-file-system.ts";

it("a root file system has each path once, its folders before what is in them", () => {
  const library = { kind: "file", path: "lib/x/libc.so", mode: 0o755, source: "/lib/x/libc.so" } as const;
  const paths = rootFileSystem([library, library]).map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
  expect(paths.slice(paths.indexOf("lib"))).toEqual(expect.arrayContaining(["lib", "lib/x", "lib/x/libc.so"]));
  expect(paths.indexOf("lib/x")).toBeLessThan(paths.indexOf("lib/x/libc.so"));
  expect(paths).toEqual(expect.arrayContaining(["tmp", "etc/passwd", "proc"]));
});

it("the libraries of a program are those with a path, the loader too", () => {
  const answer = `	linux-vdso.so.1 (0x00007ffc)
	libdl.so.2 => /lib/x86_64-linux-gnu/libdl.so.2 (0x00007f2)
	/lib64/ld-linux-x86-64.so.2 (0x00007f3)
`;
  expect(parseLdd(answer)).toEqual(["/lib/x86_64-linux-gnu/libdl.so.2", "/lib64/ld-linux-x86-64.so.2"]);
  expect(parseLdd("	not a dynamic executable\n")).toEqual([]);
});
