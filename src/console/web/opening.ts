import { at, say } from "./elements.ts";

const key = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

/** Exchanges the key for the cookie and the token. */
async function open(): Promise<void> {
  const response = await fetch("/open", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  if (!response.ok) throw new Error("refused");
  const { token } = (await response.json()) as { readonly token: string };
  sessionStorage.setItem("token", token);
}

const opened = key === "" && sessionStorage.getItem("token") !== null ? Promise.resolve() : open();
opened.then(
  () => location.replace("/"),
  () => say(at("says"), "This address opens once, and was used or is too old. Run chaperone console again."),
);
