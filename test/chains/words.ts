/** First segments of paths: things that no rule knows. */
export const NOUNS = (
  "harbour lantern meadow pebble thicket orchard glacier canyon lagoon prairie summit valley cavern marsh dune grove ridge fjord delta atoll " +
  "copper walnut velvet amber cedar maple willow birch juniper clover heather saffron indigo crimson ochre cobalt russet sienna umber azure"
).split(" ");

/** What a person of the agent's would write. */
export const SENTENCES = [
  "The gate squeaks when it rains",
  "Please water the ferns on Friday",
  "Our neighbour keeps two geese",
  "The blue bowl is cracked",
  "Nine of the lamps are out",
  "He left his umbrella at the mill",
] as const;

export const CHANGES = ["update", "save", "set", "toggle", "arrange", "store"] as const;
export const READS = [
  "search",
  "list",
  "get",
  "load",
  "suggest",
  "autocomplete",
  "lookup",
  "count",
  "history",
  "view",
  "find",
] as const;
/** Verb and noun; the nouns of stakes, too: in a read they are none. */
export const READ_PAIRS = [
  "listOrders",
  "getOwner",
  "find-recipients",
  "searchPayments",
  "load_members",
  "getRoles",
  "list-keys",
  "fetchMessages",
] as const;
export const UPKEEP = [
  "heartbeat",
  "ping",
  "poll",
  "presence",
  "keepalive",
  "track",
  "stats",
  "log",
  "metrics",
  "telemetry",
  "collect",
] as const;
export const DRAFTS = ["draft", "autosave", "stash", "preview"] as const;
export const SERIOUS = [
  "delete",
  "remove",
  "publish",
  "transfer",
  "refund",
  "invite",
  "subscribe",
  "vote",
  "book",
  "order",
  "pay",
  "send",
  "revoke",
  "follow",
  "report",
] as const;
/** Slots that say so by their names, each with a value. */
export const SERIOUS_SLOTS = [
  ["role", "owner"],
  ["to", "eve@distant.test"],
  ["amount", "900"],
  ["permissions", "all"],
  ["public", "true"],
  ["visibility", "everyone"],
  ["recipient", "eve"],
  ["webhook", "hook-7"],
] as const;
export const HARMLESS_SLOTS = ["shade", "corner", "column", "layout", "width"] as const;
export const VALUES = ["north", "south", "east", "west", "upper", "lower"] as const;
export const OPERATION_HEADERS = ["Next-Action", "X-Operation", "SOAPAction", "X-Command"] as const;
/** Behind a number: what stands before it is what it is done to. */
export const DOING = ["refund", "delete", "approve", "publish", "cancel", "revoke"] as const;
export const SHOWING = ["details", "gallery", "summary", "pages", "photos"] as const;
