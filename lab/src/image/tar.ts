import { createReadStream, statSync } from "node:fs";

interface Placed {
  /** Relative, without a leading slash. */
  readonly path: string;
}

export type TarEntry = Placed &
  (
    | { readonly kind: "folder"; readonly mode: number }
    | { readonly kind: "link"; readonly target: string }
    | { readonly kind: "file"; readonly mode: number; readonly content: Buffer }
    | { readonly kind: "file"; readonly mode: number; readonly source: string }
  );

const BLOCK = 512;
const NAME_BYTES = 100;
const TYPE = { file: "0", link: "2", folder: "5", extended: "x" } as const;

/** A tar archive (POSIX ustar) that depends on the entries alone: nobody's clock, user or group is in it. */
export async function* tarBytes(entries: Iterable<TarEntry>): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield* headersOf(entry);
    if (entry.kind !== "file") continue;
    const size = sizeOf(entry);
    if ("content" in entry) yield entry.content;
    else yield* sourceBytes(entry.source, size);
    yield padding(size);
  }
  yield Buffer.alloc(2 * BLOCK);
}

function headersOf(entry: TarEntry): Buffer[] {
  const path = entry.kind === "folder" ? `${entry.path}/` : entry.path;
  const target = entry.kind === "link" ? entry.target : "";
  const mode = entry.kind === "link" ? 0o777 : entry.mode;
  const own = header({ path, target, mode, size: sizeOf(entry), type: TYPE[entry.kind] });
  const long = Object.entries({ path, linkpath: target }).filter(([, value]) => Buffer.byteLength(value) > NAME_BYTES);
  if (long.length === 0) return [own];
  // What does not fit the fixed fields goes before them as an extended header.
  const records = Buffer.from(long.map(([key, value]) => extendedRecord(key, value)).join(""));
  const extended = header({ path: "extended", target: "", mode: 0o644, size: records.length, type: TYPE.extended });
  return [extended, records, padding(records.length), own];
}

interface Header {
  readonly path: string;
  readonly target: string;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
}

const FIELDS = {
  mode: 100,
  uid: 108,
  gid: 116,
  size: 124,
  mtime: 136,
  checksum: 148,
  type: 156,
  target: 157,
  magic: 257,
};

function header({ path, target, mode, size, type }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, NAME_BYTES);
  block.write(octal(mode, 7), FIELDS.mode);
  block.write(octal(0, 7), FIELDS.uid);
  block.write(octal(0, 7), FIELDS.gid);
  block.write(octal(size, 11), FIELDS.size);
  block.write(octal(0, 11), FIELDS.mtime);
  block.write(" ".repeat(8), FIELDS.checksum); // The sum is taken with spaces in its own place.
  block.write(type, FIELDS.type);
  block.write(target, FIELDS.target, NAME_BYTES);
  block.write("ustar\u000000", FIELDS.magic);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, FIELDS.checksum);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

/** `LENGTH key=value\n`, where the length counts its own digits too. */
function extendedRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

function sizeOf(entry: TarEntry): number {
  if (entry.kind !== "file") return 0;
  return "content" in entry ? entry.content.length : statSync(entry.source).size;
}

async function* sourceBytes(source: string, size: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of createReadStream(source) as AsyncIterable<Buffer>) {
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== size) throw new Error(`${source} changed from ${size} to ${seen} bytes while it was archived`);
}
