import { GOODS_WORDS } from './words-goods.ts'
import { SERVICE_WORDS } from './words-services.ts'
import { WORKS_WORDS } from './words-works.ts'

/** By number of the business subtype, which is stored and keeps its meaning. */
export type StarterWords = Readonly<
  Record<
    number,
    { readonly include: readonly string[]; readonly ai: readonly string[]; readonly exclude: readonly string[] }
  >
>

/**
 * Words that the titles of e-GP use for what a business sells, and what else these words find in them. Every word was counted in the
 * 1,386,362 titles of fiscal year 2568; `test/starter-words.test.ts` counts again.
 */
export const STARTER_WORDS: StarterWords = { ...WORKS_WORDS, ...GOODS_WORDS, ...SERVICE_WORDS }
