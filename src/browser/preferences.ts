/** Chromium's values for a permission that is refused without asking. */
const BLOCKED = 2;
/** Chromium's value of `network_prediction_options` for "never". */
const PREDICT_NEVER = 2;

/** Nobody here can answer a permission prompt, and a prompt blocks the page. */
const refusedPermissions = [
  "notifications",
  "geolocation",
  "media_stream_mic",
  "media_stream_camera",
  "midi_sysex",
  "usb_guard",
  "serial_guard",
  "hid_guard",
  "bluetooth_guard",
  "bluetooth_scanning",
  "file_system_write_guard",
  "idle_detection",
  "local_fonts",
  "window_placement",
] as const;

/** Content of `Default/Preferences` of a new profile. Private windows take it over, so it holds in every context. */
export function profilePreferences(): Record<string, unknown> {
  return {
    // Prefetch and prerender send requests with cookies that no interception sees.
    net: { network_prediction_options: PREDICT_NEVER },
    // The PDF viewer makes hundreds of internal requests; a PDF becomes a download.
    plugins: { always_open_pdf_externally: true },
    // The screen picker is a native dialog that swallows later clicks.
    hardware: { screen_capture_enabled: false },
    // Other schemes open native dialogs, local files or the browser's own pages; a lone * does not mean the last.
    policy: {
      url_blocklist: ["*", "chrome://*", "chrome-untrusted://*"],
      url_allowlist: ["http://*", "https://*", "data:*", "blob:*"],
    },
    // Bubbles of the password manager swallow clicks, and its leak check talks to the vendor.
    credentials_enable_service: false,
    credentials_enable_autosignin: false,
    profile: {
      password_manager_enabled: false,
      password_manager_leak_detection: false,
      default_content_setting_values: Object.fromEntries(refusedPermissions.map((name) => [name, BLOCKED])),
      // Without it the next start would offer to restore pages.
      exit_type: "Normal",
    },
    // What one page was told must not be offered to the next.
    autofill: { enabled: false, profile_enabled: false, credit_card_enabled: false },
    payments: { can_make_payment_enabled: false },
    // Second line behind the flag of the same meaning.
    webrtc: { ip_handling_policy: "disable_non_proxied_udp" },
    // Each of these talks to the vendor by itself.
    signin: { allowed: false },
    translate: { enabled: false },
    search: { suggest_enabled: false },
    safebrowsing: { enabled: false },
    alternate_error_pages: { enabled: false },
    browser: { enable_spellchecking: false },
  };
}

/** Content of `Local State`, beside the profile. */
export function browserState(): Record<string, unknown> {
  // Names are resolved by the proxy, never by a resolver of the browser's choice.
  return { dns_over_https: { mode: "off" } };
}
