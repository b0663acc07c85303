import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import { type FileReader, readComplaint } from "./file-reader.ts";

export interface RotatingFileDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly readFile: FileReader;
}

/** As client-go does for tokens: kubelets and agents replace these files well before the old content ends. */
const periodMs = 60_000;

/** A file that others replace while we run: read again when a minute has passed, or at once when told that it is stale. */
export class RotatingFile {
  readonly path: string;
  readonly #deps: RotatingFileDeps;
  #content: string | undefined;
  #readAtMs = 0;
  #reading: Promise<string> | undefined;

  constructor(path: string, deps: RotatingFileDeps) {
    this.path = path;
    this.#deps = deps;
  }

  async read(): Promise<string> {
    if (this.#content !== undefined && this.#deps.clock.monotonicMs() - this.#readAtMs < periodMs) {
      return this.#content;
    }
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  expire(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  async #readAgain(): Promise<string> {
    try {
      const content = (await this.#deps.readFile(this.path)).trim();
      if (content === "") {
        throw new StowageError("CREDENTIAL_FILE_UNREADABLE", `${this.path} is empty.`);
      }
      this.#content = content;
    } catch (error) {
      if (this.#content === undefined) {
        throw asCredentialError(this.path, error);
      }
      // What was read before may still be good; the server decides.
      this.#deps.logger.warn(
        { path: this.path, error: String(error) },
        "Cannot read a credential file again; keeping its last content",
      );
    }
    this.#readAtMs = this.#deps.clock.monotonicMs();
    return this.#content;
  }
}

function asCredentialError(path: string, error: unknown): unknown {
  return error instanceof StowageError
    ? error
    : new StowageError("CREDENTIAL_FILE_UNREADABLE", `${path} ${readComplaint(error)}.`, { cause: error });
}
