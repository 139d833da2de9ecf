/** The shop in the browser: routes by history.pushState, draws by DOM calls, never by markup from data. */

const view = document.querySelector("#view");
const newsletter = document.querySelector("#newsletter");

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function euro(cents) {
  return `€ ${(cents / 100).toFixed(2)}`;
}

async function api(path, method = "GET", body = undefined) {
  const options =
    body === undefined
      ? { method }
      : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`);
  return answer.json();
}

function notice() {
  const place = element("p", { className: "notice" });
  place.setAttribute("role", "status");
  return place;
}

async function listPage(words) {
  const products = await api(`/api/products?q=${encodeURIComponent(words)}`);
  const items = products.map((product) =>
    element(
      "li",
      { className: "card" },
      element("h2", {}, element("a", { href: `/product/${product.id}` }, product.name)),
      element("p", {}, euro(product.cents)),
    ),
  );
  const heading = words === "" ? "Products" : `${products.length} found for “${words}”`;
  return [heading, element("ul", { className: "grid" }, ...items)];
}

async function productPage(id) {
  const product = (await api("/api/products")).find((candidate) => candidate.id === id);
  if (product === undefined) return ["No such product", element("p", {}, element("a", { href: "/" }, "All products"))];
  const size = element("select", { name: "size" }, ...product.sizes.map((name) => element("option", {}, name)));
  const button = element("button", { type: "button", className: "main" }, "Add to cart");
  const status = notice();
  button.addEventListener("click", async () => {
    const cart = await api("/api/cart", "POST", { id: product.id, size: size.value, quantity: 1 });
    status.textContent = `Added. ${cart.lines.reduce((sum, line) => sum + line.quantity, 0)} in the cart.`;
  });
  const chooser = product.sizes.length === 0 ? "" : element("label", {}, "Size ", size);
  return [
    product.name,
    element("p", {}, product.about),
    element("p", {}, euro(product.cents)),
    element("div", { className: "bar" }, chooser, button),
    status,
  ];
}

function cartRow(line) {
  const quantity = element("input", { type: "number", min: "1", max: "99", value: String(line.quantity) });
  quantity.setAttribute("aria-label", "Quantity");
  const change = async (count) => {
    await api("/api/cart/line", "POST", { id: line.id, size: line.size, quantity: count });
    await draw();
  };
  const update = element("button", { type: "button" }, "Update");
  update.addEventListener("click", () => change(Number(quantity.value)));
  const remove = element("button", { type: "button" }, "Remove");
  remove.addEventListener("click", () => change(0));
  const name = line.size === "" ? line.name : `${line.name}, ${line.size}`;
  return element(
    "tr",
    {},
    element("td", {}, name),
    element("td", {}, quantity, " ", update),
    element("td", { className: "number" }, euro(line.cents * line.quantity)),
    element("td", {}, remove),
  );
}

async function cartPage() {
  const cart = await api("/api/cart");
  if (cart.lines.length === 0) return ["Cart", element("p", {}, "Your cart is empty.")];
  const head = element("tr", {}, ...["Product", "Quantity", "Price", "Remove"].map((name) => element("th", {}, name)));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...cart.lines.map(cartRow)));
  const empty = element("button", { type: "button" }, "Empty cart");
  empty.addEventListener("click", async () => {
    if (!confirm("Empty the whole cart?")) return;
    await api("/api/cart", "DELETE");
    await draw();
  });
  const checkout = element("a", { href: "/checkout" }, "Checkout");
  checkout.dataset.leave = "";
  return [
    "Cart",
    table,
    element("p", {}, `Total ${euro(cart.totalCents)}`),
    element("p", { className: "bar" }, checkout, empty),
  ];
}

function storesPage() {
  return [
    "Stores",
    element("p", {}, "Our store is on Mill Lane."),
    element("iframe", { src: view.dataset.map, title: "Store map" }),
  ];
}

function pageFor(url) {
  if (url.pathname.startsWith("/product/"))
    return productPage(decodeURIComponent(url.pathname.slice("/product/".length)));
  if (url.pathname === "/cart") return cartPage();
  if (url.pathname === "/stores") return storesPage();
  return listPage(url.searchParams.get("q") ?? "");
}

let drawing = 0;

async function draw() {
  drawing += 1;
  const mine = drawing;
  let content;
  try {
    content = await pageFor(new URL(location.href));
  } catch (error) {
    content = ["That did not work", element("p", { className: "error" }, error.message)];
  }
  if (mine !== drawing) return;
  const [heading, ...rest] = content;
  document.title = `${heading} – Hearth & Table`;
  view.replaceChildren(element("h1", {}, heading), ...rest);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a");
  if (link === null || link.target !== "" || link.origin !== location.origin || "leave" in link.dataset) return;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  await draw();
});
addEventListener("popstate", draw);

document.querySelector("#open-newsletter").addEventListener("click", () => newsletter.showModal());
newsletter.querySelector("[name=close]").addEventListener("click", () => newsletter.close());
newsletter.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await api("/api/newsletter", "POST", { email: new FormData(event.target).get("email") });
  newsletter.querySelector("[role=status]").textContent = "Thank you.";
});

await draw();
