import { closenessTo } from '#server/meaning/closeness.ts'
import { termModel } from '#server/meaning/term-model.ts'

/** What follows closes the word's last syllable, so it is another one: ยา + ง, ว, น, ย. */
const CLOSES_SYLLABLE = /^[ก-ฮ]์?$/
/**
 * From here a longer word means what the word means. A Thai compound that begins with the word is mostly a kind of it (รถยนต์, ไฟฟ้า: 0.65, 0.59;
 * น้ำมัน 0.33), one that ends with it mostly is not (แม่น้ำ 0.41; บ่อน้ำ 0.48).
 */
const SAME_WHEN_FIRST = 0.35
const SAME_WHEN_LAST = 0.45
/** Of the two rankings behind the mean, the one that very frequent words have (ทางหลวง 0.53). */
const SAME_BY_LETTERS = 0.5

/** Whether a longer word that holds the word is about the same thing, so that nobody would want to leave it out. */
export type SameThing = (longer: string) => boolean

/** Judges longer words by the vocabulary learned from e-GP titles. Words in search form. */
export function judgeOf(word: string): SameThing {
  const model = termModel()
  const closeness = closenessTo(model, word)
  return (longer) => {
    const at = longer.indexOf(word)
    const rest = longer.slice(at + word.length)
    if (at > 0 && rest !== '') return false
    if (at === 0 && CLOSES_SYLLABLE.test(rest)) return false
    // Nothing is known of the word: a compound that begins with it is taken for a kind of it.
    if (!closeness) return at === 0
    const id = model.ids.get(longer)
    if (at > 0) return id !== undefined && mean(closeness, id) >= SAME_WHEN_LAST
    if (id === undefined) return (closeness.ofText(longer) ?? 0) >= SAME_WHEN_FIRST
    const letters = closeness.context[id] === 0 ? closeness.subword[id]! : 0
    return letters >= SAME_BY_LETTERS || mean(closeness, id) >= SAME_WHEN_FIRST
  }
}

const mean = ({ subword, context }: NonNullable<ReturnType<typeof closenessTo>>, id: number) =>
  (subword[id]! + context[id]!) / 2
