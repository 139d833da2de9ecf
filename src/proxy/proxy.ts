import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { IdOf } from "../rules/index.ts";
import type { Hello } from "./client-hello.ts";
import { askUpstream, dial } from "./dial.ts";
import { Doors } from "./doors.ts";
import { exchange, MALFORMED_STATUS, NO_CONNECTION_STATUS, refuse, ServerSide } from "./exchange.ts";
import { oddRequest, valuesOf } from "./headers.ts";
import { PROXY_LIMITS, type ProxyLimits } from "./limits.ts";
import type { Door, ProxyEvent, ProxyOptions, RunningProxy, TunnelKind } from "./options.ts";
import { connectTarget, httpTarget, type Place, placeOf } from "./place.ts";
import { Resolver, systemResolve } from "./resolver.ts";
import { findRoute, NoRoute, type Route, type RouteOptions, type Upstream } from "./route.ts";
import { join, sniff, TUNNEL_OPEN } from "./tunnel.ts";

export type { ProxyEvent, ProxyOptions, RunningProxy } from "./options.ts";

/**
 * What may come through each door. The hellos of a request and of a socket over TLS are the same where HTTP/2 is off:
 * the door tells them apart.
 */
const KINDS: Readonly<Record<Door, Partial<Record<Hello, TunnelKind>>>> = {
  requests: { http2: "https", http1: "https" },
  sockets: { http1: "wss", plain: "ws" },
};

/** One connection of the browser. */
interface Client {
  readonly door: Door;
  readonly admitted: Promise<boolean>;
  readonly side: ServerSide;
  readonly gone: AbortController;
  busy: boolean;
  /** A tunnel was promised. */
  answered: boolean;
  tunnelTo: Place | null;
  /** How the place of its plain requests is asked: over the same kept connection always in the same form. */
  asked: (Place & { readonly through: Upstream | null }) | null;
}

