import { describe, expect, test } from "vitest";
import { describeEffect } from "./describe.ts";
import { FETCH } from "./request.fixture.ts";

function isGetEffect(path: string, facts: Partial<typeof FETCH> = {}): boolean {
  return describeEffect({
    ...FETCH,
    method: "GET",
    kind: "navigation",
    resourceType: "Document",
    url: `https://shop.test${path}`,
    ...facts,
  }).isGetEffect;
}

describe("addresses that do something", () => {
  test.each([
    "/logout.php",
    "/delete.php?id=3",
    "/api/logout.json",
    "/doLogout",
    "/removeUser.do?userId=5",
    "/approve?id=3",
    "/orders/3/refund",
    "/invoices/9/markPaid",
    "/users/5/make_admin",
    "/setRole?user=eve&role=owner",
    "/resetPassword?user=5",
    "/tasks/5/complete",
    "/subscribe?list=2",
    "/share?file=5&with=eve",
    "/empty-trash",
    "/admin.cgi?cmd=drop&table=orders",
    "/item/3?delete",
    "/index.php?a=delete&id=3",
    "/pay?invoice=5",
    "/transfer?to=eve&amount=5",
    "/list?delete=",
    "/admin%2Fdelete%2F3",
    "/user/3;delete",
    "/deleteUser/5",
    "/session/logout;jsessionid=1",
    "/cart.aspx?cmd=remove&item=9",
    "/members/7/ban",
    "/grantAccess?user=eve&sesskey=a1b2c3d4",
    "/items/4/move?csrf_token=0a1b2c3d4e",
    "/send?to=eve",
    "/tickets/8/close",
    "/logout",
    "/log-out",
    "/users/sign_out",
    "/account/signout?next=/",
    "/unsubscribe",
    "/unsubscribe/6f9b2c1d8e7a4f3b",
    "/u/unsub?token=6f9b2c1d8e7a4f3b",
    "/email/preferences/one-click-unsubscribe?h=ab12cd34",
    "/posts/12/delete",
    "/delete/12",
    "/admin/posts/delete?id=12",
    "/wiki/pages/12/delete",
    "/docs/4f3a9b2c-1d2e-4f3a-8b9c-0d1e2f3a4b5c/delete",
    "/posts/12/approve",
    "/approve/12",
    "/comments/9/publish",
    "/orders/1042/cancel",
    "/users/7/follow",
    "/vote?id=38211&how=up&auth=0a1b2c3d4e5f60718293",
    "/users/confirmation?confirmation_token=Yx81kQz0aa2",
    "/verify?token=8f2b1c",
    "/auth/verify-email?code=918273",
    "/confirm_email/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.abc123",
    "/invitations/accept?key=a1b2c3d4",
    "/activate/9a8b7c6d5e4f3a2b1c0d",
    "/rsvp?t=abcdef123456&yes=1",
    "/index.php?action=delete&id=3",
    "/index.php?do=logout",
    "/item?op=vote&id=3",
    "/x?cmd=delete_item",
    "/x?method=delete",
    "/index.php?option=com_users&task=user.logout",
    "/ucp.php?mode=logout&sid=1f2e",
    "/wp-admin/post.php?post=1&action=trash&_wpnonce=0a1b2c3d4e",
    "/?_method=DELETE",
    "/items/1?_method=put",
    "/?delete=12",
    "/cart/?remove_item=6512bd43d9caa6e02c990b0a82652dca&_wpnonce=0123456789",
    "/shop/?add-to-cart=99",
    "/graphql?query=mutation%7BdeletePost(id%3A1)%7Bid%7D%7D",
    "/graphql?query=query%20A%7Ba%7D%20mutation%20B%7Bb%7D&operationName=B",
    "/graphql?query=mutation%20%7B%20%22broken%20%7D",
    "/logout%2F",
    "/LOGOUT",
    "/artikel/12/l%C3%B6schen",
    "/article/12/supprimer",
    "/articulos/12/eliminar",
    "/%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F/12/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C",
    "/%EA%B8%80/12/%EC%82%AD%EC%A0%9C",
    "/%E8%A8%98%E4%BA%8B/12/%E5%89%8A%E9%99%A4",
    "/%E6%96%87%E7%AB%A0/12/%E5%88%A0%E9%99%A4",
    "/abmelden",
    "/shop?action=add_to_cart&id=3",
    "/x?a=1;_method=delete",
    "/cerrar-sesion",
    "/deconnexion",
    "/%E3%83%AD%E3%82%B0%E3%82%A2%E3%82%A6%E3%83%88",
  ])("%s", (path) => {
    expect(isGetEffect(path)).toBe(true);
    expect(isGetEffect(path, { kind: "data", resourceType: "Fetch" })).toBe(true);
    expect(isGetEffect(path, { kind: "subframe" })).toBe(true);
    expect(isGetEffect(path, { kind: "unknown" })).toBe(true);
    expect(isGetEffect(path, { method: "HEAD" })).toBe(true);
    expect(isGetEffect(path, { kind: "subresource", resourceType: "Image" })).toBe(true);
  });

  test("a method in a header", () => {
    expect(isGetEffect("/items", { kind: "data", headers: { "X-HTTP-Method-Override": "DELETE" } })).toBe(true);
    expect(isGetEffect("/items", { kind: "data", headers: { "X-HTTP-Method-Override": "GET" } })).toBe(false);
  });

  test("what the agent pressed says nothing else", () => {
    const link = { role: "link", formMethod: null };
    for (const name of [
      "Delete",
      "Log out",
      "SIGN OUT",
      "Unsubscribe",
      "Se déconnecter",
      "Löschen",
      "Удалить",
      "Cerrar sesión",
      "로그아웃",
      "削除",
      "退订",
    ]) {
      expect(isGetEffect("/p/12", { element: { ...link, name } }), name).toBe(true);
    }
    for (const name of [
      "How to delete files",
      "Delete a repository",
      "Remove",
      "Orders",
      "Next",
      "",
      "Unsubscribe policy",
      "Log",
    ]) {
      expect(isGetEffect("/p/12", { element: { ...link, name } }), name).toBe(false);
    }
    const button = { role: "button", name: "Delete" };
    expect(isGetEffect("/p", { element: { ...button, formMethod: "get" } })).toBe(true);
    expect(isGetEffect("/p", { element: { ...button, formMethod: "post" } })).toBe(false);
    expect(isGetEffect("/p", { hop: 1, element: { ...link, name: "Delete" } })).toBe(false);
    expect(isGetEffect("/p/12", { kind: "data", element: { ...link, name: "Delete" } })).toBe(false);
    expect(isGetEffect("/search", { element: { role: "searchbox", name: "Delete", formMethod: "get" } })).toBe(false);
  });
});

