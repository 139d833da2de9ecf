import { wordList } from "./words.ts";

/**
 * Verbs of what cannot be taken back, as buttons, paths, fields and operations spell them. Such a list is never
 * complete, so it only makes more be asked, and asked one by one: nothing passes because a word is missing here.
 */
export const IRREVERSIBLE = wordList(
  [
    // English
    "pay, pays, paying, buy, buying, purchase, delete, deletes, deleting, del, remove, removes, removing, destroy, erase, wipe, purge",
    "send, sends, sending, resend, transfer, withdraw, donate, publish, publishes, invite, approve, approves, revoke, grant, merge, deploy, rollback",
    "refund, charge, authorize, authorise, unsubscribe, deactivate, terminate, sign, esign, countersign, order, reorder, execute, disburse, payout, wire",
    "place order, submit order, confirm order, complete order, create order, finalize order, checkout submit, submit checkout, complete checkout, confirm checkout",
    "create payment, confirm payment, submit payment, make payment, capture payment, create transfer, confirm purchase, complete purchase, create invitation, create refund",
    "cancel subscription, cancel my subscription, cancel order, cancel booking, cancel reservation, cancel membership, cancel plan, cancel account, subscription cancel, order cancel",
    "close account, close my account, account close, delete account, reset password, change password, change email, rotate key, add key, add member, add collaborator, give access",
    // French
    "payer, payez, paie, regler, reglez, acheter, achetez, commander, commandez, supprimer, supprimez, effacer, effacez, retirer, retirez, envoyer, envoyez, expedier",
    "transferer, transferez, virer, publier, publiez, inviter, invitez, approuver, approuvez, signer, signez, resilier, resiliez, fusionner, deployer, revoquer, revoquez",
    "accorder, rembourser, desabonner, desinscrire, paiement, virement, resiliation, suppression",
    "passer commande, passer la commande, valider la commande, confirmer la commande, valider le paiement, annuler l abonnement, annuler la commande, fermer le compte, cloturer le compte, faire un don",
    // German
    "zahlen, bezahlen, bezahle, kaufen, kaufe, bestellen, bestelle, loschen, loesche, loeschen, losche, entfernen, entferne, senden, sende, absenden, abschicken, verschicken, versenden",
    "uberweisen, ueberweisen, veroffentlichen, veroeffentlichen, einladen, genehmigen, freigeben, unterschreiben, unterzeichnen, kundigen, kuendigen, stornieren, zusammenfuhren",
    "bereitstellen, widerrufen, gewahren, abbestellen, spenden, erstatten, zahlung, uberweisung, kundigung, konto schliessen, konto auflosen",
    // Russian
    "оплат*, заплатить, купить, купите, покупка, заказать, закажите, удалить, удалите, удаляй, удаление, стереть, отправить, отправьте, отправка, послать, перевести, переведите, перечислить",
    "опублик*, пригласить, пригласите, одобрить, одобрите, подписать, подпишите, объединить, развернуть, отозвать, отписаться, пожертвовать, снять деньги",
    "оформить заказ, подтвердить заказ, отменить подписку, отменить заказ, закрыть счет, закрыть аккаунт, предоставить доступ, вернуть деньги",
    // Spanish
    "pagar, pague, pagad, comprar, compre, eliminar, elimine, elimina, borrar, borre, borra, quitar, enviar, envie, envia, transferir, transfiera, publicar, publique, invitar, invite",
    "aprobar, apruebe, firmar, firme, fusionar, desplegar, revocar, conceder, otorgar, donar, reembolsar, pago, cancelar suscripcion, cancelar la suscripcion, cancelar pedido",
    "realizar pedido, hacer pedido, hacer el pedido, confirmar pedido, tramitar pedido, finalizar compra, cerrar cuenta, cerrar la cuenta, darse de baja, dar de baja",
  ],
  [
    // Korean
    "결제, 구매, 주문하기, 주문확정, 주문완료, 삭제, 제거, 지우기, 보내기, 전송, 발송, 송금, 이체, 게시하, 발행, 초대, 승인, 서명, 해지, 탈퇴, 병합, 배포, 수신거부, 환불, 기부, 철회, 양도",
    // Japanese
    "支払, 購入, 注文を確定, 注文する, 削除, 消去, 送信, 送金, 振込, 公開する, 投稿する, 招待, 承認, 署名, 解約, 退会, 取り消, マージ, デプロイ, 配信停止, 返金, 寄付, 譲渡, 買う, 申し込",
    // Chinese, simplified and traditional
    "支付, 付款, 购买, 購買, 下单, 下單, 提交订单, 提交訂單, 删除, 刪除, 移除, 发送, 發送, 转账, 轉帳, 转让, 轉讓, 发布, 發布, 邀请, 邀請, 批准, 签署, 簽署, 取消订阅, 取消訂閱, 注销, 註銷",
    "合并, 合併, 部署, 撤销, 撤銷, 授权, 授權, 退款, 捐赠, 捐款, 汇款, 匯款, 结算, 結帳",
  ],
);

