import type { KubeClient } from "@stowage/kube";
import { type Clock, type Logger, type Pod, parseTime, StowageError, serviceAccounts } from "@stowage/machinery";
import { failureText } from "../csi/volume-failure.ts";
import { RENEWAL_SPREAD_MS, tokenRenewalMs } from "./token-life.ts";

export interface PodTokensDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface TokenWish {
  /** The API server's own when left out. */
  readonly audience: string | undefined;
  readonly expirationSeconds: number;
}

export interface PodToken {
  readonly token: string;
  readonly expiresMs: number;
  /** From then on another is to be had. */
  readonly renewalMs: number;
}

interface TokenAnswer {
  readonly spec?: { readonly expirationSeconds?: number };
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/** When one cannot be renewed, and is still good. */
const RETRY_MS = 60_000;

/** Tokens of the accounts of Pods, bound to these: asked for once, and anew well before they end. */
export class PodTokens {
  readonly #deps: PodTokensDeps;
  /** By the uid of the Pod, and by what was wanted. */
  readonly #kept = new Map<string, Map<string, PodToken>>();

  constructor(deps: PodTokensDeps) {
    this.#deps = deps;
  }

  async get(pod: Pod, wish: TokenWish): Promise<PodToken> {
    const uid = pod.metadata.uid ?? "";
    const key = JSON.stringify([wish.audience, wish.expirationSeconds]);
    const kept = this.#kept.get(uid)?.get(key);
    const nowMs = this.#deps.clock.nowMs();
    if (kept !== undefined && nowMs < kept.renewalMs) return kept;
    const token = await this.#ask(pod, wish).catch((error: unknown) => this.#stillGood(pod, kept, error));
    const ofPod = this.#kept.get(uid) ?? new Map<string, PodToken>();
    this.#kept.set(uid, ofPod.set(key, token));
    return token;
  }

  forget(podUid: string): void {
    this.#kept.delete(podUid);
  }

  async #ask(pod: Pod, { audience, expirationSeconds }: TokenWish): Promise<PodToken> {
    const { name: podName, namespace = "", uid } = pod.metadata;
    const ref = { namespace, name: pod.spec?.serviceAccountName ?? "default", subresource: "token" };
    const spec = {
      audiences: audience === undefined || audience === "" ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: "v1", kind: "Pod", name: podName, uid },
    };
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
    const answer = await this.#deps.client.createSubresource<TokenAnswer>(serviceAccounts, ref, request);
    const expiresMs = parseTime(answer.status.expirationTimestamp);
    const life = { expiresMs, lifeSeconds: answer.spec?.expirationSeconds ?? expirationSeconds };
    const renewalMs = tokenRenewalMs(life, Math.random() * RENEWAL_SPREAD_MS);
    return { token: answer.status.token, expiresMs, renewalMs };
  }

  #stillGood(pod: Pod, kept: PodToken | undefined, error: unknown): PodToken {
    const why = failureText(error);
    if (kept === undefined) {
      throw new StowageError("VOLUME_SOURCE_MISSING", `failed to fetch token: ${why}`, { cause: error });
    }
    const nowMs = this.#deps.clock.nowMs();
    if (nowMs > kept.expiresMs) {
      const message = `token of ${pod.spec?.serviceAccountName ?? "default"} expired and refresh failed: ${why}`;
      throw new StowageError("VOLUME_SOURCE_MISSING", message, { cause: error });
    }
    this.#deps.logger.warn({ error, pod: pod.metadata.name }, "a token could not be renewed, and is used as it is");
    return { ...kept, renewalMs: nowMs + RETRY_MS };
  }
}
