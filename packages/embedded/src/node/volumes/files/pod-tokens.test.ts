import type { KubeClient } from "@stowage/kube";
import { formatTime, type Pod, silentLogger } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { PodTokens } from "./pod-tokens.ts";

const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "shop", uid: "u" } };
const wish = { audience: "vault", expirationSeconds: 600 };

function scene() {
  const clock = new ManualClock();
  const asked: unknown[] = [];
  const state = { isDown: false };
  const createSubresource = async (_type: unknown, ref: unknown, { spec }: { spec: { expirationSeconds: number } }) => {
    if (state.isDown) throw new Error("no route");
    asked.push({ ref, spec });
    const expirationTimestamp = formatTime(clock.nowMs() + spec.expirationSeconds * 1000);
    return { spec, status: { token: `token-${asked.length}`, expirationTimestamp } };
  };
  const client = { createSubresource } as unknown as KubeClient;
  return { clock, asked, state, tokens: new PodTokens({ client, clock, logger: silentLogger }) };
}

describe("the tokens of a Pod", () => {
  it("are asked for once, for the Pod and the audience", async () => {
    const { tokens, asked } = scene();
    expect((await tokens.get(pod, wish)).token).toBe("token-1");
    expect((await tokens.get(pod, wish)).token).toBe("token-1");
    expect((await tokens.get(pod, { ...wish, audience: undefined })).token).toBe("token-2");
    expect(asked[0]).toEqual({
      ref: { namespace: "shop", name: "default", subresource: "token" },
      spec: {
        audiences: ["vault"],
        expirationSeconds: 600,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "web", uid: "u" },
      },
    });
    expect(asked[1]).toMatchObject({ spec: { audiences: [] } });
  });

  it("are asked for anew in the last part of their life, and when their Pod is another", async () => {
    const { tokens, clock } = scene();
    const { renewalMs } = await tokens.get(pod, wish);
    const leftMs = renewalMs - clock.nowMs();
    expect(leftMs).toBeGreaterThan(460_000);
    expect(leftMs).toBeLessThanOrEqual(480_000);
    await clock.advance(leftMs + 1);
    expect((await tokens.get(pod, wish)).token).toBe("token-2");
    tokens.forget("u");
    expect((await tokens.get(pod, wish)).token).toBe("token-3");
  });

  it("are used as long as they are good when there is no other", async () => {
    const { tokens, clock, state } = scene();
    await tokens.get(pod, wish);
    state.isDown = true;
    await clock.advance(500_000);
    const kept = await tokens.get(pod, wish);
    expect([kept.token, kept.renewalMs > clock.nowMs()]).toEqual(["token-1", true]);
    await clock.advance(200_000);
    await expect(tokens.get(pod, wish)).rejects.toThrow("expired and refresh failed: no route");
  });

  it("tell why there is none", async () => {
    const { tokens, state } = scene();
    state.isDown = true;
    await expect(tokens.get(pod, wish)).rejects.toThrow("failed to fetch token: no route");
  });
});