describe("ordinary pages", () => {
  test.each([
    "/",
    "/blog/how-to-delete-files",
    "/blog/delete",
    "/blog/2024/vote",
    "/orders",
    "/orders/1042",
    "/order/1042",
    "/help/cancel-policy",
    "/help/delete",
    "/search?q=delete",
    "/search?q=logout&page=2",
    "/search?query=delete+files",
    "/search?query=%7Ba%7D",
    "/checkout",
    "/checkout/confirm",
    "/checkout/payment",
    "/cart",
    "/pay",
    "/cancel",
    "/confirm",
    "/verify",
    "/docs/remove",
    "/docs/array/remove",
    "/docs/v2/api/delete",
    "/reference/methods/delete",
    "/wiki/Delete",
    "/wiki/Vote",
    "/dictionary/english/delete",
    "/en/translate/unsubscribe",
    "/tags/logout",
    "/questions/tagged/delete",
    "/package/delete",
    "/topics/unsubscribe",
    "/vote",
    "/elections/2024/vote",
    "/users/7",
    "/users/7/followers",
    "/users/7/likes",
    "/posts/12/comments",
    "/posts/12/edit",
    "/subscribe",
    "/subscriptions",
    "/login?next=/logout-info",
    "/oauth/callback?code=4/0AX4XfWh6b2c1d8e7a4f3b&state=6f9b2c1d8e7a4f3b",
    "/oauth/authorize?client_id=6f9b2c1d8e7a4f3b&response_type=code&state=6f9b2c1d8e7a4f3b",
    "/products/9781234567897?utm_source=mail&gclid=EAIaIQobChMI12345678",
    "/verify-your-age?utm_campaign=a1b2c3d4e5f6a7b8c9",
    "/terms/confirm?fbclid=IwAR1a2b3c4d5e6f7a8b",
    "/w/index.php?title=Delete&action=edit",
    "/w/index.php?title=X&action=history",
    "/w/index.php?title=X&action=raw",
    "/index.php?action=view&id=3",
    "/index.php?action=login",
    "/list?sort=votes&order=desc",
    "/list?mode=edit",
    "/list?type=delete",
    "/list?method=transfer",
    "/sets/5",
    "/set/5",
    "/makes/audi/5",
    "/reports/5/mark",
    "/list?delete=0",
    "/list?remove_filter=price",
    "/archive/2023/12",
    "/static/components/bootstrap-tour/build/css/bootstrap-tour.min.css?v=03087031a4a6d71cc321ba32bfc6d80c8fc2521690f3a89f225403c1",
    "/posts/create?category=3",
    "/users/5/edit",
    "/transfer",
    "/send-money",
    "/sign-in",
    "/signup",
    "/account/settings",
    "/deleted-scenes",
    "/logouts",
    "/posts/deleted",
    "/privacy/opt-out",
    "/kuendigen",
    "/admin?action=add",
    "/products/iphone-15-pro-128gb-blue/remove-scratches",
    "/v2/subscribe/sub-c-6f9b2c1d8e7a4f3b/room/0",
    "/posts/2024-11-05-where-to-vote-123?page=2",
    "/news/parliament-to-approve-budget-2025",
    "/releases/v1.2.3",
    "/repo/pull/12",
    "/static/app.6f9b2c1d8e7a4f3b.js",
    "/f/6f9b2c1d8e7a4f3b",
    "/download?key=6f9b2c1d8e7a4f3b",
    "/api/items?token=6f9b2c1d8e7a4f3b",
    "/%EC%A3%BC%EB%AC%B8%EB%82%B4%EC%97%AD",
    "/hilfe/konto-kuendigen-so-geht-es",
    "/aide/comment-supprimer-un-compte",
  ])("%s", (path) => expect(isGetEffect(path)).toBe(false));

  test("what never leaves", () => {
    expect(isGetEffect("", { url: "about:blank" })).toBe(false);
    expect(isGetEffect("", { url: "data:text/html,/delete/12" })).toBe(false);
    expect(isGetEffect("", { url: "https://" })).toBe(true);
  });

  test("OPTIONS does nothing", () => expect(isGetEffect("/posts/12/delete", { method: "OPTIONS" })).toBe(false));
});
