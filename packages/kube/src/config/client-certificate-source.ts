import { X509Certificate } from "node:crypto";
import type { ClientCertificate } from "./authenticator.ts";
import type { CredentialsConfig } from "./connection-config.ts";
import { belongTogether, certificatesIn, privateKeyIn } from "./pem.ts";
import { type PemReader, pemReader } from "./pem-reader.ts";
import type { RotatingFileDeps } from "./rotating-file.ts";

/** The client certificate with its key, followed as their files rotate. */
export class ClientCertificateSource {
  readonly #deps: RotatingFileDeps;
  readonly #cert: PemReader;
  readonly #key: PemReader;
  #certText = "";
  #keyText = "";
  #current: ClientCertificate | undefined;

  constructor(config: NonNullable<CredentialsConfig["clientCertificate"]>, deps: RotatingFileDeps) {
    this.#deps = deps;
    this.#cert = pemReader(config.cert, deps);
    this.#key = pemReader(config.key, deps);
  }

  async read(): Promise<ClientCertificate> {
    const [cert, key] = await Promise.all([this.#cert.read(), this.#key.read()]);
    if (this.#current !== undefined && ((cert === this.#certText && key === this.#keyText) || !this.#fit(cert, key))) {
      return this.#current;
    }
    this.#certText = cert;
    this.#keyText = key;
    this.#warnWhenExpired(cert);
    this.#current = { cert: certificatesIn(cert).join("\n"), key: privateKeyIn(key) ?? "" };
    return this.#current;
  }

  /** The API server only says 401 to an expired certificate; here is what a person needs to know. */
  #warnWhenExpired(cert: string): void {
    const { validToDate } = new X509Certificate(cert);
    if (validToDate.getTime() < this.#deps.clock.nowMs()) {
      this.#deps.logger.warn({ expiredAt: validToDate.toISOString() }, "The client certificate has expired");
    }
  }

  invalidate(): void {
    this.#cert.expire();
    this.#key.expire();
  }

  /** Two files are never replaced at the same instant: between the two, the former pair is the one that works. */
  #fit(cert: string, key: string): boolean {
    try {
      if (belongTogether(cert, key)) {
        return true;
      }
    } catch {
      // Half-written PEM: the same as a pair that does not fit.
    }
    this.#deps.logger.warn({}, "The client certificate and key on disk do not fit; keeping the former pair");
    this.invalidate();
    return false;
  }
}
