import { describe, expect, test } from "vitest";
import type { EffectClass } from "../../types.ts";
import { describeEffect } from "./describe.ts";
import type { EffectFacts } from "./facts.ts";
import { bodyOf, FETCH, FORM, JSON_TYPE } from "./request.fixture.ts";

function classOf(facts: Partial<EffectFacts>): EffectClass {
  return describeEffect({ ...FETCH, ...facts }).effect;
}

function at(path: string, method = "POST"): EffectClass {
  return classOf({ url: `https://shop.test${path}`, method });
}

function form(content: string): EffectClass {
  return classOf({ body: bodyOf(FORM, content) });
}

function json(value: unknown): EffectClass {
  return classOf({ body: bodyOf(JSON_TYPE, JSON.stringify(value)) });
}

function pressing(name: string): EffectClass {
  return classOf({ url: "https://shop.test/x", element: { role: "button", name, formMethod: "post" } });
}

describe("irreversible", () => {
  test.each([
    "/pay",
    "/checkout",
    "/checkout/submit",
    "/api/placeOrder",
    "/place-order",
    "/orders",
    "/api/v1/payments",
    "/account/delete",
    "/deleteAccount",
    "/projects/12/transfer",
    "/messages",
    "/mail/send",
    "/posts/12/publish",
    "/members/invite",
    "/pulls/12/merge",
    "/keys/3/revoke",
    "/subscriptions/9/cancel-subscription",
    "/account/close-account",
    "/deploy",
    "/bulk_delete",
    "/commande/valider-la-commande",
    "/konto/k%C3%BCndigen",
    "/%EA%B2%B0%EC%A0%9C",
  ])("POST %s", (path) => expect(at(path)).toBe("irreversible"));

  test("by method", () => {
    expect(at("/items/1", "DELETE")).toBe("irreversible");
    expect(classOf({ headers: { "x-http-method-override": "delete" } })).toBe("irreversible");
    expect(form("_method=delete&id=1")).toBe("irreversible");
    expect(json({ _method: "DELETE" })).toBe("irreversible");
  });

  test.each([
    "action=delete",
    "op=transfer",
    "do=buy",
    "commit=Pay+now",
    "delete=1",
    "buy_now=",
    "confirm_delete=yes",
    "cvc=123",
    "card%5Bnumber%5D=1&card%5Bcvc%5D=2",
    "payment[iban]=DE1",
    "cmd=sendMail",
  ])("%s", (content) => expect(form(content)).toBe("irreversible"));

  test.each([
    { action: "remove" },
    { items: [{ operation: "deletePost" }] },
    { intent: "cancel-subscription" },
    { a: { b: { delete: true } } },
  ])("%j", (value) => expect(json(value)).toBe("irreversible"));

  test.each([
    "mutation { deletePost(id: 1) { id } }",
    "mutation PlaceOrder { x { id } }",
    "mutation { ... on M { ...F } } fragment F on M { inviteUser }",
    "mutation { createOrder { id } }",
    "mutation { bulkDeletePosts }",
  ])("%s", (query) => expect(json({ query })).toBe("irreversible"));

  test("JSON-RPC, and JSON that does not say that it is", () => {
    expect(json({ jsonrpc: "2.0", method: "account.transfer", id: 1 })).toBe("irreversible");
    expect(json([{ jsonrpc: "2.0", method: "eth_sendTransaction", params: [], id: 1 }])).toBe("irreversible");
    expect(classOf({ body: bodyOf("text/plain", '{"action":"delete"}') })).toBe("irreversible");
    expect(classOf({ body: bodyOf("text/plain", '{"query":"mutation { deletePost }"}') })).toBe("irreversible");
  });

  test.each([
    "Pay 12.00 EUR",
    "Buy now",
    "Place order",
    "Order now",
    "Delete",
    "Send",
    "Save and send",
    "Publish",
    "Approve request",
    "Cancel subscription",
    "Merge pull request",
    "Sign contract",
    "Payer",
    "Supprimer définitivement",
    "Passer la commande",
    "Envoyez",
    "Jetzt kaufen",
    "Zahlungspflichtig bestellen",
    "Löschen",
    "Abonnement kündigen",
    "Überweisen",
    "Удалить аккаунт",
    "Оплатить заказ",
    "Отправить",
    "Оформить заказ",
    "Pagar ahora",
    "Eliminar",
    "Realizar pedido",
    "Enviar",
    "결제하기",
    "주문하기",
    "삭제",
    "보내기",
    "購入する",
    "注文を確定する",
    "削除",
    "送信",
    "立即购买",
    "提交订单",
    "删除",
    "支付",
    "發送",
    "DELETE",
    "ＤＥＬＥＴＥ",
    "delete",
  ])("pressing %s", (name) => expect(pressing(name)).toBe("irreversible"));
});

describe("reversible only for what is plainly so", () => {
  test.each([
    "/cart/add",
    "/add-to-cart",
    "/posts/12/like",
    "/mails/3/mark-read",
    "/drafts/4",
    "/api/autosave",
    "/products/search",
    "/wishlist",
  ])("POST %s", (path) => expect(at(path)).toBe("reversible"));
  test.each(["Add to cart", "Save draft", "Like", "Search", "В корзину", "장바구니 담기"])(
    "pressing %s says nothing",
    (name) => expect(pressing(name)).toBe("unknown"),
  );

  test("never what cannot be inspected, comes from elsewhere or asks for another method", () => {
    const url = "https://shop.test/cart/add";
    expect(classOf({ url })).toBe("reversible");
    expect(classOf({ url, body: bodyOf("application/octet-stream", "x") })).toBe("unknown");
    expect(classOf({ url, body: { kind: "opaque", contentType: FORM, knownBytes: 1 } })).toBe("unknown");
    expect(classOf({ url, documentUrl: "https://other.test/" })).toBe("unknown");
    expect(classOf({ url, documentUrl: null })).toBe("unknown");
    expect(classOf({ url, headers: { "X-HTTP-Method-Override": "PUT" } })).toBe("unknown");
    expect(classOf({ url, body: bodyOf(FORM, "_method=put") })).toBe("unknown");
    expect(classOf({ url, method: "PROPFIND" })).toBe("unknown");
    expect(classOf({ url, element: { role: "button", name: "Delete", formMethod: null } })).toBe("irreversible");
  });
});

describe("unknown", () => {
  test.each([
    "/orders/1042/status",
    "/order/12/note",
    "/settings/email",
    "/items",
    "/posts/12/comments",
    "/sign-in",
    "/signup",
    "/login",
    "/blog/how-to-delete-your-files/comments",
  ])("POST %s", (path) => expect(at(path)).toBe("unknown"));
  test.each([
    "status=shipped",
    "email=a@b.c",
    "display_order=2",
    "order=asc",
    "sort_order=1",
    "grant_type=refresh",
    "name=Delete",
    "title=How+to+send+mail",
    "payment_method=card",
    "signature_visible=1",
    "q=delete",
  ])("%s", (content) => expect(form(content)).toBe("unknown"));
  test.each([
    "Save",
    "Save order",
    "Submit",
    "Sign in",
    "Sign up",
    "Next",
    "Remove filter",
    "My order",
    "Weiter",
    "Сохранить",
    "저장",
    "保存",
    "",
  ])("pressing %s", (name) => expect(pressing(name)).toBe("unknown"));
  test("queries whose fields are named like verbs", () =>
    expect(json({ query: "{ order { id } paymentMethods }" })).toBe("unknown"));
  test("a changed order", () => expect(at("/orders", "PATCH")).toBe("unknown"));
});
