import { expect, test } from "vitest";
import { installLine } from "./install-line.ts";

test.each([
  ["linux", 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n', "apt-get install -y chromium"],
  ["linux", "ID=ubuntu\nID_LIKE=debian\n", "npx playwright-core install chromium"],
  ["linux", 'ID=linuxmint\nID_LIKE="ubuntu debian"\n', "npx playwright-core install chromium"],
  ["linux", 'ID=kali\nID_LIKE="debian"\n', "apt-get install -y chromium"],
  ["linux", "ID=alpine\n", "apk add chromium"],
  ["linux", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', "dnf install -y chromium"],
  ["linux", "ID='arch'\n", "pacman -S --noconfirm chromium"],
  ["linux", "ID=opensuse-leap\nID_LIKE='suse opensuse'\n", "zypper install -y chromium"],
  ["linux", "ID=nixos\n", "npx playwright-core install chromium"],
  ["linux", "", "npx playwright-core install chromium"],
  ["darwin", "", "brew install --cask google-chrome"],
  ["win32", "", "winget install Google.Chrome"],
] as const)("%s with %j is told to run %s", (platform, osRelease, line) => {
  expect(installLine(platform, osRelease)).toBe(line);
});
