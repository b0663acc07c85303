/** As Go words what the kernel says of a connection: people know these texts, and look for them. */
const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "connect: connection timed out",
  EADDRNOTAVAIL: "connect: cannot assign requested address",
  EACCES: "connect: permission denied",
};

/** Why nobody answers at an address. */
export function dialFailure(error: unknown, address: string): string {
  const { code = "", hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  if (code === "ENOTFOUND") return `dial tcp: lookup ${hostname ?? ""}: no such host`;
  const known = texts[code];
  return known === undefined ? messageOf(error) : `dial tcp ${address}: ${known}`;
}

export function isDialFailure(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === "connect" || syscall === "getaddrinfo";
}

export function hostAndPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
