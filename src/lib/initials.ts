/** One letter of the first and of the last name for an avatar; Thai leading vowels (เ แ โ ใ ไ) are passed over. */
export function initialsOf(firstName: string | null, lastName: string | null): string {
  const letter = (name: string | null) => /[^เแโใไ\P{L}]/u.exec(name ?? '')?.[0] ?? ''
  return (letter(firstName) + letter(lastName)).toLocaleUpperCase('th') || '?'
}
