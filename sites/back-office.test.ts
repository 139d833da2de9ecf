import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Visitor } from "../test/visitor.ts";
import { type Sites, startSites } from "./server.mjs";

const ROW = /<tr><td>(CMD-\d+)<\/td>/g;

let sites: Sites;
let visitor: Visitor;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());
beforeEach(() => {
  sites.backOffice.reset();
  visitor = new Visitor(sites.backOffice.url);
});

const signIn = (next = "") => visitor.post("/login", { user: "ada", password: "correct-horse", next });
const numbers = (text: string) => [...text.matchAll(ROW)].map((match) => match[1]);

describe("signing in", () => {
  test("the fields have labels and the form posts", async () => {
    const page = await visitor.get("/login?next=%2Forders%2FCMD-1042");
    expect(page.text).toContain('<label for="user">User</label>');
    expect(page.text).toContain('<label for="password">Password</label>');
    expect(page.text).toContain('name="next" value="/orders/CMD-1042"');
  });

  test("the right password opens a session and leads on", async () => {
    const answer = await signIn("/orders/CMD-1042");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/orders/CMD-1042"]);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^back_office_session=[\w-]{36}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await visitor.get("/orders")).status).toBe(200);
    expect(sites.backOffice.effects.signIns).toBe(1);
  });

  test.each([
    ["ada", "wrong"],
    ["ada", ""],
    ["bob", "correct-horse"],
  ])("%s with %j is told so and gets no session", async (user, password) => {
    const answer = await visitor.post("/login", { user, password });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Wrong user or password.");
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect((await visitor.get("/orders")).status).toBe(302);
    expect(sites.backOffice.effects.signIns).toBe(0);
  });

  test.each([
    "https://evil.test/",
    "//evil.test/",
    "/\\evil.test",
    "/\t/evil.test",
    "/.//evil.test",
    "javascript:alert(1)",
    "orders",
    "",
  ])("never leads to another site: %j", async (next) => {
    expect((await signIn(next)).headers.get("location")).toBe("/orders");
  });

  test("signing out ends the session", async () => {
    await signIn();
    const answer = await visitor.post("/logout", {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login"]);
    expect((await visitor.get("/orders")).status).toBe(302);
  });

  test.each(["/orders", "/orders?q=kim&status=Paid", "/orders/CMD-1042", "/orders.csv"])(
    "%s leads a stranger to the sign-in",
    async (path) => {
      const answer = await visitor.get(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, `/login?next=${encodeURIComponent(path)}`]);
    },
  );

  test("a stranger changes nothing", async () => {
    expect((await visitor.post("/orders/CMD-1042/status", { status: "Shipped" })).status).toBe(302);
    expect(sites.backOffice.effects.statusChanges).toBe(0);
  });
});

describe("the list", () => {
  beforeEach(() => signIn());

  test("has 24 orders in six columns with a link each", async () => {
    const { text } = await visitor.get("/orders");
    expect(numbers(text)).toEqual(Array.from({ length: 24 }, (_, index) => `CMD-${1031 + index}`));
    expect([...text.matchAll(/<th[ >]/g)]).toHaveLength(6);
    expect([...text.matchAll(/<td[ >]/g)]).toHaveLength(24 * 6);
    expect([...text.matchAll(/<a href="\/orders\/CMD-\d+">View<\/a>/g)]).toHaveLength(24);
  });

  test("is the same after a reset", async () => {
    const first = await visitor.get("/orders");
    await visitor.post("/orders/CMD-1031/status", { status: "Cancelled" });
    expect((await visitor.get("/orders")).text).not.toBe(first.text);
    sites.backOffice.reset();
    await signIn();
    expect((await visitor.get("/orders")).text).toBe(first.text);
  });

  test("search and filter narrow it, together too", async () => {
    expect(numbers((await visitor.get("/orders?q=cmd-1042")).text)).toEqual(["CMD-1042"]);
    const byName = numbers((await visitor.get("/orders?q=KIM")).text);
    const byBoth = numbers((await visitor.get("/orders?q=KIM&status=Paid")).text);
    expect(byName.length).toBeGreaterThan(byBoth.length);
    expect(byBoth.length).toBeGreaterThan(0);
    expect(byName).toEqual(expect.arrayContaining(byBoth));
    expect(numbers((await visitor.get("/orders?q=nobody")).text)).toEqual([]);
  });

  test("every status has orders and together they are all", async () => {
    const counts = await Promise.all(
      ["New", "Paid", "Shipped", "Cancelled"].map(
        async (status) => numbers((await visitor.get(`/orders?status=${status}`)).text).length,
      ),
    );
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(counts.reduce((sum, count) => sum + count)).toBe(24);
  });

  test("words of the search come back as text", async () => {
    const { text } = await visitor.get(`/orders?q=${encodeURIComponent(`"><script>alert('1')</script>&`)}`);
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;");
  });

  test("exports as a CSV file", async () => {
    const answer = await visitor.get("/orders.csv");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="orders.csv"');
    const lines = answer.text.split("\r\n");
    expect(lines).toHaveLength(26);
    expect(lines[0]).toBe("Number,Date,Customer,Total,Status");
    expect(lines[1]).toMatch(/^CMD-1031,2026-03-02,Nora Lind,\d+\.\d\d,\w+$/);
  });
});

describe("one order", () => {
  beforeEach(() => signIn());

  test("saving a status answers 303, says so once and counts", async () => {
    const answer = await visitor.post("/orders/CMD-1042/status", { status: "Shipped" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/orders/CMD-1042"]);
    expect((await visitor.get("/orders/CMD-1041")).text).not.toContain("Status saved.");
    const page = await visitor.get("/orders/CMD-1042");
    expect(page.text).toContain("Status saved.");
    expect(page.text).toContain("<option selected>Shipped</option>");
    expect((await visitor.get("/orders/CMD-1042")).text).not.toContain("Status saved.");
    expect(sites.backOffice.effects.statusChanges).toBe(1);
    expect(JSON.parse((await visitor.get("/__effects")).text)).toEqual({ signIns: 1, statusChanges: 1 });
  });

  test("an unknown status or order changes nothing", async () => {
    expect((await visitor.post("/orders/CMD-1042/status", { status: "Lost" })).status).toBe(400);
    expect((await visitor.post("/orders/CMD-1042/status", {})).status).toBe(400);
    expect((await visitor.post("/orders/CMD-9999/status", { status: "Paid" })).status).toBe(404);
    expect((await visitor.json("/orders/CMD-1042/status", { status: "Paid" })).status).toBe(415);
    expect(sites.backOffice.effects.statusChanges).toBe(0);
  });
});
