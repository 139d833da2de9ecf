import { wordList } from "./words.ts";

/**
 * As a whole segment of a path, these are what the address does. Whole segments are compared without punctuation:
 * `log-out` is logout.
 */
export const DOES: ReadonlySet<string> = segments(
  "delete, remove, destroy, erase, purge, logout, logoff, signout, unsubscribe, revoke, deactivate, upvote, downvote, unfollow, unlike, deleteaccount, closeaccount, cancelsubscription, emptytrash, emptybin, emptycart, clearcart, clearhistory",
  "supprimer, deconnexion, sedeconnecter, desabonnement, desabonner, desinscription, loschen, loeschen, abmelden, ausloggen, entfernen, abbestellen",
  "удалить, выход, выйти, отписаться, eliminar, borrar, cerrarsesion, salir, desuscribir, darsedebaja",
  "삭제, 로그아웃, 탈퇴, 구독취소, 수신거부, 削除, ログアウト, 退会, 配信停止, 删除, 刪除, 退出登录, 登出, 注销, 退订",
);

/**
 * These do something to what stands beside them (`/posts/12/approve`, `/approve/12`), or to whom a one-time token
 * names.
 */
export const DOES_TO: ReadonlySet<string> = segments(
  "approve, accept, reject, decline, vote, confirm, verify, activate, subscribe, cancel, publish, unpublish, follow, like, join, leave, enable, disable, restore, withdraw, send, resend, redeem",
  "approuver, accepter, refuser, voter, confirmer, verifier, activer, annuler, publier, envoyer, bestatigen, aktivieren, stornieren, kundigen, ablehnen, veroffentlichen, genehmigen",
  "подтвердить, отменить, одобрить, опубликовать, активировать, confirmar, verificar, activar, cancelar, aprobar, rechazar, votar, publicar, aceptar, enviar",
  "승인, 확인, 취소, 인증, 투표, 承認, 確認, 認証, キャンセル, 投票, 批准, 确认, 確認, 验证, 驗證, 激活, 取消, 投票",
);

/** With a one-time token in the address: any of these among the few words of a segment, or as a parameter's name. */
export const WITH_TOKEN = wordList(
  [
    "delete, remove, logout, unsubscribe, unsub, optout, approve, accept, reject, decline, vote, upvote, downvote, confirm, confirmation, verify, verification, activate, activation, cancel",
    "publish, revoke, deactivate, invite, invitation, redeem, claim, pay, buy, rsvp, acknowledge, opt out, log out, sign out, one click",
    "supprimer, desabonner, desabonnement, desinscription, confirmer, verifier, valider, activer, loschen, abmelden, bestatigen, aktivieren, abbestellen",
    "удалить, отписаться, подтвердить, подтверждение, активировать, eliminar, confirmar, confirmacion, verificar, activar, desuscribir, baja, aprobar",
  ],
  [
    "삭제, 수신거부, 승인, 확인, 인증, 투표, 削除, 配信停止, 承認, 確認, 認証, 投票, 删除, 退订, 确认, 验证, 激活, 批准, 投票",
  ],
);

/** As first or last word of the value of a parameter that says what to do (`?action=delete`). */
export const COMMANDS = wordList(
  [
    "delete, del, remove, destroy, erase, purge, trash, untrash, logout, logoff, signout, unsubscribe, approve, unapprove, accept, reject, decline, vote, upvote, downvote, confirm, activate, deactivate",
    "publish, unpublish, revoke, cancel, subscribe, follow, unfollow, like, unlike, ban, unban, block, spam, send, resend, pay, buy, purchase, restore, enable, disable, merge, deploy, reboot, restart, shutdown",
    "add to cart, add to basket, add to wishlist, log out, sign out, opt out, supprimer, valider, deconnexion, envoyer, payer, acheter, loschen, abmelden, entfernen, senden, kaufen, удалить, купить, отправить, eliminar, borrar, pagar, comprar, enviar",
  ],
  ["삭제, 승인, 결제, 구매, 削除, 承認, 購入, 送信, 删除, 刪除, 批准, 支付, 购买"],
);

/** As the name of a parameter with a value (`?delete=12`, `?remove_item=ab`), without punctuation. */
export const DOING_KEYS: ReadonlySet<string> = segments(
  "delete, del, deleteid, deleteitem, remove, removeid, removeitem, removefromcart, addtocart, addtowishlist, logout, unsubscribe, approve, vote, upvote, downvote, emptycart, supprimer, eliminar, loschen, удалить",
);

/**
 * Parameters that say what is to be done. Narrower than for bodies: `type`, `mode` and `step` choose a view in
 * addresses.
 */
export const GET_COMMAND_KEYS: ReadonlySet<string> = new Set(
  "action act do op operation cmd command method task".split(" "),
);
/** Values of these say it too, for few words only. */
export const MODE_KEYS: ReadonlySet<string> = new Set(["mode"]);
export const MODES: ReadonlySet<string> = segments("delete, logout, vote, unsubscribe, approve");

