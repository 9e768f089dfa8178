import type { KeywordListCode } from '#contract/account/organisation.ts'
import { createExternalStore } from '#src/lib/store.ts'

/**
 * Result of the last add or delete (watch-list action status, specification section 4); undefined if there was none.
 */
export type KeywordListActionResult = {
  readonly list: KeywordListCode
  readonly tone: 'success' | 'error'
  readonly text: string
  /** Words named in the server's refusal: blacklisted, or with wrong brackets. */
  readonly named?: readonly { readonly title: string; readonly words: readonly string[] }[]
}

export const keywordListActionResultStore = createExternalStore<KeywordListActionResult | undefined>(undefined)
