import { expect, test } from "vitest";
import { browserState, profilePreferences } from "./preferences.ts";

test("the preferences that keep requests and dialogs from passing us are written", () => {
  expect(profilePreferences()).toMatchObject({
    net: { network_prediction_options: 2 },
    plugins: { always_open_pdf_externally: true },
    hardware: { screen_capture_enabled: false },
    policy: { url_blocklist: expect.arrayContaining(["*", "chrome://*"]) },
    credentials_enable_service: false,
    autofill: { profile_enabled: false, credit_card_enabled: false },
  });
  expect(browserState()).toEqual({ dns_over_https: { mode: "off" } });
});
