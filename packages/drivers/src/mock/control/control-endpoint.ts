import { StowageError } from "@stowage/machinery";

/** A socket that only its owner may use, or a port of this machine alone. */
export type ControlEndpoint = { readonly socketPath: string } | { readonly host: string; readonly port: number };

const LOOPBACK = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/;

/** @throws StowageError CSI_ENDPOINT_INVALID */
export function parseControlEndpoint(text: string): ControlEndpoint {
  const socketPath = /^(?:unix:(?:\/\/)?)?(\/.+)$/.exec(text)?.[1];
  if (socketPath !== undefined) return { socketPath };
  const [, host, port] = LOOPBACK.exec(text.replace(/^(?:tcp|http):\/\//, "")) ?? [];
  if (host !== undefined) return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
  throw new StowageError("CSI_ENDPOINT_INVALID", `cannot offer the control over a driver at ${JSON.stringify(text)}`, {
    nextStep: "Give a socket such as unix:///run/mock/control, or a port of this machine such as 127.0.0.1:9900.",
  });
}
