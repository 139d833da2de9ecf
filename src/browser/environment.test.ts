import { expect, test } from "vitest";
import { browserEnvironment } from "./environment.ts";

const directory = { root: "/s", profile: "/s/profile", home: "/s/home", temporary: "/s/t", downloads: "/s/downloads" };

test("keys, buses and homes of the host do not reach the browser", () => {
  const env = browserEnvironment(directory, {
    PATH: "/bin",
    DISPLAY: ":1",
    OPENAI_API_KEY: "key",
    AWS_SECRET_ACCESS_KEY: "key",
    CHROME_DEVEL_SANDBOX: "/x",
    LD_PRELOAD: "/x.so",
    HTTP_PROXY: "http://proxy",
    HOME: "/root",
    TMPDIR: "/mine",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
  });
  expect(env).toMatchObject({ PATH: "/bin", DISPLAY: ":1", HOME: "/s/home", TMPDIR: "/s/t" });
  expect(JSON.stringify(env)).not.toMatch(/key"|LD_PRELOAD|CHROME_DEVEL|http:\/\/proxy|\/root|\/mine|run\/bus/);
});
