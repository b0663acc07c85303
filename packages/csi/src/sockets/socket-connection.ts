import { connect, Socket } from "node:net";
import { openSocketAddress, type SocketAddress } from "./socket-address.ts";

/** As `connect` of `node:net`: whatever is wrong comes as an error of the socket. */
export function connectToSocket(path: string): Socket {
  let address: SocketAddress;
  try {
    address = openSocketAddress(path);
  } catch (error) {
    return new Socket().destroy(error as Error);
  }
  // The kernel looks the path up within this very call.
  using opened = address;
  return connect({ path: opened.path });
}
