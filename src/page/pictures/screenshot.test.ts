import { decode } from "fast-png";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordingServer } from "../../../test/servers.ts";
import { openStudio, permit, type Studio, timeOf } from "./screenshot.fixture.ts";
import { capture, MAX_BYTES, MAX_SIDE_PX, type Picture } from "./screenshot.ts";

let studio: Studio;

beforeAll(async () => {
  studio = await openStudio((url) => !url.endsWith("/out-of-reach"));
});

afterAll(async () => {
  await studio.close();
});

const VIEWPORT = { fullPage: false, element: null } as const;
const FULL = { fullPage: true, element: null } as const;
const PAINT = [64, 64, 64];
const GREEN = [0, 255, 0];
const RED = [255, 0, 0];
const WHITE = [255, 255, 255];

/** A password field in plain green, without border, text or rounding. */
function field(left: number, top: number, style = ""): string {
  return `<input type=password aria-label=Password style="position:absolute;left:${left}px;top:${top}px;width:100px;height:40px;border:0;padding:0;border-radius:0;background:#0f0;${style}">`;
}

function html(body: string): string {
  return `<!doctype html><title>page</title><style>body{margin:0} iframe{border:0}</style>${body}`;
}

/** Colour of a picture at places in CSS pixels of what it shows. */
function colours(picture: Picture) {
  const image = decode(picture.bytes);
  expect([image.width, image.height]).toEqual([picture.width, picture.height]);
  return (x: number, y: number): readonly number[] => {
    const at = (Math.round(y * picture.scale) * image.width + Math.round(x * picture.scale)) * image.channels;
    return [...image.data.slice(at, at + 3)];
  };
}

/** Which colours there are in the area, so that not one pixel is missed. */
function coloursIn(picture: Picture, area: { x: number; y: number; width: number; height: number }): string[] {
  const at = colours(picture);
  const found = new Set<string>();
  for (let y = area.y; y < area.y + area.height; y++)
    for (let x = area.x; x < area.x + area.width; x++) found.add(at(x, y).join());
  return [...found];
}

