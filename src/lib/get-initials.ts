/** Returns the initials of first and last name, skipping Thai leading vowels (เ แ โ ใ ไ). */
export function getInitials(firstName: string | null, lastName: string | null): string {
  const letter = (name: string | null) => /[^เแโใไ\P{L}]/u.exec(name ?? '')?.[0] ?? ''
  return (letter(firstName) + letter(lastName)).toLocaleUpperCase('th') || '?'
}
