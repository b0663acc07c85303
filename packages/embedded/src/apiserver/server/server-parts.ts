import type { Clock, Logger } from "@stowage/machinery";
import {
  Authenticator,
  Authorizer,
  EscalationGuard,
  NodeAuthorizer,
  NodeGraph,
  PolicyIndex,
  type ReviewDeps,
  readTokenKey,
  ServiceAccountTokens,
  type StaticTokens,
  type TokenKey,
} from "../access/index.ts";
import { createAdmission } from "../admission/index.ts";
import { type DocumentDeps, OpenApiDocuments, RequestMeter } from "../documents/index.ts";
import { ResourceRegistry } from "../resources/index.ts";
import type { Store } from "../store/index.ts";
import { Strategies } from "../strategies/index.ts";
import type { NodeAgents, SubresourceDeps } from "../subresources/index.ts";
import { type WatchDeps, WatchHub, type WriteDeps } from "../verbs/index.ts";

export interface PartsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** PEM; what tokens of service accounts are signed with. */
  readonly tokenKey: string;
  /** Aborted when the server is about to close. */
  readonly closing: AbortSignal;
  readonly staticTokens: StaticTokens;
  readonly allowsAnonymous: boolean;
  /** Those that run Pods; nobody does when left out. */
  readonly agents?: NodeAgents | undefined;
}

/** All that answers requests, put together. */
export interface ServerParts extends Disposable {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: ResourceRegistry;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly tokenKeys: readonly TokenKey[];
  /** Who issues tokens of service accounts, which is also whom they are for. */
  readonly issuer: string;
  readonly reads: WatchDeps;
  readonly writes: WriteDeps;
  readonly subresources: SubresourceDeps;
  readonly reviews: ReviewDeps;
  readonly documents: DocumentDeps;
}

const issuer = "https://kubernetes.default.svc";

export function assembledParts(deps: PartsDeps): ServerParts {
  const { store, clock, logger } = deps;
  const registry = new ResourceRegistry();
  const hub = new WatchHub(store);
  const policy = new PolicyIndex(store);
  const nodes = new NodeGraph(store);
  const authorizer = new Authorizer(policy, new NodeAuthorizer(nodes));
  const guard = new EscalationGuard(policy, authorizer);
  const tokenKeys: [TokenKey] = [readTokenKey(deps.tokenKey)];
  const audiences = [issuer];
  const serviceAccountTokens = new ServiceAccountTokens({
    store,
    clock,
    keys: tokenKeys,
    issuers: [issuer],
    audiences,
  });
  const { staticTokens, allowsAnonymous } = deps;
  const authenticator = new Authenticator({ staticTokens, serviceAccountTokens, audiences, allowsAnonymous });
  const common = { store, registry, clock };
  const strategies = new Strategies();
  const writes = {
    ...common,
    strategies,
    ...createAdmission({ ...common, strategies, access: { authorizer, guard } }),
  };
  return {
    ...common,
    logger,
    authenticator,
    authorizer,
    tokenKeys,
    issuer,
    reads: { ...common, strategies, hub },
    writes,
    subresources: deps.agents === undefined ? writes : { ...writes, agents: deps.agents },
    reviews: { ...common, authenticator, authorizer, serviceAccountTokens, audiences },
    documents: {
      ...common,
      issuer,
      tokenKeys,
      openApi: new OpenApiDocuments(registry),
      meter: new RequestMeter(registry),
    },
    [Symbol.dispose]() {
      hub[Symbol.dispose]();
      policy[Symbol.dispose]();
      nodes[Symbol.dispose]();
    },
  };
}