describe("what is in the picture", () => {
  test("the viewport, at its size", async () => {
    await using server = await recordingServer();
    server.html("/", html(`<div style="height:3000px;background:linear-gradient(#f00 800px,#fff 0)"></div>`));
    await using opened = await studio.open(`${server.url}/`);
    const first = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(first).toMatchObject({ width: 1280, height: 800, scale: 1 });
    expect(colours(first)(640, 790)).toEqual(RED);
    await opened.page.evaluate("scrollTo(0, 400)");
    const second = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(colours(second)(640, 390)).toEqual(RED);
    expect(colours(second)(640, 410)).toEqual(WHITE);
  });

  test("a full page of 5,000 px, scaled down, also from the middle", async () => {
    await using server = await recordingServer();
    server.html("/", html(`<div style="height:5000px;background:linear-gradient(#f00 4900px,#0f0 0)"></div>`));
    await using opened = await studio.open(`${server.url}/`);
    await opened.page.evaluate("scrollTo(0, 2000)");
    const picture = await capture(opened.view, permit(), FULL, timeOf());
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(MAX_SIDE_PX);
    expect(picture.height).toBeGreaterThan(MAX_SIDE_PX - 3);
    expect(picture.scale).toBeCloseTo(MAX_SIDE_PX / 5000, 3);
    expect(colours(picture)(10, 4850)).toEqual(RED);
    expect(colours(picture)(1270, 4950)).toEqual(GREEN);
    expect(await opened.page.evaluate("[innerWidth, innerHeight, scrollY]")).toEqual([1280, 800, 2000]);
  });

  test("a page of 100,000 px is an error with the way out", async () => {
    await using server = await recordingServer();
    server.html("/", html(`<div style="height:100000px"></div>`));
    await using opened = await studio.open(`${server.url}/`);
    await expect(capture(opened.view, permit(), FULL, timeOf())).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/without full_page.*target.*scroll/),
    });
    expect(await capture(opened.view, permit(), VIEWPORT, timeOf())).toMatchObject({ width: 1280, height: 800 });
  });

  test("noise that compresses badly is scaled once more to its bytes", async () => {
    await using server = await recordingServer();
    const noise =
      "const c=document.querySelector('canvas'),x=c.getContext('2d'),d=x.createImageData(1568,1568);let s=1;for(let i=0;i<d.data.length;i++){s=(s*16807)%2147483647;d.data[i]=i%4===3?255:s&255}x.putImageData(d,0,0)";
    server.html("/", html(`<canvas width=1568 height=1568 style="display:block"></canvas><script>${noise}</script>`));
    await using opened = await studio.open(`${server.url}/`);
    const picture = await capture(opened.view, permit(), FULL, timeOf());
    expect(picture.bytes.length).toBeLessThanOrEqual(MAX_BYTES);
    expect(picture.bytes.length).toBeGreaterThan(MAX_BYTES / 2);
    expect(picture.scale).toBeLessThan(1);
  });

  test("an element far below, scrolled into view", async () => {
    await using server = await recordingServer();
    server.html(
      "/",
      html(
        `<div style="height:3000px;background:#f00"></div><button style="display:block;width:200px;height:50px;border:0;border-radius:0;background:#0f0">Save</button><div style="height:900px"></div>`,
      ),
    );
    await using opened = await studio.open(`${server.url}/`);
    const element = await opened.view.resolve({ by: "role", role: "button", name: "Save" }, timeOf());
    const picture = await capture(opened.view, permit(), { fullPage: false, element }, timeOf());
    expect(picture).toMatchObject({ width: 200, height: 50, scale: 1 });
    expect(colours(picture)(2, 2)).toEqual(GREEN);
    expect(colours(picture)(197, 47)).toEqual(GREEN);
  });

  test("an element larger than the viewport, whole and scaled", async () => {
    await using server = await recordingServer();
    server.html(
      "/",
      html(
        `<div style="height:500px;background:#f00"></div><button style="display:block;width:400px;height:2000px;border:0;border-radius:0;background:#0f0">Tall</button><div style="height:900px"></div>`,
      ),
    );
    await using opened = await studio.open(`${server.url}/`);
    const element = await opened.view.resolve({ by: "role", role: "button", name: "Tall" }, timeOf());
    const picture = await capture(opened.view, permit(), { fullPage: false, element }, timeOf());
    expect(picture.scale).toBeCloseTo(MAX_SIDE_PX / 2000, 3);
    expect(picture.height).toBeLessThanOrEqual(MAX_SIDE_PX);
    expect([colours(picture)(5, 5), colours(picture)(390, 1980)]).toEqual([GREEN, GREEN]);
  });

  test("an element in a frame of another process within a frame", async () => {
    await using innermost = await recordingServer();
    innermost.html(
      "/",
      html(
        `<div style="height:700px"></div><button style="display:block;margin-left:30px;width:80px;height:30px;border:0;border-radius:0;background:#0f0">Deep</button><div style="height:700px"></div>`,
      ),
    );
    await using middle = await recordingServer();
    middle.html(
      "/",
      html(
        `<div style="height:600px"></div><iframe src="${innermost.url.replace("127.0.0.1", "localhost")}/" style="width:200px;height:150px;border:7px solid #f00;margin-left:20px"></iframe>`,
      ),
    );
    await using outer = await recordingServer();
    outer.html(
      "/",
      html(
        `<div style="height:2000px"></div><iframe src="${middle.url}/" style="width:400px;height:300px;padding:5px"></iframe><div style="height:2000px"></div>`,
      ),
    );
    await using opened = await studio.open(`${outer.url}/`);
    await expect.poll(() => opened.view.frames().length).toBe(3);
    const element = await opened.view.resolve({ by: "role", role: "button", name: "Deep" }, timeOf());
    const picture = await capture(opened.view, permit(), { fullPage: false, element }, timeOf());
    expect(picture).toMatchObject({ width: 80, height: 30, scale: 1 });
    expect(coloursIn(picture, { x: 2, y: 2, width: 20, height: 26 })).toEqual([GREEN.join()]);
    expect(colours(picture)(78, 28)).toEqual(GREEN);
  });

  test("an element that is not drawn any more is an error, not an empty picture", async () => {
    await using server = await recordingServer();
    server.html("/", html("<button>Save</button>"));
    await using opened = await studio.open(`${server.url}/`);
    const element = await opened.view.resolve({ by: "role", role: "button", name: "Save" }, timeOf());
    await opened.page.evaluate("document.querySelector('button').style.display = 'none'");
    await expect(capture(opened.view, permit(), { fullPage: false, element }, timeOf())).rejects.toMatchObject({
      code: "no_match",
    });
    await opened.page.evaluate("document.querySelector('button').remove()");
    await expect(capture(opened.view, permit(), { fullPage: false, element }, timeOf())).rejects.toMatchObject({
      code: "stale",
    });
  });

  test("a permit is good for one picture", async () => {
    await using server = await recordingServer();
    server.html("/", html("page"));
    await using opened = await studio.open(`${server.url}/`);
    const one = permit();
    await capture(opened.view, one, VIEWPORT, timeOf());
    await expect(capture(opened.view, one, VIEWPORT, timeOf())).rejects.toThrow(/used already/);
  });
});

