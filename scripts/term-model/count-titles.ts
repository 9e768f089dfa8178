import { removeSpacesNextToThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'

type Node = { next: Map<number, Node>; unit: number }

/**
 * Counts for each unit (word or phrase) the titles that contain it, as matching does: long units match anywhere, short
 * ones only at word boundaries.
 */
export function countTitles(titles: readonly string[], units: readonly string[]): Uint32Array {
  const forms = units.map(toNormalisedSearchText)
  const root: Node = { next: new Map(), unit: -1 }
  forms.forEach((form, id) => {
    let node = root
    for (let at = 0; at < form.length; at += 1) {
      const code = form.charCodeAt(at)
      let next = node.next.get(code)
      if (!next) {
        next = { next: new Map(), unit: -1 }
        node.next.set(code, next)
      }
      node = next
    }
    node.unit = id
  })
  const counts = new Uint32Array(units.length)
  const lastTitle = new Int32Array(units.length).fill(-1)
  titles.forEach((title, index) => {
    const compact = removeSpacesNextToThai(title)
    for (let start = 0; start < compact.length; start += 1) {
      let node: Node | undefined = root
      for (let at = start; at < compact.length; at += 1) {
        node = node.next.get(compact.charCodeAt(at))
        if (!node) break
        const id = node.unit
        if (id < 0 || lastTitle[id] === index) continue
        if (requiresWordBoundaries(forms[id]!) && !isWholeWord(compact, start, at + 1)) continue
        lastTitle[id] = index
        counts[id]! += 1
      }
    }
  })
  return counts
}
