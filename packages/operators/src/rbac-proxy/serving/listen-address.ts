import { StowageError } from "@stowage/machinery";

export interface ListenAddress {
  /** All of the machine's addresses when left out. */
  readonly host?: string;
  readonly port: number;
}

/** `0.0.0.0:9202`, `[::]:9202`, `:9202`. */
export function parseListenAddress(flag: string, text: string): ListenAddress {
  const {
    v6,
    host = v6,
    port = "",
  } = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:]+))?:(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (port === "" || Number(port) > 65_535)
    throw new StowageError(
      "RBAC_PROXY_MISCONFIGURED",
      `${flag}: ${JSON.stringify(text)} is not of the form HOST:PORT.`,
    );
  return host === undefined ? { port: Number(port) } : { host, port: Number(port) };
}
