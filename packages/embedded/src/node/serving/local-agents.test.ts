import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ItemQueue } from "../../apiserver/index.ts";
import { LocalAgents } from "./local-agents.ts";

const pod = { namespace: "a", pod: "p", uid: "u", container: "", node: "n" };
const never = new AbortController().signal;

describe("a port of a Pod", () => {
  it("is over when whoever listens has no more to say, whether the client has or not", async () => {
    const server = createServer((socket) => void socket.end("all of it")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const heard: string[] = [];
    const write = async (bytes: Uint8Array) => void heard.push(Buffer.from(bytes).toString());
    const { port } = server.address() as AddressInfo;
    await new LocalAgents().forward(pod, port, { incoming: new ItemQueue<Uint8Array>(), write }, never);
    expect(heard.join("")).toBe("all of it");
    server.close();
  });

  it("still hears what is said to a client that has no more", async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume().on("end", () => void socket.end("an answer"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const heard: string[] = [];
    const incoming = new ItemQueue<Uint8Array>();
    incoming.push(Buffer.from("a question"));
    incoming.end();
    const write = async (bytes: Uint8Array) => void heard.push(Buffer.from(bytes).toString());
    await new LocalAgents().forward(pod, (server.address() as AddressInfo).port, { incoming, write }, never);
    expect(heard.join("")).toBe("an answer");
    server.close();
  });
});
