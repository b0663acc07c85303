import { StowageError } from "@stowage/machinery";

export interface HostPort {
  /** Left out: every address of the machine. */
  readonly host?: string;
  readonly port: number;
}

/** `:9808`, `127.0.0.1:9808` or `[::1]:9808`. */
export function parseHealthAddress(text: string): HostPort {
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d{1,5})$/u.exec(text);
  const port = Number(match?.groups?.port);
  if (!match || port > 65_535) {
    throw new StowageError("CSI_ENDPOINT_INVALID", `cannot serve health checks at ${JSON.stringify(text)}`, {
      nextStep: "Write the address as host:port, or as :port for every address of the machine.",
    });
  }
  const host = match.groups?.v6 ?? match.groups?.host;
  return host ? { host, port } : { port };
}
