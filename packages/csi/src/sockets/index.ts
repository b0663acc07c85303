/**
 * Sockets at paths of any length. The kernel takes about a hundred bytes for the address of a socket, and folders of nodes lie deep. In
 * reading order:
 *
 * - `socket-path.ts`: how long a path may be, and by which way the kernel is given it
 * - `socket-address.ts`: what to listen at or to connect to, as long as it is needed
 * - `socket-connection.ts`: one connection
 * - `grpc-target.ts`: what gRPC dials, again and again
 */
export { grpcTarget } from "./grpc-target.ts";
export { openSocketAddress, type SocketAddress } from "./socket-address.ts";
export { connectToSocket } from "./socket-connection.ts";
export { checkSocketPath, socketPathProblem } from "./socket-path.ts";
