import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sites, startSites } from "../sites/server.mjs";
import { connect, GENERATIONS } from "./clients.ts";
import { oneOf } from "./runs.ts";
import { YES_OPTIONS } from "./yes.ts";

let sites: Sites;
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());
beforeEach(() => {
  sites.shop.reset();
  sites.partner.reset();
});

describe.each(oneOf(2, GENERATIONS))("a stock MCP client of revision %s", (generation) => {
  test("shops: search, client-side routes, cart by fetch, dialogs, a new tab, a foreign frame, checkout", async () => {
    const { shop, partner } = sites;
    await using client = await connect(generation, ["--private", shop.url, "--private", partner.url, ...YES_OPTIONS]);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const answer = await client.call(name, args);
      expect(answer.isError, `${name} ${JSON.stringify(args)}: ${answer.text}`).toBe(false);
      return answer;
    };

    await call("navigate", { url: shop.url });
    const found = await call("type_text", { target: 'searchbox "Search"', text: "kettle", submit: true });
    expect(found.structured).toMatchObject({ changed: "document", page: { url: `${shop.url}/?q=kettle` } });
    expect((await call("find", { text: "kettle" })).structured).toMatchObject({
      matches: expect.arrayContaining([expect.objectContaining({ in: expect.stringContaining("Blue kettle") })]),
    });

    const product = await call("click", { target: 'link "Blue kettle"' });
    expect(product.structured).toMatchObject({ changed: "content", page: { url: `${shop.url}/product/blue-kettle` } });
    expect((await call("go_back")).text).toContain("2 found");
    expect((await call("go_forward")).text).toContain('heading "Blue kettle"');
    await call("select_option", { target: 'combobox "Size"', values: ["2 l"] });
    expect((await call("click", { target: 'button "Add to cart"' })).text).toContain("1 in the cart");
    expect(shop.effects.cartAdds).toBe(1);

    await call("click", { target: 'button "Newsletter"' });
    expect((await call("wait_for", { target: 'dialog "Newsletter"' })).structured).toMatchObject({ found: true });
    expect((await call("press_key", { key: "Escape" })).text).toContain('- dialog "Newsletter"');
    expect((await call("wait_for", { target: 'dialog "Newsletter"', gone: true })).structured).toMatchObject({
      gone: true,
    });

    const terms = await call("click", { target: 'link "Delivery terms"' });
    expect(terms.structured).toMatchObject({ events: [{ kind: "popup", tab: "t2", url: `${shop.url}/delivery` }] });
    expect((await call("tabs")).structured).toMatchObject({
      tabs: [
        { id: "t1", active: true },
        { id: "t2", active: false },
      ],
    });
    expect((await call("tabs", { action: "select", tab: "t2" })).text).toContain("Delivery terms");
    expect((await call("get_text")).structured).toMatchObject({
      blocks: expect.arrayContaining([expect.objectContaining({ text: expect.stringMatching(/delivery/i) })]),
    });
    await call("scroll", { direction: "bottom" });
    await call("tabs", { action: "close", tab: "t2" });

    const stores = await call("click", { target: 'link "Stores"' });
    // The frame's own document may come after the page has settled.
    const map = await call("wait_for", { target: 'button "Show directions"' });
    expect(stores.text + map.text).toContain(`frame "Store map" (label) from ${new URL(partner.url).host}`);
    const directions = await call("click", { target: 'button "Show directions"' });
    expect(directions.structured).toMatchObject({ changed: "content" });
    expect(partner.effects.directions).toBe(1);

    await call("click", { target: 'link "Cart"' });
    const kept = await call("click", { target: 'button "Empty cart"' });
    expect(kept.structured).toMatchObject({ events: [{ kind: "dialog", type: "confirm", answered: "dismissed" }] });
    await call("click", { target: 'link "Checkout"' });
    const fields = (await call("find", { role: "textbox" })).structured as { matches: { ref: string; name: string }[] };
    for (const { ref, name } of fields.matches)
      await call("type_text", { target: ref, text: /mail/i.test(name) ? "ada@example.test" : `Some ${name}` });
    const buttons = (await call("find", { role: "button" })).structured as { matches: { ref: string; name: string }[] };
    const order = buttons.matches.find(({ name }) => /order/i.test(name));
    expect(shop.effects.orders).toBe(0);
    await call("hover", { target: order?.ref ?? "" });
    await call("click", { target: order?.ref ?? "" });
    expect(shop.effects.orders).toBe(1);

    const requests = await call("network_requests", { url_contains: "/api/cart" });
    expect(requests.structured).toMatchObject({
      requests: expect.arrayContaining([expect.objectContaining({ method: "POST", status: 200 })]),
    });
  });
});
