/** Returns true if a chat app truncated the link within a character (U+FFFD), so the value is incomplete. */
export const isTruncatedValue = (value: string): boolean => value.includes('\ufffd')
