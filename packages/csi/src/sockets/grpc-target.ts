import { experimental } from "@grpc/grpc-js";
import { openSocketAddress, type SocketAddress } from "./socket-address.ts";
import { wayToSocket } from "./socket-path.ts";

const scheme = "deep-unix";
/** Where nothing is, for as long as the folder is not there: the attempt fails, and gRPC tries again in its own time. */
const nowhere = "/proc/self/fd/no-folder";

/** What a gRPC client dials to reach the socket at the path, whenever it is there. */
export function grpcTarget(path: string): string {
  if (wayToSocket(path) === undefined) return `unix://${path}`;
  experimental.registerResolver(scheme, DeepSocketResolver);
  return `${scheme}://${path}`;
}

/** gRPC asks it again after each attempt that failed: the folder may have come, or another one in its place. */
class DeepSocketResolver implements experimental.Resolver {
  readonly #path: string;
  readonly #listener: experimental.ResolverListener;
  #address: SocketAddress | undefined;
  #told: string | undefined;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener) {
    this.#path = `/${target.path}`;
    this.#listener = listener;
  }

  static getDefaultAuthority(): string {
    return "localhost";
  }

  updateResolution(): void {
    this.#renew();
    const path = this.#address?.path ?? nowhere;
    if (path === this.#told) return;
    this.#told = path;
    const endpoints = experimental.statusOrFromValue([{ addresses: [{ path }] }]);
    process.nextTick(() => {
      if (this.#told === path) this.#listener(endpoints, {}, null, "");
    });
  }

  destroy(): void {
    this.#address?.[Symbol.dispose]();
    this.#address = undefined;
    this.#told = undefined;
  }

  #renew(): void {
    const former = this.#address;
    try {
      if (former?.isInPlace()) return;
      this.#address = openSocketAddress(this.#path);
    } catch {
      this.#address = undefined;
    }
    // Only now: the new one must not have the same number, or gRPC would take it for the same place.
    former?.[Symbol.dispose]();
  }
}
