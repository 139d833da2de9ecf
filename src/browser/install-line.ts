const onAnyPlatform = "npx playwright-core install chromium";

const byDistribution: readonly { readonly ids: readonly string[]; readonly line: string }[] = [
  // Ubuntu's chromium package is a snap, which cannot see a profile made by us.
  { ids: ["ubuntu"], line: onAnyPlatform },
  { ids: ["debian"], line: "apt-get install -y chromium" },
  { ids: ["alpine"], line: "apk add chromium" },
  { ids: ["fedora", "rhel", "centos"], line: "dnf install -y chromium" },
  { ids: ["arch"], line: "pacman -S --noconfirm chromium" },
  { ids: ["suse", "opensuse"], line: "zypper install -y chromium" },
];

/**
 * The command that brings a Chromium to this machine.
 * @param osRelease content of /etc/os-release, empty where there is none.
 */
export function installLine(platform: NodeJS.Platform, osRelease: string): string {
  if (platform === "darwin") return "brew install --cask google-chrome";
  if (platform === "win32") return "winget install Google.Chrome";
  // ID comes first: a derived distribution names its parents in ID_LIKE, nearest first.
  for (const id of [...releaseWords(osRelease, "ID"), ...releaseWords(osRelease, "ID_LIKE")]) {
    const match = byDistribution.find((entry) => entry.ids.includes(id));
    if (match) return match.line;
  }
  return onAnyPlatform;
}

function releaseWords(osRelease: string, key: string): string[] {
  const line = osRelease.split("\n").find((candidate) => candidate.startsWith(`${key}=`));
  return (line ?? "")
    .slice(key.length + 1)
    .replace(/["']/g, "")
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
}
