import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { appendFile, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { StowageError } from "@stowage/machinery";

/** What file systems take, with room for an ending. */
const LONGEST_NAME = 200;

const diskErrors: ReadonlySet<string> = new Set(["EACCES", "EDQUOT", "EIO", "EMFILE", "ENOSPC", "EROFS"]);

/** Undefined where there is nothing to read. */
export type TextStream = AsyncIterable<string> | undefined;

/** The tree that is written: every path is made of names that came from a server, and stays within the folder. */
export class GatherFolder {
  readonly root: string;
  #files = 0;
  #bytes = 0n;
  readonly #made = new Set<string>();

  private constructor(root: string) {
    this.root = root;
  }

  /** A new folder, or one that is empty: what is there from another time must not pass for what is gathered now. */
  static async create(root: string): Promise<GatherFolder> {
    try {
      // Whoever gathers decides who else may look.
      await mkdir(root, { recursive: true, mode: 0o700 });
      if ((await readdir(root)).length === 0) return new GatherFolder(root);
    } catch (error) {
      throw new StowageError("GATHER_FOLDER_UNUSABLE", `${root} cannot be written to`, { cause: error });
    }
    throw new StowageError("GATHER_FOLDER_UNUSABLE", `${root} is not empty`);
  }

  get files(): number {
    return this.#files;
  }

  get bytes(): bigint {
    return this.#bytes;
  }

  async write(path: readonly string[], text: string): Promise<void> {
    await this.#writing(async () => writeFile(await this.#place(path), text, { mode: 0o600 }));
    this.#count(Buffer.byteLength(text));
  }

  async append(path: readonly string[], text: string): Promise<void> {
    const isNew = await this.#writing(async () => {
      const place = await this.#place(path);
      const isThere = await stat(place).then(
        () => true,
        () => false,
      );
      await appendFile(place, text, { mode: 0o600 });
      return !isThere;
    });
    this.#bytes += BigInt(Buffer.byteLength(text));
    if (isNew) this.#files++;
  }

  /** About what is gathered, so that it is not counted. Whoever looks sees the former text or this one, also when the disk is full. */
  async replace(name: string, text: string): Promise<void> {
    await this.#writing(async () => {
      const place = await this.#place([name]);
      const temporary = `${place}.new`;
      try {
        await writeFile(temporary, text, { mode: 0o600 });
        await rename(temporary, place);
      } finally {
        await rm(temporary, { force: true });
      }
    });
  }

  /**
   * What was there before goes. Returns how many bytes came; nothing is left of a stream that breaks or brings none. It is opened when
   * there is a place for it: one that breaks while nobody reads it yet would end the process.
   */
  async writeStream(path: readonly string[], open: () => Promise<TextStream>, signal: AbortSignal): Promise<number> {
    const place = await this.#writing(() => this.#place(path));
    const stream = await open();
    if (stream === undefined) return 0;
    const file = createWriteStream(place, { mode: 0o600 });
    const closed = new Promise<void>((resolve) => void file.once("close", resolve));
    try {
      await pipeline(stream, file, { signal });
      await closed;
    } catch (error) {
      // What breaks at once may do so before there is a file, which would then be made after it was removed.
      await closed;
      await rm(place, { force: true });
      throw this.#explained(error);
    }
    if (file.bytesWritten === 0) await rm(place, { force: true });
    else this.#count(file.bytesWritten);
    return file.bytesWritten;
  }

  async #writing<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** A full disk is not the server's fault, and ends the gathering. */
  #explained(error: unknown): unknown {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!diskErrors.has(code)) return error;
    return new StowageError("GATHER_FOLDER_UNUSABLE", `${this.root} cannot be written to (${code})`, { cause: error });
  }

  #count(bytes: number): void {
    this.#files++;
    this.#bytes += BigInt(bytes);
  }

  async #place(path: readonly string[]): Promise<string> {
    const place = join(this.root, ...path.map(fileName));
    const folder = dirname(place);
    if (!this.#made.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#made.add(folder);
    return place;
  }
}

/** The name itself, unless a file cannot have it. */
export function fileName(name: string): string {
  const plain = name.replaceAll(/[/\\\0]/gu, "_").replace(/^\.+/u, "_");
  if (Buffer.byteLength(plain) <= LONGEST_NAME) return plain === "" ? "_" : plain;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  const ending = /\.\w{1,5}$/u.exec(plain)?.[0] ?? "";
  return `${plain.slice(0, LONGEST_NAME / 2)}-${hash}${ending}`;
}