describe("secrets", () => {
  test("a password field is painted over, and only there", async () => {
    await using server = await recordingServer();
    server.html(
      "/",
      html(field(200, 100) + field(200, 300).replace("password aria-label=Password", "text aria-label=Town")),
    );
    await using opened = await studio.open(`${server.url}/`);
    const bare = colours({ bytes: await opened.page.screenshot(), width: 1280, height: 800, scale: 1 });
    expect(bare(250, 120)).toEqual(GREEN);
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(coloursIn(picture, { x: 200, y: 100, width: 100, height: 40 })).toEqual([PAINT.join()]);
    const at = colours(picture);
    expect([at(190, 120), at(310, 120), at(250, 90), at(250, 150)]).toEqual([WHITE, WHITE, WHITE, WHITE]);
    expect(at(250, 320)).toEqual(GREEN);
  });

  test("what shows a copy of a secret is painted over, in whatever form, and nothing else", async () => {
    await using server = await recordingServer();
    const at = (top: number, words: string): string =>
      `<p style="position:absolute;margin:0;left:200px;top:${top}px;font:20px monospace;color:lime;background:lime">${words}</p>`;
    const copies = [
      "correct-horse",
      "c o r r e c t - h o r s e",
      "<b>corr</b><i>ect-</i><b>horse</b>",
      "esroh-tcerroc",
      btoa("correct-horse"),
    ];
    const plain = "another word";
    server.html(
      "/",
      html(`<input type=password value=correct-horse aria-label=Password>${copies.map((words, index) => at(100 + 50 * index, words)).join("")}
        <input value="correct-horse" style="position:absolute;left:200px;top:400px;border:0;color:lime;background:lime">${at(500, plain)}`),
    );
    await using opened = await studio.open(`${server.url}/`);
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    const colour = colours(picture);
    expect(copies.map((_, index) => colour(210, 110 + 50 * index))).toEqual(copies.map(() => PAINT));
    expect([colour(210, 405), colour(210, 510)]).toEqual([PAINT, GREEN]);
  });

  test("a field in an open shadow tree is painted over without any look before", async () => {
    await using server = await recordingServer();
    server.html("/", html(`<div><template shadowrootmode=open>${field(200, 100)}</template></div>`));
    await using opened = await studio.open(`${server.url}/`);
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(coloursIn(picture, { x: 200, y: 100, width: 100, height: 40 })).toEqual([PAINT.join()]);
  });

  test("a field beyond the viewport is painted over in a full page", async () => {
    await using server = await recordingServer();
    server.html("/", html(`<div style="height:3000px"></div>${field(200, 2000)}${field(200, 100)}`));
    await using opened = await studio.open(`${server.url}/`);
    const picture = await capture(opened.view, permit(), FULL, timeOf());
    expect(colours(picture)(250, 120)).toEqual(PAINT);
    expect(colours(picture)(250, 2020)).toEqual(PAINT);
  });

  test("fields in frames: of another process, scrolled, turned and zoomed, within one another", async () => {
    await using inner = await recordingServer();
    inner.html("/", html(field(20, 30)));
    const other = inner.url.replace("127.0.0.1", "localhost");
    inner.html(
      "/nested",
      html(
        `<iframe src="${other}/" style="position:absolute;left:50px;top:60px;width:150px;height:100px;zoom:1.5"></iframe>`,
      ),
    );
    await using outer = await recordingServer();
    outer.html(
      "/",
      html(`<div style="height:2000px"></div>
        <iframe src="${other}/" style="position:absolute;left:100px;top:400px;width:300px;height:200px;border:5px solid;padding:3px"></iframe>
        <iframe src="/same" style="position:absolute;left:500px;top:400px;width:300px;height:200px"></iframe>
        <iframe src="${other}/nested" style="position:absolute;left:100px;top:700px;width:400px;height:300px"></iframe>
        <iframe src="${inner.url}/" style="position:absolute;left:900px;top:400px;width:300px;height:200px;transform:rotate(90deg)"></iframe>
        <iframe src="${inner.url}/" style="display:none"></iframe>`),
    );
    outer.html("/same", html(field(20, 30)));
    await using opened = await studio.open(`${outer.url}/`);
    await expect.poll(() => opened.view.frames().length).toBe(7);
    await opened.page.evaluate("scrollTo(0, 300)");
    const bare = colours({ bytes: await opened.page.screenshot(), width: 1280, height: 800, scale: 1 });
    const areas = [
      { x: 128, y: 138, width: 100, height: 40 },
      { x: 520, y: 130, width: 100, height: 40 },
      { x: 205, y: 535, width: 150, height: 60 },
      // Turned by 90 degrees about (1050, 200): (x, y) of the frame lies at (1150 - y, 50 + x).
      { x: 1080, y: 70, width: 40, height: 100 },
    ];
    for (const area of areas) expect(bare(area.x + 20, area.y + 20)).toEqual(GREEN);
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    for (const area of areas) expect(coloursIn(picture, area)).toEqual([PAINT.join()]);
    expect(coloursIn(picture, { x: 0, y: 0, width: 1280, height: 800 })).not.toContain(GREEN.join());
    expect(colours(picture)(300, 250)).toEqual(WHITE);
  });

  test("fields in frames far below are painted over in a full page", async () => {
    await using inner = await recordingServer();
    inner.html("/", html(field(20, 30)));
    await using outer = await recordingServer();
    const frame = (src: string, left: number) =>
      `<iframe src="${src}" style="position:absolute;left:${left}px;top:2000px;width:300px;height:200px"></iframe>`;
    outer.html(
      "/",
      html(
        `<div style="height:3000px"></div>${frame(inner.url.replace("127.0.0.1", "localhost"), 100)}${frame("/same", 600)}`,
      ),
    );
    outer.html("/same", html(field(20, 30)));
    await using opened = await studio.open(`${outer.url}/`);
    await expect.poll(() => opened.view.frames().length).toBe(3);
    const picture = await capture(opened.view, permit(), FULL, timeOf());
    expect([colours(picture)(170, 2050), colours(picture)(670, 2050)]).toEqual([PAINT, PAINT]);
    expect([colours(picture)(170, 2100), colours(picture)(670, 2100)]).toEqual([WHITE, WHITE]);
  });

  test("a frame in perspective is painted whole when there is a secret in it, else not at all", async () => {
    await using server = await recordingServer();
    const frame = (src: string, left: number) =>
      `<iframe src="${src}" style="position:absolute;left:${left}px;top:100px;width:300px;height:200px;transform:perspective(400px) rotateY(40deg)"></iframe>`;
    server.html("/", html(frame("/secret", 100) + frame("/plain", 600)));
    server.html("/secret", html(`<body style="background:#f00">${field(20, 30)}`));
    server.html("/plain", html(`<body style="background:#f00">`));
    await using opened = await studio.open(`${server.url}/`);
    await expect.poll(() => opened.view.frames().length).toBe(3);
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(coloursIn(picture, { x: 80, y: 90, width: 340, height: 220 })).not.toContain(GREEN.join());
    expect(coloursIn(picture, { x: 80, y: 90, width: 340, height: 220 })).not.toContain(RED.join());
    expect(colours(picture)(750, 200)).toEqual(RED);
  });

  test("a frame of another process whose next page does not come is painted whole", async () => {
    await using inner = await recordingServer();
    inner.html("/", html(`<body style="background:#f00">${field(20, 30)}`));
    inner.on("/never", () => {});
    const other = inner.url.replace("127.0.0.1", "localhost");
    await using outer = await recordingServer();
    outer.html(
      "/",
      html(`<iframe src="${other}/" style="position:absolute;left:100px;top:100px;width:300px;height:200px"></iframe>`),
    );
    await using opened = await studio.open(`${outer.url}/`);
    await expect.poll(() => opened.view.frames().length).toBe(2);
    await opened.page.evaluate(`document.querySelector("iframe").src = "${other}/never"`);
    await inner.waitForHit("/never");
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(coloursIn(picture, { x: 100, y: 100, width: 300, height: 200 })).toEqual([PAINT.join()]);
  });

  test("a frame that may not be shown is painted whole, with the frames in it", async () => {
    await using server = await recordingServer();
    const frame = (src: string, left: number) =>
      `<iframe src="${src}" style="position:absolute;left:${left}px;top:100px;width:300px;height:200px"></iframe>`;
    server.html("/", html(frame("/out-of-reach", 100) + frame("/red", 600)));
    server.html("/out-of-reach", html(`<body style="background:#f00">${frame("/red", 10)}`));
    server.html("/red", html(`<body style="background:#f00">`));
    await using opened = await studio.open(`${server.url}/`);
    await expect.poll(() => opened.view.frames("all").length).toBe(4);
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(coloursIn(picture, { x: 100, y: 100, width: 300, height: 200 })).toEqual([PAINT.join()]);
    expect(coloursIn(picture, { x: 600, y: 100, width: 300, height: 200 })).toEqual([RED.join()]);
  });

  test("a frame that does not answer is painted whole", async () => {
    await using inner = await recordingServer();
    inner.html("/", html(`<body style="background:#f00"><script>addEventListener("message",()=>{for(;;);})</script>`));
    await using outer = await recordingServer();
    outer.html(
      "/",
      html(
        `<iframe src="${inner.url.replace("127.0.0.1", "localhost")}/" style="position:absolute;left:100px;top:100px;width:300px;height:200px;border:20px solid #0f0"></iframe>`,
      ),
    );
    await using opened = await studio.open(`${outer.url}/`);
    await expect.poll(() => opened.view.frames().length).toBe(2);
    expect(colours(await capture(opened.view, permit(), VIEWPORT, timeOf()))(200, 200)).toEqual(RED);
    await opened.page.evaluate("frames[0].postMessage('hang', '*')");
    const picture = await capture(opened.view, permit(), VIEWPORT, timeOf());
    expect(coloursIn(picture, { x: 120, y: 120, width: 300, height: 200 })).toEqual([PAINT.join()]);
    expect(colours(picture)(110, 200)).toEqual(GREEN);
    expect(colours(picture)(600, 600)).toEqual(WHITE);
  });

  test("a page that hangs gives no picture", async () => {
    await using server = await recordingServer();
    server.html("/", html(field(20, 30)));
    await using opened = await studio.open(`${server.url}/`);
    opened.page.evaluate("for (const end = performance.now() + 4_000; performance.now() < end; );").catch(() => {});
    await expect(capture(opened.view, permit(), VIEWPORT, timeOf(3_000))).rejects.toMatchObject({ code: "timeout" });
  });

  test("a pending navigation gives no picture: still_loading", async () => {
    await using server = await recordingServer();
    server.html("/", html(field(20, 30)));
    server.on("/never", () => {});
    await using opened = await studio.open(`${server.url}/`);
    await opened.page.evaluate("location.href = '/never'");
    await server.waitForHit("/never");
    await expect(capture(opened.view, permit(), VIEWPORT, timeOf(3_000))).rejects.toMatchObject({
      code: "still_loading",
    });
  });
});

