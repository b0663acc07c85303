import { expect, it } from "vitest";
import { endToEndHeaders, upstreamHeaders } from "./forwarded-headers.ts";

it("keeps what is for the other end, with all its values, and nothing that is for this connection", () => {
  const raw = ["Accept", "a", "ACCEPT", "b", "Connection", "close, X-Mine", "x-mine", "1", "TE", "trailers"];
  const more = ["Transfer-Encoding", "chunked", "Upgrade", "websocket", "Keep-Alive", "timeout=5", ":path", "/"];
  expect({ ...endToEndHeaders([...raw, ...more]) }).toEqual({ accept: ["a", "b"] });
});

it("does not pass on the client's credentials, nor who they say they are", () => {
  const raw = ["Authorization", "Bearer secret", "X-Remote-User", "system:admin", "x-remote-groups", "system:masters"];
  const asNobody = { "X-Remote-User": undefined, "x-remote-groups": undefined };
  expect({ ...upstreamHeaders({ raw, identity: asNobody }) }).toEqual({});
  const asSomebody = { "x-remote-user": "ann", "x-remote-groups": "a|b" };
  expect({ ...upstreamHeaders({ raw, identity: asSomebody }) }).toEqual(asSomebody);
});

it("says for whom it asks, after those who did so before", () => {
  const raw = ["X-Forwarded-For", "10.0.0.1"];
  const headers = upstreamHeaders({ raw, clientAddress: "::ffff:10.0.0.2", host: "metrics.ns.svc", identity: {} });
  expect({ ...headers }).toEqual({ "x-forwarded-for": "10.0.0.1, 10.0.0.2", host: "metrics.ns.svc" });
});
