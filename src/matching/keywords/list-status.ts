import type { KeywordList } from '#contract/account/organisation.ts'
import { createStore } from '#src/lib/store.ts'

/** What became of the last add or delete (watch-list action status, specification section 4): nothing, success or error. */
export type ListStatus = {
  readonly list: KeywordList
  readonly tone: 'success' | 'error'
  readonly text: string
  /** Words that the server names: on its blacklist, or with wrong brackets. */
  readonly named?: readonly { readonly title: string; readonly words: readonly string[] }[]
}

export const listStatus = createStore<ListStatus | undefined>(undefined)
