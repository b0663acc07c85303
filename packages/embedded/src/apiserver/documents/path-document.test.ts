import { describe, expect, it, test } from "vitest";
import { DocumentsScene } from "./documents-fixture.ts";

describe("documents", () => {
  it("tell of the version that the server is as good as", () => {
    using scene = new DocumentsScene();
    expect(scene.json("/version")).toMatchObject({ major: "1", minor: "36", gitVersion: "v1.36.3" });
    expect(scene.json("/version/")).toEqual(scene.json("/version"));
  });

  it("name all paths there are", () => {
    using scene = new DocumentsScene();
    const { paths } = scene.json("/") as { paths: string[] };
    expect(paths).toEqual(paths.toSorted());
    expect(paths).toEqual(
      expect.arrayContaining(["/api/v1", "/apis/apps", "/apis/apps/v1", "/livez/ping", "/version"]),
    );
    const answered = paths.filter((path) => !path.endsWith("/")).map((path) => scene.send(`GET ${path}`).code);
    expect(new Set(answered)).toEqual(new Set([200]));
  });

  test.each(["/nope", "/apis/nope", "/apis/nope/v1", "/healthz/nope", "/openapi/v2/", "/openid"])(
    "%s leads nowhere, which is said in text",
    (path) => {
      using scene = new DocumentsScene();
      const { code, headers, body } = scene.send(`GET ${path}`);
      expect({ code, body }).toEqual({ code: 404, body: "404 page not found\n" });
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    },
  );

  test.each(["/api/v2", "/apis/apps/v9", "/version/more"])("%s leads nowhere, which is said by a Status", (path) => {
    using scene = new DocumentsScene();
    expect(() => scene.send(`GET ${path}`)).toThrow("the server could not find the requested resource");
  });

  test.each(["/version", "/api", "/api/v1", "/apis/apps/v1", "/openid/v1/jwks"])("%s is only to be read", (path) => {
    using scene = new DocumentsScene();
    expect(() => scene.send(`POST ${path}`)).toThrow("the server does not allow this method on the requested resource");
  });

  it("say how tokens are verified", () => {
    using scene = new DocumentsScene();
    expect(scene.json("/.well-known/openid-configuration")).toMatchObject({
      issuer: "https://issuer.test",
      jwks_uri: "https://server:6443/openid/v1/jwks",
    });
    const { keys } = scene.json("/openid/v1/jwks") as { keys: Record<string, string>[] };
    expect(keys[0]).toMatchObject({ use: "sig", kty: "EC" });
    expect(keys[0]).not.toHaveProperty("d");
  });
});