/** Starts the browser's only way out, on two free loopback ports. Rejects when none can be had. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const proxy = new EgressProxy(options);
  await proxy.listen();
  return proxy;
}

class EgressProxy implements RunningProxy {
  readonly host = "127.0.0.1";
  readonly #options: ProxyOptions;
  readonly #limits: ProxyLimits;
  readonly #routes: RouteOptions;
  readonly #doors: Doors;
  readonly #clients = new Map<Socket, Client>();
  readonly #toServers = new Set<Socket>();
  #closing: Promise<void> | null = null;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#limits = { ...PROXY_LIMITS, ...options.limits };
    this.#routes = {
      allowAddress: options.allowAddress,
      resolver: new Resolver({
        resolve: options.resolve ?? systemResolve,
        lookupMs: this.#limits.lookupMs,
        now: options.now,
      }),
      hostMap: options.hostMap ?? new Map(),
      upstream: options.upstream ?? null,
      isOwnPort: (port) => port === this.port || port === this.socketPort,
    };
    this.#doors = new Doors(this.#limits, {
      accept: (socket, door) => this.#accept(socket, door),
      request: (request, response) => this.#request(request, response),
      connect: (request, socket, head) => this.#connect(request, socket, head),
      malformed: (socket, door) => this.#malformed(socket, door),
    });
  }

  get port(): number {
    return this.#doors.portOf("requests");
  }

  get socketPort(): number {
    return this.#doors.portOf("sockets");
  }

  listen(): Promise<void> {
    return this.#doors.open(this.host);
  }

  connections(): number {
    return this.#clients.size;
  }

  cut(host: string, port: number): void {
    for (const [socket, { door, tunnelTo }] of this.#clients)
      if (door === "sockets" && tunnelTo?.host === host && tunnelTo.port === port) socket.destroy();
  }

  cutTo(url: string): void {
    const place = placeOf(url);
    if (place !== null) this.cut(place.host, place.port);
  }

  async whyNot(url: string): Promise<IdOf<"proxy"> | null> {
    const place = placeOf(url);
    if (place === null) return "proxy.malformed";
    try {
      await findRoute(place, this.#routes);
      return null;
    } catch (error) {
      return error instanceof NoRoute ? error.rule : "proxy.error";
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await Promise.all([this.#doors.close(), ...[...this.#clients.keys(), ...this.#toServers].map(destroyed)]);
    // Those whose clients were connecting them meanwhile.
    await Promise.all([...this.#toServers].map(destroyed));
  }

  #malformed(socket: Socket, door: Door): void {
    this.#tell({ host: "", port: 0, scheme: "http", door, verdict: "refused", rule: "proxy.malformed" });
    if (socket.writable && this.#clients.get(socket)?.busy === false)
      socket.write(`HTTP/1.1 ${MALFORMED_STATUS} Bad Request\r\n\r\n`);
  }

  #accept(socket: Socket, door: Door): void {
    const client: Client = {
      door,
      admitted: this.#admit(socket, door),
      side: new ServerSide(),
      gone: new AbortController(),
      busy: false,
      answered: false,
      tunnelTo: null,
      asked: null,
    };
    this.#clients.set(socket, client);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#clients.delete(socket);
      client.gone.abort();
      client.side.end();
    });
  }

  async #admit(socket: Socket, door: Door): Promise<boolean> {
    const { remoteAddress: address = "", remotePort: port = 0 } = socket;
    const verdict = await this.#options.peers
      .check({ address, port }, this.#doors.portOf(door))
      .catch(() => "stranger" as const);
    if (verdict === "browser" || verdict === "unknown") return true;
    this.#tell({ host: "", port: 0, scheme: "http", door, verdict: "refused", rule: "proxy.peer" });
    socket.destroy();
    return false;
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = this.#clients.get(request.socket);
    if (client === undefined || client.busy) {
      // Browsers do not pipeline; what comes unasked may have been smuggled.
      request.socket.destroy();
      return;
    }
    client.busy = true;
    response.on("finish", () => {
      client.busy = false;
    });
    if (!(await client.admitted)) return;

    const target = request.httpVersion === "1.1" ? httpTarget(request.url ?? "") : null;
    const no = (rule: IdOf<"proxy">, status: number, verdict: NoRoute["verdict"] = "refused") => {
      this.#tell({
        host: target?.host ?? "",
        port: target?.port ?? 0,
        scheme: "http",
        door: client.door,
        verdict,
        rule,
      });
      refuse(response, status);
    };
    if (target === null || oddRequest(request.rawHeaders, target.authority) !== null)
      return no("proxy.malformed", MALFORMED_STATUS);
    // What nobody asked for must not be fetched: a GET may change something (EF-6).
    if (valuesOf(request.rawHeaders, "sec-purpose").length > 0) return no("proxy.prefetch", NO_CONNECTION_STATUS);
    if (client.door !== "requests" || !this.#isOpen(target, target.path)) return no("proxy.way", NO_CONNECTION_STATUS);

    let upstream: Upstream | null;
    try {
      upstream = await this.#throughFor(target, client);
    } catch (error) {
      const { verdict, rule } = error instanceof NoRoute ? error : new NoRoute("refused", "proxy.error");
      return no(rule, NO_CONNECTION_STATUS, verdict);
    }
    if (client.gone.signal.aborted) return;
    const place = { host: target.host, port: target.port, scheme: "http", door: client.door } as const;
    let opened = false;
    const open = () => {
      if (!opened) this.#tellOpen(place);
      opened = true;
    };
    exchange(request, response, {
      target,
      side: client.side,
      upstream,
      connect: (signal) => this.#connection(target, upstream, signal, open),
      reused: open,
      ended: ({ without, bytesUp, bytesDown }) => {
        if (without !== null) this.#tell({ ...place, verdict: without.verdict, rule: without.rule });
        if (opened) this.#tell({ ...place, verdict: "closed", rule: "proxy.way", bytesUp, bytesDown });
      },
    });
  }

  async #connect(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const client = this.#clients.get(socket);
    if (client === undefined || client.busy) {
      socket.destroy();
      return;
    }
    client.busy = true;
    if (!(await client.admitted)) return;

    const target = request.url ?? "";
    const place = request.httpVersion === "1.1" && !hasFraming(request) ? connectTarget(target) : null;
    const event = { host: place?.host ?? "", port: place?.port ?? 0, scheme: "connect", door: client.door } as const;
    if (place === null || oddRequest(request.rawHeaders, target) !== null) {
      this.#tell({ ...event, verdict: "refused", rule: "proxy.malformed" });
      answer(socket, MALFORMED_STATUS);
      return;
    }
    try {
      if (
        !this.#isOpen(place, null) &&
        !(client.door === "sockets" && (await this.#options.whenOpen?.(place.host, place.port)) === true)
      )
        throw new NoRoute("refused", "proxy.way");
      await this.#tunnel(place, client, socket, head);
    } catch (error) {
      const { verdict, rule } = error instanceof NoRoute ? error : new NoRoute("refused", "proxy.error");
      this.#tell({ ...event, verdict, rule });
      // After a 200 our words would be taken for the server's.
      if (client.answered) socket.destroy();
      else answer(socket, NO_CONNECTION_STATUS);
    }
  }

  /** Rejects as long as nothing was joined. */
  async #tunnel(place: Place, client: Client, socket: Socket, head: Buffer): Promise<void> {
    const { allowTunnel } = this.#options;
    const { signal } = client.gone;
    const limits = this.#limits;
    const route = await findRoute(place, this.#routes);
    let first = head;
    let kind: TunnelKind | undefined;
    if (allowTunnel !== undefined) {
      socket.write(TUNNEL_OPEN);
      client.answered = true;
      const sniffed = await sniff(socket, head, limits);
      if (sniffed === null) throw new NoRoute("refused", "proxy.silent");
      kind = KINDS[client.door][sniffed.hello];
      if (kind === undefined || (await allowTunnel(place.host, place.port, kind)) !== true)
        throw new NoRoute("refused", "proxy.tunnel_kind");
      first = sniffed.bytes;
    }
    const event = { ...place, scheme: "connect", door: client.door, ...(kind !== undefined && { kind }) } as const;
    this.#tellOpen(event);
    client.tunnelTo = place;
    let bytesUp = 0;
    let bytesDown = 0;
    try {
      const dialled = await this.#dial(route, signal, true);
      const server =
        route.through === null
          ? dialled
          : await askUpstream(dialled, place, route.through.authorization, { limits, signal });
      if (allowTunnel === undefined) socket.write(TUNNEL_OPEN);
      if (first.length > 0) server.write(first);
      bytesUp = first.length;
      await new Promise<void>((resolve) => {
        join(socket, server, limits, (up, down) => {
          bytesUp += up;
          bytesDown = down;
          resolve();
        });
      });
    } finally {
      this.#tell({ ...event, verdict: "closed", rule: "proxy.way", bytesUp, bytesDown });
    }
  }

  /**
   * The upstream that a plain request is written for. Known before its connection, and not asked again as long as that
   * is kept.
   */
  async #throughFor(target: Place, client: Client): Promise<Upstream | null> {
    if (this.#routes.upstream === null) return null;
    if (client.asked?.host !== target.host || client.asked.port !== target.port) {
      const { through } = await findRoute(target, this.#routes);
      client.asked = { host: target.host, port: target.port, through };
    }
    return client.asked.through;
  }

  async #connection(target: Place, through: Upstream | null, signal: AbortSignal, open: () => void): Promise<Socket> {
    const route = await findRoute(target, this.#routes);
    // Written for one of the two, a request must not come to the other: it may hold the upstream's password.
    if (route.through !== through) throw new NoRoute("refused", "proxy.address");
    open();
    return this.#dial(route, signal, false);
  }

  async #dial({ addresses, port, through }: Route, signal: AbortSignal, halfOpen: boolean): Promise<Socket> {
    const socket = await dial(addresses, port, { limits: this.#limits, signal, halfOpen }).catch((error: unknown) => {
      throw through === null ? error : new NoRoute("failed", "proxy.upstream");
    });
    this.#track(socket);
    return socket;
  }

  #track(socket: Socket): void {
    this.#toServers.add(socket);
    socket.on("close", () => this.#toServers.delete(socket));
  }

  #isOpen(place: Place, path: string | null): boolean {
    try {
      return this.#options.isOpen(place.host, place.port, path) === true;
    } catch {
      return false;
    }
  }

  /** A decision that cannot be written down is a refusal. */
  #tellOpen(event: Omit<ProxyEvent, "verdict" | "rule">): void {
    try {
      this.#options.onDecision({ ...event, verdict: "open", rule: "proxy.way" });
    } catch {
      throw new NoRoute("refused", "proxy.record");
    }
  }

  #tell(event: ProxyEvent): void {
    try {
      this.#options.onDecision(event);
    } catch {
      // Nothing is opened by it.
    }
  }
}

/** For sockets whose `close` has not come yet: `closed` is true before that. */
function destroyed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.destroy();
  });
}

function hasFraming(request: IncomingMessage): boolean {
  return ["content-length", "transfer-encoding"].some((name) => valuesOf(request.rawHeaders, name).length > 0);
}

function answer(socket: Socket, status: number): void {
  if (!socket.destroyed) socket.end(`HTTP/1.1 ${status} \r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}