const WATCH = `<script>
  globalThis.log = [];
  const note = (kind) => log.push(kind + " " + innerWidth + "x" + innerHeight);
  for (const kind of ["resize", "scroll", "focus", "blur", "visibilitychange"]) addEventListener(kind, () => note(kind), true);
  visualViewport.addEventListener("resize", () => note("visual resize"));
  matchMedia("(max-width: 900px)").addEventListener("change", () => note("media"));
  addEventListener("load", () => {
    new ResizeObserver(() => note("size")).observe(document.documentElement);
    new MutationObserver(() => note("mutation")).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
</script>`;

describe("what a page sees of it", () => {
  const turn =
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))";

  test("nothing of a picture of the viewport or of an element in view", async () => {
    await using server = await recordingServer();
    server.html(
      "/",
      html(
        `${WATCH}<button style="width:200px;height:50px">Save</button>${field(200, 100)}<div style="height:3000px"></div>`,
      ),
    );
    await using opened = await studio.open(`${server.url}/`);
    await opened.page.evaluate(turn);
    const element = await opened.view.resolve({ by: "role", role: "button", name: "Save" }, timeOf());
    await opened.page.evaluate("log.length = 0");
    const before = await opened.page.content();
    await capture(opened.view, permit(), VIEWPORT, timeOf());
    await capture(opened.view, permit(), { fullPage: false, element }, timeOf());
    await opened.page.evaluate(turn);
    expect(await opened.page.evaluate("log")).toEqual([]);
    expect(await opened.page.content()).toBe(before);
    // The watch itself works.
    await opened.page.evaluate("document.body.dataset.x = 1; scrollTo(0, 10)");
    await opened.page.evaluate(turn);
    expect(await opened.page.evaluate("log")).toEqual(
      expect.arrayContaining([expect.stringMatching("mutation"), expect.stringMatching("scroll")]),
    );
  });

  test("of a full page at most a resize", async () => {
    await using server = await recordingServer();
    server.html("/", html(`${WATCH}<div style="height:3000px"></div>`));
    await using opened = await studio.open(`${server.url}/`);
    await opened.page.evaluate(turn);
    await opened.page.evaluate("log.length = 0");
    await capture(opened.view, permit(), FULL, timeOf());
    await opened.page.evaluate(turn);
    const seen = (await opened.page.evaluate("log")) as string[];
    expect(seen.filter((entry) => !/^(visual resize|resize|size|media) /.test(entry))).toEqual([]);
    expect(await opened.page.evaluate("[innerWidth, innerHeight, scrollY]")).toEqual([1280, 800, 0]);
  });
});

