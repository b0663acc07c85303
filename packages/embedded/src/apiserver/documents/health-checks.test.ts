import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./documents-fixture.ts";

describe("health", () => {
  it("is good, in one word or in many", () => {
    using scene = new DocumentsScene();
    expect(scene.send("GET /healthz")).toMatchObject({ code: 200, body: "ok" });
    const { body } = scene.send("GET /livez?verbose");
    expect(body).toMatch(/^\[\+\]ping ok\n\[\+\]etcd ok\n/u);
    expect(body).toMatch(/\nlivez check passed\n$/u);
  });

  it("leaves out what the asker does not care for, and says which of it there is not", () => {
    using scene = new DocumentsScene();
    const { body } = scene.send("GET /readyz?verbose&exclude=etcd&exclude=nope");
    expect(body).toContain("[+]etcd excluded: ok\n");
    expect(body).toContain('warn: some health checks cannot be excluded: no matches for "nope"\n');
  });

  it("of a server that closes is good, but not ready", () => {
    using scene = new DocumentsScene({ closing: AbortSignal.abort() });
    expect(scene.send("GET /livez").code).toBe(200);
    const { code, body } = scene.send("GET /readyz");
    expect(code).toBe(500);
    expect(body).toContain("[-]shutdown failed: reason withheld\nreadyz check failed\n");
    expect(scene.send("GET /readyz?exclude=shutdown").code).toBe(200);
    expect(scene.send("GET /readyz/shutdown").code).toBe(500);
    expect(scene.send("GET /readyz/ping").code).toBe(200);
  });
});
