import { isAlreadyExists, isNotFound, type KubeClient } from "@stowage/kube";
import { type Clock, serviceAccounts } from "@stowage/machinery";

const namespace = "kube-system";
const LIFE_SECONDS = 3600;
/** Of its life, when a token is no longer used for what begins. */
const USED_SHARE = 0.8;

interface KeptToken {
  readonly token: Promise<string>;
  readonly untilMs: number;
}

interface TokenAnswer {
  readonly status: { readonly token: string };
}

/** Tokens of service accounts in `kube-system`, which are made when they are first asked for. */
export class AccountTokens {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #kept = new Map<string, KeptToken>();

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  get(account: string): Promise<string> {
    const nowMs = this.#clock.monotonicMs();
    const kept = this.#kept.get(account);
    if (kept !== undefined && nowMs < kept.untilMs) return kept.token;
    const token = this.#ask(account);
    // Whoever comes next is to try again.
    token.catch(() => this.#kept.delete(account));
    this.#kept.set(account, { token, untilMs: nowMs + LIFE_SECONDS * 1000 * USED_SHARE });
    return token;
  }

  /** The server does not take it any more: the account may have been made anew. */
  forget(account: string): void {
    this.#kept.delete(account);
  }

  async #ask(account: string): Promise<string> {
    try {
      return await this.#request(account);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    try {
      await this.#client.create(serviceAccounts, { metadata: { namespace, name: account } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    return await this.#request(account);
  }

  async #request(account: string): Promise<string> {
    const spec = { expirationSeconds: LIFE_SECONDS };
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
    const ref = { namespace, name: account, subresource: "token" };
    const { status } = await this.#client.createSubresource<TokenAnswer>(serviceAccounts, ref, body);
    return status.token;
  }
}
