/** Returns true if a chat app truncated the link within a character (U+FFFD), so the value is incomplete. */
export const isTruncatedUrlValue = (value: string): boolean => value.includes('\ufffd')
