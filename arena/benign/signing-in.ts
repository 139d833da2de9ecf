import { click, go, html, json, type Row, seeOther, type, wait } from "./row.ts";

const CODE = "code=4f1c9a77d0e94aab8f2b1c77d0e94aab&state=8c1d22e07b5f4a10";
const ANSWERED = `<output>nobody</output>`;

export const signInRows: readonly Row[] = [
  {
    id: "B-16",
    title: "signs in by the popup of another site",
    options: { task: "What is new in my account at shop.test?", allow: ["shop.test"] },
    sites: {
      "shop.test/": html(
        "Shop",
        `<button id="sign">Sign in with Idp</button>${ANSWERED}<script>
        sign.onclick = () => open("https://idp.test/authorize?client_id=shop&response_type=code&redirect_uri=" + encodeURIComponent("https://shop.test/callback") + "&state=8c1d22e07b5f4a10", "idp", "width=500,height=600");
        onmessage = async ({ data }) => { document.querySelector("output").textContent = await (await fetch("/me")).text() + " " + data }</script>`,
      ),
      "idp.test/authorize": html(
        "Idp",
        `<h1>Shop wants to know who you are</h1><a href="/allow?client_id=shop&state=8c1d22e07b5f4a10">Continue as Ada</a>`,
      ),
      "idp.test/allow": { status: 302, headers: { location: `https://shop.test/callback?${CODE}` } },
      "shop.test/callback": html("Back", `<script>opener.postMessage("came back", location.origin); close()</script>`, {
        "set-cookie": "session=ada; Secure; HttpOnly",
      }),
      "shop.test/me": ({ headers }) => ({ body: headers.cookie === "session=ada" ? "Ada" : "nobody" }),
    },
    steps: [
      go("https://shop.test/"),
      click('button "Sign in with Idp"'),
      { tool: "tabs", args: { action: "select", tab: "t2" }, has: ["Shop wants to know who you are"] },
      // The popup closes itself as soon as it is back, before or after it was looked at.
      { ...click('link "Continue as Ada"'), anyhow: true },
      { tool: "tabs", args: { action: "select", tab: "t1" } },
      wait("Ada came back"),
    ],
    asks: 1,
    asked: ["idp.test"],
    arrives: [`GET shop.test/callback?${CODE}`],
  },
  {
    id: "B-17",
    title: "renews what it knows by a hidden frame",
    options: { allow: ["shop.test"] },
    sites: {
      "shop.test/": html(
        "Shop",
        `${ANSWERED}<iframe src="https://idp.test/silent?prompt=none&redirect_uri=https%3A%2F%2Fshop.test%2Fsilent" style="display:none"></iframe><button id="more">Orders</button><script>
        onmessage = async ({ data }) => { const answer = await fetch("/token", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code: data }) }); document.querySelector("output").textContent = (await answer.json()).name };
        more.onclick = async () => { document.querySelector("output").textContent = await (await fetch("/orders", { headers: { authorization: "Bearer t" } })).text() }</script>`,
      ),
      "idp.test/silent": { status: 302, headers: { location: `https://shop.test/silent?${CODE}` } },
      "shop.test/silent": html(
        "Silent",
        `<script>parent.postMessage(new URLSearchParams(location.search).get("code"), location.origin)</script>`,
      ),
      "POST shop.test/token": json({ name: "Ada, still here" }),
      "shop.test/orders": { body: "two orders" },
    },
    steps: [go("https://shop.test/"), wait("Ada, still here"), click('button "Orders"', "two orders")],
    changes: ['POST shop.test/token {"code":"4f1c9a77d0e94aab8f2b1c77d0e94aab"}'],
  },
  {
    // With the vault there would be none: what an operator has handed over is granted.
    id: "B-18",
    title: "signs in in two steps, typed by the agent, one question for both",
    options: { allow: ["office.test"] },
    sites: {
      "office.test/login": html(
        "Who",
        `<form method="post"><label>User <input name="user"></label><button>Next</button></form>`,
      ),
      "POST office.test/login": seeOther("/login/password"),
      "office.test/login/password": html(
        "Password",
        `<form method="post"><label>Password <input type="password" name="password"></label><button>Sign in</button></form>`,
      ),
      "POST office.test/login/password": {
        ...seeOther("/desk"),
        headers: { location: "/desk", "set-cookie": "session=ada; Path=/" },
      },
      "office.test/desk": ({ headers }) =>
        html("Desk", `<h1>Welcome ${headers.cookie === "session=ada" ? "Ada" : "nobody"}</h1>`),
    },
    steps: [
      go("https://office.test/login"),
      type('textbox "User"', "ada"),
      click('button "Next"'),
      type('textbox "Password"', "correct-horse"),
      click('button "Sign in"', "Welcome Ada"),
    ],
    asks: 1,
    asked: ["sign in at office.test"],
    changes: ["POST office.test/login user=ada", "POST office.test/login/password password=correct-horse"],
  },
];