describe("marks", () => {
  const YELLOW = [255, 226, 64];

  test("stand at the corner of what can be acted on, also in a frame of another site, and nowhere else", async () => {
    await using inner = await recordingServer();
    inner.html("/", html(`<button style="position:absolute;left:20px;top:30px;width:80px;height:40px">In</button>`));
    await using server = await recordingServer();
    server.html(
      "/",
      html(
        `<button style="position:absolute;left:300px;top:200px;width:120px;height:60px">Out</button><p style="position:absolute;left:600px;top:50px">Words</p>
         <iframe src="${inner.url}/" style="position:absolute;left:100px;top:400px;width:300px;height:200px"></iframe>`,
      ),
    );
    await using opened = await studio.open(`${server.url}/`);
    const marked = colours(await capture(opened.view, permit(), { ...VIEWPORT, marks: true }, timeOf()));
    expect(marked(300, 200)).toEqual(YELLOW);
    expect(marked(120, 430)).toEqual(YELLOW);
    expect(marked(600, 50)).toEqual(WHITE);
    // The control: without marks neither place is yellow, and the page itself was not touched.
    const plain = colours(await capture(opened.view, permit(), VIEWPORT, timeOf()));
    expect(plain(300, 200)).not.toEqual(YELLOW);
    expect(plain(120, 430)).not.toEqual(YELLOW);
  });
});
