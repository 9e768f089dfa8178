import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import type { SearchErrorCode } from '#contract/search/search-grammar.ts'

export function LazySearchErrorMessage({ code }: { code: SearchErrorCode }) {
  return SEARCH_ERROR_TEXTS[code]
}
