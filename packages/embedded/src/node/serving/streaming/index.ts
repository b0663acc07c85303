/**
 * Commands, attaching and ports as a real API server asks kubelets for them. `streaming-question.ts`: what a path asks for;
 * `serve-streaming.ts`: how both agree to speak; `exec-streams.ts` and `forward-streams.ts`: what is said on the streams of SPDY. What is
 * said on a WebSocket is the same as with our own API server, and is there.
 */
export { type StreamingDeps, serveStreaming } from "./serve-streaming.ts";
