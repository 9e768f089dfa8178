import { readProjectId } from '#contract/catalogue/project-id.ts'

/** What another app shares (the Web Share Target API): each may be missing, and a link stands in `text` as often as in `url`. */
export type Shared = { readonly title?: string; readonly text?: string; readonly url?: string }

/** Longest search that a shared text becomes, in signs. */
const LONGEST_SEARCH = 200

/**
 * Where something that was shared leads: to the project whose number stands in it, alone or in a link of e-GP; else to a search for its words; with nothing in it to
 * the report. A link without a number has no words that a project would be called by.
 */
export function sharedHref({ title, text, url }: Shared): string {
  const parts = [url, text, title].filter((part) => part !== undefined && part.trim() !== '') as string[]
  const id = parts.map(readProjectId).find((found) => found !== undefined)
  if (id !== undefined) return `/report/${id}`
  const words = [text, title].map(wordsOf).find((found) => found !== '')
  return words === undefined ? '/report' : `/report?${new URLSearchParams({ project_search__in: words })}`
}

const wordsOf = (text = '') =>
  text
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH)
    .trim()
