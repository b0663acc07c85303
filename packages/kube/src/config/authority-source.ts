import type { PemSource } from "./connection-config.ts";
import { authorityComplaint } from "./pem.ts";
import { type PemReader, pemReader } from "./pem-reader.ts";
import type { RotatingFileDeps } from "./rotating-file.ts";

/** The authorities to trust, followed as their file rotates. */
export class AuthoritySource {
  readonly #deps: RotatingFileDeps;
  readonly #reader: PemReader;
  #current: string | undefined;

  constructor(source: PemSource, deps: RotatingFileDeps) {
    this.#deps = deps;
    this.#reader = pemReader(source, deps);
  }

  /** The same text until the authorities change. A file that is only half written leaves the former ones in use. */
  async read(): Promise<string> {
    const pem = await this.#reader.read();
    if (pem !== this.#current && this.#current !== undefined && authorityComplaint(pem) !== undefined) {
      this.#deps.logger.warn({}, "The certificate authority file holds no certificate; keeping the former one");
      this.#reader.expire();
      return this.#current;
    }
    this.#current = pem;
    return pem;
  }

  invalidate(): void {
    this.#reader.expire();
  }
}
