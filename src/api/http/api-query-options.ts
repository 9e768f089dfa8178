import { type QueryKey, queryOptions, type UnusedSkipTokenOptions } from '@tanstack/react-query'
import type { z } from 'zod/mini'
import type { ApiGetPath, ApiPostQueryPath } from '#contract/http/api-query-paths.ts'
import { ANONYMOUS_REQUEST_OPTIONS, type RequestOptions, sendApiRequest } from './client.ts'
import { ONE_SHOT_QUERY_OPTIONS } from './query-client.ts'

type ApiQueryPath = ApiGetPath | ApiPostQueryPath

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Params = Readonly<Record<string, string | number>>

type ApiQueryRequest<Path extends ApiQueryPath, Schema extends z.core.$ZodType> = Pick<
  RequestOptions<Schema>,
  'prefer' | 'withoutBearer' | 'keepsSession'
> & {
  readonly schema: Schema
  /** False lets a request outlive its component, so that a page that mounts twice sends only one. */
  readonly abortsOnUnmount?: boolean
} & ([ParamName<Path>] extends [never]
    ? { readonly params?: never }
    : { readonly params: Readonly<Record<ParamName<Path>, string | number>> }) &
  (Path extends ApiPostQueryPath ? { readonly json: object } : Pick<RequestOptions<Schema>, 'query'>)

type CacheOptions<Data, Selected, Key extends QueryKey> = Omit<
  UnusedSkipTokenOptions<Data, Error, Selected, Key>,
  'queryFn'
> &
  Required<Pick<UnusedSkipTokenOptions<Data, Error, Selected, Key>, 'queryKey' | 'staleTime'>>

/** `params` are encoded into the path. `staleTime` is required, so that its default of 0 is a deliberate choice. */
export function apiQueryOptions<
  Path extends ApiQueryPath,
  Schema extends z.core.$ZodType,
  const Key extends QueryKey,
  Selected = z.core.output<Schema>,
>(path: Path, options: ApiQueryRequest<Path, Schema> & CacheOptions<z.core.output<Schema>, Selected, Key>) {
  type Data = z.core.output<Schema>
  const {
    params,
    schema,
    query,
    json,
    prefer,
    withoutBearer,
    keepsSession,
    abortsOnUnmount = true,
    ...cacheOptions
  } = options as typeof options & RequestOptions<Schema> & { params?: Params }
  const method = json === undefined ? 'get' : 'post'
  const request = { method, schema, query, json, prefer, withoutBearer, keepsSession } as RequestOptions<Schema>
  return queryOptions<Data, Error, Selected, Key>({
    ...(cacheOptions as unknown as CacheOptions<Data, Selected, Key>),
    // Reading `signal` makes TanStack Query abort the request on unmount.
    queryFn: (context) =>
      sendApiRequest(encodePath(path, params), {
        ...request,
        ...(abortsOnUnmount && { signal: context.signal }),
      }) as Promise<Data>,
  })
}

const encodePath = (path: string, params: Params = {}) =>
  path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name]!))

/** Options for queries that check a mailed link: without the session, and sent once even if the page mounts twice. */
export const MAILED_LINK_QUERY_OPTIONS = {
  ...ANONYMOUS_REQUEST_OPTIONS,
  ...ONE_SHOT_QUERY_OPTIONS,
  abortsOnUnmount: false,
} as const
