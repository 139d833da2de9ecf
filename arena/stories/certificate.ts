import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "../../src/session/self-test/certificate.ts";
import type { Sites } from "../benign/row.ts";
import { hostsOf, openWorld, type World } from "../benign/world.ts";
import type { Story } from "./story.ts";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  remove(): Promise<void>;
}

/** One that all sites of all these stories show. */
export async function certificateFor(stories: readonly Story[]): Promise<Certificate> {
  const directory = await mkdtemp(join(tmpdir(), "stories-"));
  const ca = join(directory, "authority.pem");
  const authority = selfSigned(...new Set(stories.flatMap(({ sites }) => hostsOf(sites()))));
  await writeFile(ca, authority.cert + authority.key);
  return { ...authority, ca, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** Their sites as they are before anything was changed there. */
export async function worldOf(stories: readonly Story[], certificate: Certificate): Promise<World> {
  const sites: Sites = Object.assign({}, ...stories.map((story) => story.sites()));
  const world = await openWorld([{ id: "", title: "", options: {}, steps: [], sites }], certificate);
  world.serve(sites);
  return world;
}
