/**
 * The back office's orders: the same every time.
 *
 * @typedef {"New" | "Paid" | "Shipped" | "Cancelled"} Status
 *
 * @typedef {object} Order
 * @property {string} number
 * @property {string} date ISO day
 * @property {string} customer
 * @property {string} email
 * @property {string} town
 * @property {readonly { article: string, quantity: number, cents: number }[]} lines
 * @property {number} totalCents
 * @property {Status} status
 */

/** @type {readonly Status[]} */
export const STATUSES = ["New", "Paid", "Shipped", "Cancelled"];

const FIRST_NUMBER = 1031;
const ORDER_COUNT = 24;
const FIRST_DAY = Date.UTC(2026, 2, 2);
const DAY_MS = 86_400_000;

/** First letters of the statuses, oldest order first. */
const STATUS_LETTERS = "SSCSSPSSPSCPPSNPPNCPNNPN";

const CUSTOMERS = [
  ["Nora Lind", "Bergen"],
  ["Omar Haddad", "Lyon"],
  ["Grace Kim", "Leeds"],
  ["Paul Weber", "Graz"],
  ["Lucia Rossi", "Turin"],
  ["Emma Clark", "Bath"],
  ["Hugo Martin", "Nantes"],
  ["Sara Costa", "Porto"],
  ["Ivan Novak", "Brno"],
  ["Maria Silva", "Faro"],
];

/** Articles and prices in cents. */
const ARTICLES = /** @type {const} */ ([
  ["Blue kettle", 3_490],
  ["Oak tray", 2_850],
  ["Linen towel", 1_240],
  ["Cast iron pan", 5_900],
  ["Glass jug", 1_890],
  ["Bread knife", 2_675],
  ["Coffee mill", 7_450],
]);

/** @returns {Order[]} a fresh copy */
export function createOrders() {
  return Array.from({ length: ORDER_COUNT }, (_, index) => {
    const [customer = "", town = ""] = CUSTOMERS[(index * 7) % CUSTOMERS.length] ?? [];
    const lines = [0, 1].slice(0, 1 + (index % 2)).map((step) => {
      const [article, cents] = ARTICLES[(index * 3 + step * 2) % ARTICLES.length] ?? ARTICLES[0];
      return { article, quantity: 1 + ((index + step) % 3), cents };
    });
    return {
      number: `CMD-${FIRST_NUMBER + index}`,
      date: new Date(FIRST_DAY + index * DAY_MS).toISOString().slice(0, 10),
      customer,
      email: `${customer.toLowerCase().replace(" ", ".")}@mail.example`,
      town,
      lines,
      totalCents: lines.reduce((sum, line) => sum + line.quantity * line.cents, 0),
      status: STATUSES.find((name) => name.startsWith(STATUS_LETTERS[index] ?? "N")) ?? "New",
    };
  });
}

/**
 * Orders whose number, customer or town contains the words, newest number last.
 * @param {readonly Order[]} orders
 * @param {string} words
 * @param {string} status empty for all
 */
export function selectOrders(orders, words, status) {
  const wanted = words.trim().toLowerCase();
  return orders.filter(
    (order) =>
      (status === "" || order.status === status) &&
      [order.number, order.customer, order.town].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** @param {number} cents */
export function money(cents) {
  return (cents / 100).toFixed(2);
}

/**
 * @param {readonly Order[]} orders
 * @returns {string} CSV by RFC 4180
 */
export function ordersAsCsv(orders) {
  const rows = orders.map((order) => [order.number, order.date, order.customer, money(order.totalCents), order.status]);
  return [["Number", "Date", "Customer", "Total", "Status"], ...rows]
    .map((row) => `${row.map(csvCell).join(",")}\r\n`)
    .join("");
}

/** @param {string} text */
function csvCell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
