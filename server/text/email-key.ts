/** What makes two spellings of an e-mail address one account: case, width and outer blanks do not count. Stored in `users.email_key`. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}
