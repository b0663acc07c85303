import { readFile } from "node:fs/promises";
import { type Driver, type ServeOptions, serveDriver } from "@stowage/csi";
import {
  createLocalDriver,
  createMockDriver,
  type MockAbility,
  type MockService,
  parseControlEndpoint,
  type RequiredSecrets,
  startControlServer,
} from "@stowage/drivers";
import { Quantity, StowageError } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { type DriverKind, type DriverOptions, listOf, mapOf } from "./driver-options.ts";

/** A driver that is ready to be served, and what goes with it when it is not served any more. */
interface RunnableDriver extends AsyncDisposable {
  readonly driver: Driver;
}

interface RequiredOptions extends DriverOptions {
  readonly nodeId: string;
  readonly endpoint: string;
}

const kinds: Readonly<
  Record<DriverKind, (context: CommandContext, options: RequiredOptions) => Promise<RunnableDriver>>
> = { mock: mockDriver, local: localDriver };

/** Serves a driver until the command is stopped. */
export async function runDriver(context: CommandContext, kind: DriverKind, options: RequiredOptions): Promise<void> {
  await using runnable = await kinds[kind](context, options);
  await serveDriver(offered(runnable.driver, options), serveOptions(context, options), context.signal);
}

/** The driver with the services that this process is to offer. */
function offered(driver: Driver, { services }: DriverOptions): Driver {
  const names = listOf(services);
  return {
    ...driver,
    ...(names.includes("controller") ? {} : { controller: undefined, groupController: undefined }),
    ...(names.includes("node") ? {} : { node: undefined }),
  };
}

function serveOptions({ logger, terminal }: CommandContext, options: RequiredOptions): ServeOptions {
  const { endpoint, httpEndpoint, pluginRegistrationPath, kubeletRegistrationPath } = options;
  const kubeletSocketPath = kubeletRegistrationPath ?? endpoint.replace(/^unix:(\/\/)?/, "");
  return {
    endpoint,
    logger,
    gate13: options.csi13,
    healthAddress: httpEndpoint,
    registration: pluginRegistrationPath === undefined ? undefined : { pluginRegistrationPath, kubeletSocketPath },
    onListening: ({ endpoint: address }) => terminal.err(`listening at ${address} (Ctrl-C stops)\n`),
  };
}

async function mockDriver(context: CommandContext, options: RequiredOptions): Promise<RunnableDriver> {
  const { nodeId, stateDir, driverName: name, maxVolumesPerNode, expansion, snapshotDelayMs } = options;
  const { driver, control } = createMockDriver({
    nodeId,
    stateDir,
    name,
    maxVolumesPerNode,
    expansion,
    snapshotDelayMs,
    services: listOf(options.services) as MockService[],
    attaches: options.attach !== "off",
    abilities: listOf(options.abilities) as MockAbility[],
    attachableNodes: nodesOf(options.attachableNodes),
    topology: mapOf(options.topology),
    capacityBytes: Quantity.parse(options.capacity).toBytes(),
    maxVolumeBytes: Quantity.parse(options.maxVolumeSize).toBytes(),
    mutableParameters: listOf(options.mutableParameters),
    secrets: await readSecrets(options.secretsFile),
    gate13: options.csi13,
  });
  const cleanUp = new AsyncDisposableStack();
  if (options.controlEndpoint !== undefined) {
    const server = await startControlServer(control, parseControlEndpoint(options.controlEndpoint));
    cleanUp.use(server);
    context.terminal.err(`control at ${server.address}\n`);
  }
  return { driver, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
}

function nodesOf(text: string | undefined): readonly string[] | "any" | undefined {
  if (text === undefined || text === "any") return text;
  return listOf(text);
}

async function readSecrets(file: string | undefined): Promise<RequiredSecrets> {
  if (file === undefined) return {};
  try {
    return JSON.parse(await readFile(file, "utf8")) as RequiredSecrets;
  } catch (error) {
    // The parser's own words quote the file, which holds secrets.
    const why = error instanceof SyntaxError ? "it is not JSON" : String(error);
    throw new StowageError("CREDENTIAL_FILE_UNREADABLE", `cannot read the secrets in ${file}: ${why}`);
  }
}

async function localDriver({ logger }: CommandContext, options: RequiredOptions): Promise<RunnableDriver> {
  const { nodeId, stateDir = "", driverName, maxVolumesPerNode, contents, ioCgroup } = options;
  const driver = await createLocalDriver({
    nodeId,
    stateDir,
    driverName,
    maxVolumesPerNode,
    contents,
    ioCgroup,
    logger,
    isAttachable: options.attach === "on",
    gate13: options.csi13,
    kubeletDirs: listOf(options.kubeletDirs),
    extraLabels: mapOf(options.extraLabels),
    reserveBytes: Quantity.parse(options.reserve).toBytes(),
  });
  return { driver, [Symbol.asyncDispose]: () => driver.close() };
}
