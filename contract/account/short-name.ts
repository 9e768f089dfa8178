/** Most characters of a short name. */
const MOST = 120

/** Words of the procedure before what is bought. */
const PREFIXES = ['ประกาศ', 'ประกวดราคาอิเล็กทรอนิกส์', 'ประกวดราคา', 'สอบราคา', 'ประมูล', 'ร่าง']
/** What begins the name of the procedure at the end. */
const SUFFIXES = ['ด้วยวิธี', 'โดยวิธี', '(e-bidding)']

/** A project's name without the words of the procedure, cut at 120 characters: for cards, where the kind of purchase stands elsewhere. */
export function shortProjectName(name: string): string {
  let short = name.trim()
  for (const prefix of PREFIXES) if (short.startsWith(prefix)) short = short.slice(prefix.length).trim()
  for (const suffix of SUFFIXES) {
    const at = short.lastIndexOf(suffix)
    if (at > 0) short = short.slice(0, at).trim()
  }
  if (short === '') short = name.trim()
  const letters = [...short]
  return letters.length <= MOST ? short : `${letters.slice(0, MOST - 1).join('')}…`
}
