import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { resolve } from "node:path";

/** A map that was read takes 30 MB, and is good for all that goes wrong at one time. */
const KEPT_MS = 10_000;
const folder = import.meta.dirname;
const maps = new Map<string, SourceMap | undefined>();
const position = /(?:file:\/\/)?(\/[^():\n]+\.cjs):(\d+):(\d+)/gu;

/**
 * A stack of the bundle with the lines of the sources, for whoever shows it to a person. Not for every stack that is asked for: libraries ask
 * without showing it, and Node's own `--enable-source-maps` would read every map at the start.
 */
export function withSourcePositions(stack: string): string {
  return stack.replaceAll(position, sourcePosition);
}

function sourcePosition(shown: string, file: string, line: string, column: string): string {
  const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !("fileName" in origin)) return shown;
  return `${resolve(folder, origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
}

function mapOf(file: string): SourceMap | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  if (maps.size === 0) setTimeout(() => maps.clear(), KEPT_MS).unref();
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
