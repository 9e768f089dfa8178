/**
 * Normalises an e-mail address for comparison, ignoring case, character width and outer spaces. Stored in
 * `users.email_key`.
 */
export function toEmailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

/**
 * Masks an e-mail address for viewers who have a link or a form but have not yet shown that the mailbox is theirs
 * (C15).
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const local = [...email.slice(0, at)]
  const visible = local.length > 3 ? 2 : 1
  return `${local.slice(0, visible).join('')}${'•'.repeat(4)}${email.slice(at)}`
}