/** A verb that in front of one of these words is none. */
export const NOT_BEFORE: ReadonlyMap<string, ReadonlySet<string>> = listed({
  sign: "in up on out off language",
  order:
    "by id number no status history detail details note notes line lines item items date dir direction type list total page summary confirmation tracking",
  grant: "type",
  transfer: "encoding type method",
  charge: "type",
  invite: "code",
  wire: "frame",
  merge: "tag tags",
  remove: "filter filters",
  payout: "method",
});

/** A verb that behind one of these words is none. */
export const NOT_AFTER: ReadonlyMap<string, ReadonlySet<string>> = listed({
  order:
    "sort sorting display view my your track edit save update search column tab list row get show open in out menu of find load",
  transfer: "bank data file",
  charge: "in of",
  grant: "auth",
});

/** As the name of a field, or in the middle of a path, these are things. */
export const NOUNS: ReadonlySet<string> = new Set(["order", "sign", "grant", "charge", "transfer", "wire", "merge"]);

/** To make one of these is to do it. */
export const MADE_FOR_GOOD: ReadonlySet<string> = new Set(
  "orders payments transfers purchases invitations invites refunds charges donations emails mails messages checkouts checkout withdrawals payouts transactions".split(
    " ",
  ),
);

/** Fields that only a payment has, without punctuation. */
export const PAYMENT_FIELDS: ReadonlySet<string> = new Set(
  "cvc cvv cvc2 cvv2 cardnumber cardcvc cardcvv ccnumber creditcard iban".split(" "),
);

/**
 * What is plainly done again or undone. It only names the class of a request in a question: no rule lets anything go
 * because of it. Small forms of other kinds are not here, because a small form changes the address that a password is
 * reset by, too.
 */
export const REVERSIBLE = wordList(
  [
    "draft, drafts, autosave, toggle, like, unlike, favorite, unfavorite, favourite, bookmark, unbookmark, star, unstar, wishlist, preview, collapse, expand, mute, unmute, snooze",
    "add to cart, add to basket, add to bag, cart add, basket add, add cart, mark read, mark as read, mark unread, mark as unread, save draft, save for later, search, sort, apply filter, apply filters, clear filters, filter results",
    "brouillon, ajouter au panier, aimer, entwurf, warenkorb, in den warenkorb, merken, черновик, добавить в корзину, в корзину, нравится, borrador, anadir al carrito, agregar al carrito, me gusta",
  ],
  [
    "임시저장, 장바구니, 좋아요, 찜하기, 읽음, 下書き, カートに入れ, カートに追加, いいね, 草稿, 加入购物车, 加入購物車, 点赞, 收藏",
  ],
);

/** Parameters whose value says what is to be done, in lower case without punctuation. */
export const COMMAND_KEYS: ReadonlySet<string> = new Set(
  "action act do op operation cmd command task event intent verb method mode function fn func commit submit button btn type step todo job procedure mutation".split(
    " ",
  ),
);

function listed(entries: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(entries).map(([verb, others]) => [verb, new Set(others.split(" "))]));
}
