import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Visitor } from "../test/visitor.ts";
import { type Sites, startSites } from "./server.mjs";

const KETTLE = { id: "blue-kettle", size: "1 l" };
const ADDRESS = { name: "Ada <b>", street: "Mill Lane 1", town: "Bath", delivery: "standard" };

let sites: Sites;
let visitor: Visitor;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());
beforeEach(() => {
  sites.shop.reset();
  visitor = new Visitor(sites.shop.url);
});

describe("pages", () => {
  test.each([
    ["/", 200],
    ["/?q=kettle", 200],
    ["/cart", 200],
    ["/stores", 200],
    ["/delivery", 200],
    ["/product/blue-kettle", 200],
    ["/product/nothing", 404],
    ["/orders/S-2001", 404],
  ])("%s is %i", async (path, status) => {
    expect((await visitor.get(path)).status).toBe(status);
  });

  test("the map comes from the partner's origin, delivery terms open in another tab", async () => {
    const { text } = await visitor.get("/");
    expect(text).toContain(`data-map="${sites.partner.url}/map"`);
    expect(text).toContain('<a href="/delivery" target="_blank" rel="noopener">');
    expect(text).toContain("<dialog");
  });

  test("words of the search come back as text", async () => {
    const { text } = await visitor.get(`/?q=${encodeURIComponent(`"><img src=x onerror=alert(1)>`)}`);
    expect(text).not.toContain("<img");
    expect(text).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"');
  });
});

describe("buying", () => {
  test("products are found by their words", async () => {
    const found: unknown = JSON.parse((await visitor.get("/api/products?q=KETTLE")).text);
    expect(found).toMatchObject([{ id: "blue-kettle" }, { id: "red-kettle" }]);
  });

  test("the cart adds up, changes and empties", async () => {
    await visitor.get("/");
    await visitor.json("/api/cart", KETTLE);
    const added = await visitor.json("/api/cart", { ...KETTLE, quantity: 2 });
    expect(JSON.parse(added.text)).toMatchObject({ lines: [{ ...KETTLE, quantity: 3 }], totalCents: 3 * 3490 });
    await visitor.json("/api/cart", { id: "oak-tray" });
    const fewer = await visitor.json("/api/cart/line", { ...KETTLE, quantity: 1 });
    expect(JSON.parse(fewer.text)).toMatchObject({ totalCents: 3490 + 2850 });
    const removed = await visitor.json("/api/cart/line", { ...KETTLE, quantity: 0 });
    expect(JSON.parse(removed.text)).toMatchObject({ lines: [{ id: "oak-tray" }] });
    expect(JSON.parse((await visitor.get("/api/cart", "DELETE")).text)).toEqual({ lines: [], totalCents: 0 });
    expect(sites.shop.effects).toMatchObject({ cartAdds: 3, cartChanges: 3 });
  });

  test("two visitors have two carts", async () => {
    await visitor.json("/api/cart", KETTLE);
    const other = new Visitor(sites.shop.url);
    expect(JSON.parse((await other.get("/api/cart")).text)).toEqual({ lines: [], totalCents: 0 });
  });

  test.each([
    [{ id: "nothing" }, 404],
    [{ id: "blue-kettle", size: "9 l" }, 400],
    [{ id: "oak-tray", quantity: 0 }, 400],
    [{ id: "oak-tray", quantity: 1.5 }, 400],
    [{ id: "oak-tray", quantity: "2" }, 400],
    [{ id: "oak-tray", quantity: 100 }, 400],
    [[], 400],
    [null, 400],
  ])("%j is not put into the cart", async (value, status) => {
    expect((await visitor.json("/api/cart", value)).status).toBe(status);
    expect(sites.shop.effects.cartAdds).toBe(0);
  });

  test("an order is placed once, shown to its buyer only, and empties the cart", async () => {
    await visitor.json("/api/cart", KETTLE);
    expect((await visitor.get("/checkout")).text).toContain("1 × Blue kettle 1 l");
    const placed = await visitor.post("/checkout", ADDRESS);
    expect([placed.status, placed.headers.get("location")]).toEqual([303, "/orders/S-2001"]);
    const thanks = await visitor.get("/orders/S-2001");
    expect(thanks.text).toContain("Thank you, Ada &lt;b&gt;");
    expect((await new Visitor(sites.shop.url).get("/orders/S-2001")).status).toBe(404);
    expect((await visitor.post("/checkout", ADDRESS)).status).toBe(400);
    expect(sites.shop.effects.orders).toBe(1);
  });

  test("checkout wants goods and an address", async () => {
    const empty = await visitor.get("/checkout");
    expect([empty.status, empty.headers.get("location")]).toEqual([302, "/cart"]);
    await visitor.json("/api/cart", KETTLE);
    const incomplete = await visitor.post("/checkout", { name: "Ada" });
    expect([incomplete.status, incomplete.text.includes("street, town")]).toEqual([400, true]);
    expect(sites.shop.effects.orders).toBe(0);
  });

  test("the newsletter wants an address", async () => {
    expect((await visitor.json("/api/newsletter", { email: "ada@mail.example" })).status).toBe(200);
    expect((await visitor.json("/api/newsletter", { email: "ada" })).status).toBe(400);
    expect(sites.shop.effects.subscriptions).toBe(1);
  });
});
