import { extractProjectId } from '#contract/catalogue/project-id.ts'

/** Data of the Web Share Target API. Any field may be missing, and a link is as often in `text` as in `url`. */
export type WebShareData = { readonly title?: string; readonly text?: string; readonly url?: string }

const MAX_SEARCH_LENGTH = 200

/**
 * Returns the path for shared data: the project if it contains an e-GP number or link, else a search for its text, else
 * the report. Links without a number are dropped because they match no project name.
 */
export function getWebShareTargetHref({ title, text, url }: WebShareData): string {
  const texts = [url, text, title].filter((text) => text !== undefined && text.trim() !== '') as string[]
  const id = texts.map(extractProjectId).find((candidate) => candidate !== undefined)
  if (id !== undefined) return `/report/${id}`
  const words = [text, title].map(wordsOf).find((candidate) => candidate !== '')
  return words === undefined ? '/report' : `/report?${new URLSearchParams({ project_search__in: words })}`
}

const wordsOf = (text = '') =>
  text
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SEARCH_LENGTH)
    .trim()
