import type { SearchMiddleware, SearchSchemaInput } from '@tanstack/react-router'
import type { IgnoredQueryParam } from '#contract/http/query-params.ts'
import type { FlatSearchParams } from './flat-search-params.ts'

export type SearchPatch<Search> = { readonly [Name in keyof Search]?: Search[Name] | undefined }

/**
 * Search of a route: the parsed parameters, and in `ignored` the unknown ones and those with an invalid value. Ignored
 * parameters stay in the URL, so that the page can report them, until a filter changes.
 */
export type RouteSearch<Search> = Search & { readonly ignored?: readonly IgnoredQueryParam[] }

type ParseSearch<Search> = (flat: FlatSearchParams) => {
  readonly search: Search
  readonly ignored: readonly IgnoredQueryParam[]
}

/** Route options of a typed search: `parse` reads it from the URL, `format` prints it in links and navigations. */
export function typedSearch<Search extends object>(
  parse: ParseSearch<Search>,
  format: (search: Search) => FlatSearchParams,
) {
  type Input = SearchPatch<RouteSearch<Search>>

  function print(search: Input): FlatSearchParams {
    const printed = format(pickSearch<Search>(search))
    const ignored = Array.isArray(search.ignored) ? (search.ignored as readonly IgnoredQueryParam[]) : []
    return { ...printed, ...Object.fromEntries(ignored.map(({ name, value }) => [name, value])), ...printed }
  }

  /**
   * Parses the texts of the URL. The router also validates the searches of links and navigations, so values may already
   * be typed. A typed value that is a text equals its text in the URL.
   */
  function validateSearch(input: Input & SearchSchemaInput): RouteSearch<Search> {
    const entries = Object.entries(input)
    const texts = Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
    const typed = Object.fromEntries(entries.filter(([, value]) => typeof value !== 'string'))
    const { search, ignored } = parse({ ...texts, ...print(typed as Input) } as FlatSearchParams)
    return {
      // The router merges the result into the texts, so overwrite those that it does not contain.
      ...Object.fromEntries(entries.map(([name]) => [name, undefined])),
      ...search,
      ...(ignored.length > 0 && { ignored }),
    }
  }

  const printSearch: SearchMiddleware<RouteSearch<Search>> = ({ search, next }) =>
    print(validateSearch(next(search) as never)) as RouteSearch<Search>
  return { validateSearch, search: { middlewares: [printSearch] } }
}

export function pickSearch<Search extends object>(routeSearch: SearchPatch<RouteSearch<Search>>): Search {
  const entries = Object.entries(routeSearch).filter(([name, value]) => name !== 'ignored' && value !== undefined)
  return Object.fromEntries(entries) as Search
}
