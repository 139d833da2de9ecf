/**
 * Names and addresses that stand for metadata services and intranet: without a guard they lead to the internal
 * listener.
 */
export const INTERNAL_NAMES: readonly string[] = [
  "169.254.169.254",
  "metadata.google.internal",
  "100.100.100.200",
  "168.63.129.16",
  "10.0.0.1",
  "192.168.0.1",
  "172.16.0.1",
];
