import { writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { type OpenedSession, openToolbox } from "../assembly/open.ts";
import { envelopeText } from "../mcp/text.ts";
import type { Envelope, ToolResult } from "../types.ts";
import type { OpenArgs, Run } from "./command.ts";
import { EXIT } from "./exit.ts";

const MS_PER_SECOND = 1_000;

export const run: Run<OpenArgs> = async (config, args, io) => {
  const session = openToolbox(config, { warn: () => {}, storageState: args.storageState });
  const print = ({ envelope }: ToolResult): void => {
    io.stdout.write(args.json ? `${JSON.stringify(envelope)}\n` : `${envelopeText(envelope)}\n`);
  };
  try {
    const page = await session.call("navigate", { url: args.url });
    print(page);
    if (!page.envelope.ok) return codeOf(page.envelope, io.stderr);
    if (args.screenshot !== null) {
      const failed = await savePicture(session, args.screenshot);
      if (failed !== null) {
        print(failed);
        return codeOf(failed.envelope, io.stderr);
      }
    }
    if (args.afterSeconds !== null) {
      await wait(args.afterSeconds * MS_PER_SECOND);
      const later = await session.call("snapshot", {});
      print(later);
      return codeOf(later.envelope, io.stderr);
    }
    return EXIT.done;
  } finally {
    await session.close();
  }
};

async function savePicture(session: OpenedSession, file: string): Promise<ToolResult | null> {
  const picture = await session.call("screenshot", {});
  if (picture.image === undefined) return picture;
  await writeFile(file, picture.image.bytes);
  return null;
}

function codeOf(envelope: Envelope, stderr: { write(text: string): unknown }): number {
  if (envelope.ok) return EXIT.done;
  if (envelope.refused?.operator !== undefined) stderr.write(`chaperone: to allow it: ${envelope.refused.operator}\n`);
  if (envelope.refused !== undefined) return EXIT.refused;
  return envelope.error?.code === "no_browser" ? EXIT.noBrowser : EXIT.failed;
}
