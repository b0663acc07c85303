import type { Clock } from "@stowage/machinery";
import type { AuthenticationHeaders, Authenticator, ClientCertificate } from "./authenticator.ts";
import type { ExecPluginConfig } from "./connection-config.ts";
import { type ExecCredential, parseExecCredential } from "./exec-credential.ts";
import { type ExecPluginRun, runExecPlugin } from "./exec-plugin.ts";

/** Credentials from a plugin, kept until they expire or the server refuses them. Callers at the same time share one run. */
export class ExecAuthenticator implements Authenticator {
  readonly #plugin: ExecPluginConfig;
  readonly #run: ExecPluginRun;
  readonly #clock: Clock;
  #credential: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;

  constructor(plugin: ExecPluginConfig, run: ExecPluginRun, clock: Clock) {
    this.#plugin = plugin;
    this.#run = run;
    this.#clock = clock;
  }

  async headers(): Promise<AuthenticationHeaders> {
    const { token } = await this.#current();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async clientCertificate(): Promise<ClientCertificate | undefined> {
    return (await this.#current()).clientCertificate;
  }

  invalidate(): void {
    this.#credential = undefined;
  }

  async #current(): Promise<ExecCredential> {
    const expiresAtMs = this.#credential?.expiresAtMs ?? Number.POSITIVE_INFINITY;
    if (this.#credential !== undefined && this.#clock.nowMs() < expiresAtMs) {
      return this.#credential;
    }
    this.#running ??= this.#renew().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #renew(): Promise<ExecCredential> {
    const renewed = parseExecCredential(await runExecPlugin(this.#plugin, this.#run), this.#plugin);
    this.#credential = renewed;
    return renewed;
  }
}
