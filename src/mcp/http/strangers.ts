import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Connections over which no request with a token has come yet: the oldest give way to new ones, so that nobody can keep
 * others out by opening many.
 */
export class Strangers {
  readonly #open = new Set<Socket>();

  constructor(server: Server, most: number) {
    server.on("connection", (socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
      const [oldest] = this.#open;
      if (this.#open.size > most) oldest?.destroy();
    });
  }

  /** A request with a token came over it. */
  knows(socket: Socket): void {
    this.#open.delete(socket);
  }
}
