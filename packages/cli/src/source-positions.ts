import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { resolve } from "node:path";

/**
 * Stack traces of the bundle with the lines of the sources. Node's own `--enable-source-maps` reads every map at the start, which
 * takes 8 to 13 MB; here a map is read when the first trace is asked for, which in a healthy process is never.
 */
const folder = import.meta.dirname;
const maps = new Map<string, SourceMap | undefined>();
const position = /(?:file:\/\/)?(\/[^():]+\.cjs):(\d+):(\d+)/u;

Error.prepareStackTrace = (error, callSites) =>
  [headline(error), ...callSites.map((site) => `    at ${describe(site)}`)].join("\n");

function describe(site: NodeJS.CallSite): string {
  // Call sites have words of their own, which the types do not say.
  return (site as { toString(): string }).toString().replace(position, sourcePosition);
}

function headline(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error"; // Whatever was thrown cannot be put in words; a trace must not fail for that.
  }
}

function sourcePosition(shown: string, file: string, line: string, column: string): string {
  const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !("fileName" in origin)) return shown;
  return `${resolve(folder, origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
}

function mapOf(file: string): SourceMap | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return undefined; // Then the bundle's own lines are shown.
  }
}
