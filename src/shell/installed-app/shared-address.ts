import { readProjectId } from '#contract/catalogue/project-id.ts'

/** Data of the Web Share Target API. Any field may be missing, and a link is as often in `text` as in `url`. */
export type Shared = { readonly title?: string; readonly text?: string; readonly url?: string }

/** Maximum length of a search from shared text, characters. */
const LONGEST_SEARCH = 200

/**
 * Returns the path for shared data: the project if it contains an e-GP number or link, else a search for its text, else
 * the report. Links without a number are dropped, since no project name would match them.
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
