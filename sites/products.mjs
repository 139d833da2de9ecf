/**
 * What the shop sells.
 *
 * @typedef {{ id: string, name: string, about: string, cents: number, sizes: readonly string[] }} Product
 */

/** @type {readonly Product[]} */
export const PRODUCTS = [
  {
    id: "blue-kettle",
    name: "Blue kettle",
    about: "Enamel, whistles, for every stove.",
    cents: 3_490,
    sizes: ["1 l", "2 l"],
  },
  { id: "oak-tray", name: "Oak tray", about: "Oiled oak with two handles.", cents: 2_850, sizes: [] },
  {
    id: "linen-towel",
    name: "Linen towel",
    about: "Dries fast, gets softer with every wash.",
    cents: 1_240,
    sizes: [],
  },
  {
    id: "iron-pan",
    name: "Cast iron pan",
    about: "Seasoned with rapeseed oil.",
    cents: 5_900,
    sizes: ["24 cm", "28 cm"],
  },
  { id: "glass-jug", name: "Glass jug", about: "Mouth-blown, with a lid of cork.", cents: 1_890, sizes: [] },
  { id: "bread-knife", name: "Bread knife", about: "Long teeth, handle of walnut.", cents: 2_675, sizes: [] },
  { id: "coffee-mill", name: "Coffee mill", about: "Grinds by hand, from fine to coarse.", cents: 7_450, sizes: [] },
  {
    id: "red-kettle",
    name: "Red kettle",
    about: "Steel, quiet, pours without a drop.",
    cents: 4_120,
    sizes: ["1 l", "2 l"],
  },
];

/** @param {string} words */
export function searchProducts(words) {
  const wanted = words.trim().toLowerCase();
  return PRODUCTS.filter((product) => `${product.name} ${product.about}`.toLowerCase().includes(wanted));
}
