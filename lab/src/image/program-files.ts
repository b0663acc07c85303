import { realpathSync } from "node:fs";
import { runCommand } from "../process/command.ts";
import type { TarEntry } from "./tar.ts";

/** A program of this machine and the shared libraries that it needs, at the paths where the loader looks for them. */
export async function programEntries(source: string, path: string): Promise<TarEntry[]> {
  const libraries = await sharedLibraries(source);
  return [
    executable(realpathSync(source), path),
    ...libraries.map((library) => executable(realpathSync(library), relative(library))),
  ];
}

/** Many tools are one program under several names, which it looks at. */
export async function toolEntries(name: string, program: string): Promise<TarEntry[]> {
  const path = relative(program);
  const link: TarEntry = { kind: "link", path: `bin/${name}`, target: program };
  return [...(await programEntries(program, path)), ...(path === link.path ? [] : [link])];
}

async function sharedLibraries(program: string): Promise<string[]> {
  // ldd fails for a static program, which needs none.
  const answer = await runCommand("ldd", [program]).catch(() => ({ stdout: "" }));
  return parseLdd(answer.stdout);
}

/** `libc.so.6 => /lib/…/libc.so.6 (0x…)`, or the loader's own path alone; the kernel's vdso has no path. */
export function parseLdd(text: string): string[] {
  return text.split("\n").flatMap((line) => /(?:^|\s)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function executable(source: string, path: string): TarEntry {
  return { kind: "file", path, mode: 0o755, source };
}

export function relative(path: string): string {
  return path.replace(/^\/+/, "");
}
