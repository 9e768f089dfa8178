import type { QueryExecuteOptions, QueryKey } from '@tanstack/react-query'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import type { RouterContext } from './root-route.ts'

export type LoaderContext<Deps = object, Params = object> = {
  readonly context: RouterContext
  readonly deps: Deps
  readonly params: Params
}

type LoaderModule = Record<string, (context: never) => readonly { readonly queryKey: QueryKey }[]>
type LazyLoader<Context> = ((context: Context) => void) & { readonly preload: () => Promise<unknown> }

/**
 * Returns a loader that starts the first queries of a screen while its code loads, and those of a changed search. It
 * does not wait for the responses, because screens have skeletons, keep the previous data and report errors. Its code
 * is a separate chunk: a phone that opens the report would otherwise also load the schemas of every other screen.
 */
export const lazyLoader = <Module extends LoaderModule, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): LazyLoader<Parameters<Module[Name]>[0]> => {
  const start = async (context: LoaderContext) => {
    // A failure to load is ignored, because a route needs no loader.
    const module = await load().catch(() => undefined)
    if (!module) return
    for (const query of module[name]!(context as never))
      startQueryInBackground(
        context.context.queryClient,
        query as QueryExecuteOptions<unknown, Error, unknown, unknown>,
      )
  }
  return Object.assign((context: LoaderContext): void => void start(context), { preload: load })
}

type AnyRoute = { readonly options: { readonly loader?: unknown } }
type AnyLazyLoader = LazyLoader<LoaderContext> | undefined

/** Loads the code of the route's loader. Failures are ignored, because the router loads the code again. */
export function preloadLoader({ options: { loader } }: AnyRoute): void {
  ;(loader as AnyLazyLoader)?.preload().catch(() => undefined)
}

/** Starts the queries of the route before the guard has run. The router's own run finds them in the cache. */
export function startLoader({ options: { loader } }: AnyRoute, context: LoaderContext): void {
  ;(loader as AnyLazyLoader)?.(context)
}
