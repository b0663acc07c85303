/**
 * Commands, attaching and ports as a real API server asks kubelets for them. `streaming-question.ts`: what a path asks for;
 * `serve-streaming.ts`: who answers it. How both agree to speak and what is said then is the same as with our own API server, and is there.
 */
export { type StreamingDeps, serveStreaming } from "./serve-streaming.ts";
