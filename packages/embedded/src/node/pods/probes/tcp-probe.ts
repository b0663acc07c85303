import { connect } from "node:net";
import { dialFailure, hostAndPort } from "./network-failure.ts";
import { failure, type ProbeOutcome, type ProbeTime, success } from "./probe-outcome.ts";

/** Whether somebody takes connections. */
export function probeTcp(host: string, port: number, { timeoutMs, signal }: ProbeTime): Promise<ProbeOutcome> {
  const { promise, resolve } = Promise.withResolvers<ProbeOutcome>();
  const address = hostAndPort(host, port);
  const socket = connect({ host, port, signal });
  const timer = setTimeout(() => resolve(failure(`dial tcp ${address}: i/o timeout`)), timeoutMs);
  socket.once("connect", () => resolve(success()));
  socket.on("error", (error) => resolve(failure(dialFailure(error, address))));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
