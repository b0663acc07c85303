import type { Quantity } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, specOf, textOf } from "../../strategies/index.ts";
import { containerResources, podResources } from "../pod-resources.ts";
import { type ResourceList, resourceList } from "../resource-lists.ts";

interface Asked {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** One resource of one kind of limit, and what is asked of it. */
interface Checked {
  readonly type: string;
  readonly name: string;
  readonly bound: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

type Check = (checked: Checked) => string | undefined;

/** What is wrong with a Pod by these limits. */
export function podLimitErrors(limits: readonly JsonObject[], pod: JsonObject): string[] {
  const spec = specOf(pod);
  const containers = [...listOf(spec["containers"]), ...listOf(spec["initContainers"])].map((each) => ({
    requests: containerResources(each, "requests"),
    limits: containerResources(each, "limits"),
  }));
  const options = { withOverhead: false };
  const whole = () => ({
    requests: podResources(pod, "requests", options),
    limits: podResources(pod, "limits", options),
  });
  return limits.flatMap((limit) => {
    if (limit["type"] === "Container") return containers.flatMap((asked) => errorsOf(limit, asked, podChecks));
    return limit["type"] === "Pod" ? errorsOf(limit, whole(), podChecks) : [];
  });
}

/** What is wrong with a claim by these limits, which are about what it requests. */
export function claimLimitErrors(limits: readonly JsonObject[], claim: JsonObject): string[] {
  const requests = resourceList(fieldsOf(specOf(claim)["resources"])["requests"]);
  const asked = { requests, limits: new Map() };
  return limits
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap((limit) => errorsOf(limit, asked, claimChecks));
}

function errorsOf(limit: JsonObject, asked: Asked, checks: Readonly<Record<string, Check>>): string[] {
  const type = textOf(limit["type"]);
  return Object.entries(checks).flatMap(([field, check]) =>
    [...resourceList(limit[field])]
      .map(([name, bound]) =>
        check({ type, name, bound, request: asked.requests.get(name), limit: asked.limits.get(name) }),
      )
      .filter((error) => error !== undefined),
  );
}

function minimumError({ type, name, bound, request, limit }: Checked): string | undefined {
  const text = `minimum ${name} usage per ${type} is ${bound.toString()}`;
  if (request === undefined) return `${text}.  No request is specified`;
  if (isLess(request, bound)) return `${text}, but request is ${request.toString()}`;
  return limit !== undefined && isLess(limit, bound) ? `${text}, but limit is ${limit.toString()}` : undefined;
}

function maximumError({ type, name, bound, request, limit }: Checked): string | undefined {
  const text = `maximum ${name} usage per ${type} is ${bound.toString()}`;
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (isLess(bound, limit)) return `${text}, but limit is ${limit.toString()}`;
  return request !== undefined && isLess(bound, request) ? `${text}, but request is ${request.toString()}` : undefined;
}

function maximumRequestError({ type, name, bound, request }: Checked): string | undefined {
  const text = `maximum ${name} usage per ${type} is ${bound.toString()}`;
  if (request === undefined) return `${text}.  No request is specified`;
  return isLess(bound, request) ? `${text}, but request is ${request.toString()}` : undefined;
}

function ratioError({ type, name, bound, request, limit }: Checked): string | undefined {
  const text = `${name} max limit to request ratio per ${type} is ${bound.toString()}`;
  if (request === undefined || request.isZero()) return `${text}, but no request is specified or request is 0`;
  if (limit === undefined || limit.isZero()) return `${text}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.milliValue()) / Number(request.milliValue());
  const isBeyond = ratio * 1000 > Number(bound.milliValue());
  return isBeyond ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

const podChecks: Readonly<Record<string, Check>> = {
  min: minimumError,
  max: maximumError,
  maxLimitRequestRatio: ratioError,
};

const claimChecks: Readonly<Record<string, Check>> = { min: minimumError, max: maximumRequestError };

/** To a thousandth, which is as fine as the original looks. */
function isLess(a: Quantity, b: Quantity): boolean {
  return a.milliValue() < b.milliValue();
}
