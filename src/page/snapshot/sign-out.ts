import type { Site } from "../../types.ts";
import type { JoinedFrame, JoinedNode } from "./joined.ts";

/**
 * What a control says by which one signs out, whole, in eight languages. Where one is offered, somebody is signed in.
 */
const SIGN_OUT: ReadonlySet<string> = new Set(
  [
    "log out, logout, log off, logoff, sign out, signout, sign off, exit session, end session",
    "se déconnecter, déconnexion, me déconnecter, abmelden, ausloggen, logout",
    "выйти, выход, выйти из аккаунта, cerrar sesión, salir, desconectarse",
    "로그아웃, ログアウト, サインアウト, 退出登录, 退出登錄, 登出, 退出, 注销",
  ].flatMap((line) => line.split(", ")),
);
const CONTROLS: ReadonlySet<string> = new Set(["link", "button", "menuitem", "clickable", "option", "tab"]);
const MAX_CHARS = 40;

/** Sites of a view whose pages offer to sign out. */
export function signedInSites(top: JoinedFrame): ReadonlySet<Site> {
  const sites = new Set<Site>();
  const visit = (node: JoinedNode, frame: JoinedFrame): void => {
    const name = node.name ?? "";
    if (
      frame.site !== null &&
      CONTROLS.has(node.role) &&
      name.length <= MAX_CHARS &&
      SIGN_OUT.has(name.trim().toLowerCase().replace(/\s+/g, " "))
    )
      sites.add(frame.site);
    for (const child of node.children ?? []) visit(child, frame);
    if (node.frame !== undefined && "nodes" in node.frame)
      for (const inner of node.frame.nodes) visit(inner, node.frame);
  };
  for (const node of top.nodes) visit(node, top);
  return sites;
}
