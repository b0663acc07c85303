import type { Logger } from "@stowage/machinery";
import { type Election, ElectionState } from "./election.ts";
import { createElector, type ElectorDeps } from "./elector.ts";
import { holdLeases } from "./lease-holding.ts";

export type ElectionHereDeps = Omit<ElectorDeps, "isActorAlive"> & { readonly logger: Logger };

/** In the thread that acts: one that has hung does not renew. */
export function startElectionHere(deps: ElectionHereDeps): Election {
  const state = new ElectionState();
  const stop = new AbortController();
  const elector = createElector({ ...deps, isActorAlive: () => true });
  const ended = holdLeases(elector, deps.logger, stop.signal, {
    onAcquired: (term) => state.win(term),
    onLost: (reason) => state.lose(reason),
  }).then(() => state.giveUp());
  return {
    acquired: state.acquired,
    onLost: (listener) => state.onLost(listener),
    giveUpWaiting: () => stop.abort(),
    async release() {
      state.onLost(undefined);
      stop.abort();
      await ended;
    },
  };
}
