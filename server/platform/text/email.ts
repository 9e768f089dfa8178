/** What makes two spellings of an e-mail address one account: case, width and outer blanks do not count. Stored in `users.email_key`. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

/** An e-mail address with its middle hidden, for whoever holds a link or a form but has not shown that the mailbox is theirs (C15). */
export function hiddenEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const local = [...email.slice(0, at)]
  const shown = local.length > 3 ? 2 : 1
  return `${local.slice(0, shown).join('')}${'•'.repeat(4)}${email.slice(at)}`
}
