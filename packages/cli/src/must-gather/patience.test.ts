import { ApiStatusError } from "@stowage/kube";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { Patience } from "./patience.ts";

const status = (code: number) => new ApiStatusError({ code }, { method: "GET", url: "http://x" });

/** Time passes as soon as somebody waits for it. */
function patient() {
  const clock = new ManualClock();
  clock.sleep = async () => {};
  return new Patience({ clock, signal: new AbortController().signal });
}

function failing(error: unknown, times = Number.POSITIVE_INFINITY) {
  let calls = 0;
  const act = async () => {
    if (++calls <= times) throw error;
    return "answer";
  };
  return { act, calls: () => calls };
}

describe("patience", () => {
  it("is had with a server that fails now and then, three times", async () => {
    const { act, calls } = failing(status(503), 2);
    expect(await patient().call(act)).toBe("answer");
    expect(calls()).toBe(3);
  });

  it("is greater where connections break while others are answered, ten times", async () => {
    const patience = patient();
    const lost = failing(new Error("reset"));
    const among = async () => {
      await patience.call(async () => "another");
      return await lost.act();
    };
    await expect(patience.call(among)).rejects.toThrow("reset");
    expect(lost.calls()).toBe(10);
    const refused = failing(status(503));
    const answered = async () => {
      await patience.call(async () => "another");
      return await refused.act();
    };
    await expect(patience.call(answered)).rejects.toMatchObject({ httpStatus: 503 });
    expect(refused.calls()).toBe(3);
  });

  it.each([403, 404, 410])("is not had with one that says no (%d)", async (code) => {
    const { act, calls } = failing(status(code));
    await expect(patient().call(act)).rejects.toMatchObject({ httpStatus: code });
    expect(calls()).toBe(1);
  });

  it("ends with a server that never answers, and comes back when it does", async () => {
    const patience = patient();
    const { act, calls } = failing(new Error("refused"));
    for (let call = 0; call < 8; call++) await expect(patience.call(act)).rejects.toThrow("refused");
    expect(calls()).toBe(24);
    await expect(patience.call(act)).rejects.toThrow("refused");
    expect(calls()).toBe(25);
    await patience.call(async () => {});
    await expect(patience.call(act)).rejects.toThrow("refused");
    expect(calls()).toBe(28);
  });
});