/** What an address on a private site orders, as first or last word of a segment, beside an id or values. */
export const ORDERS = wordList([
  "delete, del, remove, destroy, erase, purge, trash, drop, logout, logoff, signout, unsubscribe, approve, unapprove, accept, reject, decline, vote, upvote, downvote, confirm, activate, deactivate, enable, disable",
  "publish, unpublish, revoke, cancel, follow, unfollow, like, unlike, ban, unban, block, unblock, send, resend, pay, buy, purchase, restore, merge, deploy, reboot, restart, shutdown, stop, execute, trigger",
  "refund, transfer, withdraw, deposit, charge, capture, donate, invite, promote, demote, grant, reset, regenerate, rotate, close, reopen, lock, unlock, unassign, claim, redeem, join, leave, checkout, toggle, kick, mute, impersonate, uninstall, empty, flush, share, subscribe, complete",
  "supprimer, valider, envoyer, payer, acheter, deconnexion, loschen, abmelden, entfernen, senden, kaufen, bezahlen, удалить, купить, отправить, оплатить, выйти, eliminar, borrar, pagar, comprar, enviar",
]);
/** In front of an object these order something as well: `setRole`, `markPaid`. By themselves they are things. */
export const SETS: ReadonlySet<string> = new Set("set make mark give assign add change update".split(" "));
/** What a verb is done to, in one word with it: `removeUser`. */
export const OBJECTS: ReadonlySet<string> = new Set(
  "user users account item items post posts all me session sessions page entry row record comment message file files member group order cart event task job role roles admin owner password paid done read unread key keys token tokens access permission permissions".split(
    " ",
  ),
);
/** Words in front of a verb that add nothing: `doLogout`. */
export const FILLERS: ReadonlySet<string> = new Set(
  "do perform exec process handle ajax api user account action as the my this".split(" "),
);
/** Parameters that choose what is seen. */
export const VIEWS: ReadonlySet<string> = new Set(
  "q query search s term prefix input text keyword keywords filter filters sort order orderby sortby dir direction tab page p per_page type status state event level kind perpage limit offset view lang language locale hl tag tags category cat section topic title from utm_source utm_medium utm_campaign ref".split(
    " ",
  ),
);
/** Names of tokens against forgery, without punctuation. */
export const FORGERY_KEYS: ReadonlySet<string> = new Set(
  "csrf csrftoken csrfmiddlewaretoken xsrf xsrftoken authenticitytoken requestverificationtoken wpnonce sesskey formkey formtoken sectok crumb".split(
    " ",
  ),
);
/** What kind of program answers. */
export const EXTENSION =
  /\.(?:php\d?|phtml|aspx?|ashx|asmx|jspx?|jsf|do|action|cgi|pl|py|rb|html?|xhtml|json|xml|cfm)$/i;

/** Sections that write about such words: under them a bare word is a title. */
export const SECTIONS: ReadonlySet<string> = segments(
  "docs, doc, documentation, reference, manual, man, manpages, tutorial, tutorials, guide, guides, learn, help, support, faq, faqs, kb, knowledgebase, dictionary, glossary, wiki, definition, definitions, define",
  "thesaurus, translate, translation, examples, example, commands, apireference, howto, lexicon, encyclopedia",
);
/** Right in front of the word as the last segment they make it a title, too: `/tags/delete`. */
export const LISTS: ReadonlySet<string> = segments(
  "blog, tag, tags, topic, topics, category, categories, search, questions, news, articles, posts, packages, package, icons, icon, emoji, word, words, tagged, r, label, labels",
);

/** A label that is only this, on a link or a button of a form that goes by GET. */
export const LABELS = wordList([
  "delete, delete account, delete forever, log out, logout, sign out, unsubscribe, pay, pay now, buy now, place order, opt out, revoke, approve",
  "supprimer, se deconnecter, deconnexion, se desabonner, desabonner, payer, loschen, abmelden, ausloggen, abbestellen, bezahlen, удалить, выйти, отписаться, оплатить",
  "eliminar, borrar, cerrar sesion, darse de baja, pagar",
  "삭제, 로그아웃, 탈퇴, 결제하기, 수신거부, 削除, ログアウト, 退会, 購入する, 配信停止, 删除, 刪除, 退出登录, 登出, 支付, 退订",
]);

/** Parameters with a token that some advertisement added: not one-time. */
export const TRACKING =
  /^(?:utm_.*|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|twclid|ttclid|igshid|mc_.*|_ga|_gl|_hs.*|ref|referrer|src|source)$/i;
/** Names of parameters that hold a one-time token. */
export const TOKEN_KEYS: ReadonlySet<string> = segments(
  "token, t, key, hash, sig, signature, code, auth, nonce, wpnonce, csrf, csrftoken, authenticitytoken, hmac, secret, confirmationtoken, confirmtoken, activationkey, unsubscribetoken, verificationcode, otp, ticket, jwt, k, h",
);

function segments(...lines: readonly string[]): ReadonlySet<string> {
  return new Set([...wordList(lines).words, ...wordList(lines).phrases.map((words) => words.join(""))]);
}
