const MAX_LENGTH = 120

const PREFIXES = ['ประกาศ', 'ประกวดราคาอิเล็กทรอนิกส์', 'ประกวดราคา', 'สอบราคา', 'ประมูล', 'ร่าง']
const SUFFIXES = ['ด้วยวิธี', 'โดยวิธี', '(e-bidding)']

/**
 * Strips words for the procurement procedure and truncates the name to 120 characters, for cards that show the
 * procurement method separately.
 */
export function shortenProjectName(name: string): string {
  let short = name.trim()
  for (const prefix of PREFIXES) if (short.startsWith(prefix)) short = short.slice(prefix.length).trim()
  for (const suffix of SUFFIXES) {
    const at = short.lastIndexOf(suffix)
    if (at > 0) short = short.slice(0, at).trim()
  }
  if (short === '') short = name.trim()
  // Splitting into letters takes longer than the rest, and a letter has at least one code unit.
  if (short.length <= MAX_LENGTH) return short
  const letters = [...short]
  return letters.length <= MAX_LENGTH ? short : `${letters.slice(0, MAX_LENGTH - 1).join('')}…`
}
