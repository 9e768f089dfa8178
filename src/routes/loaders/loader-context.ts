import type { RouterContext } from '../root-route.ts'

/*
 * Loaders start the first queries of a screen while its code loads, and those of a changed search. They do not wait for
 * the responses, because screens have skeletons, keep the previous data and report errors. One file per chunk: a phone
 * that opens the report would otherwise also load the schemas of every other screen.
 */

export type LoaderContext<Deps = object, Params = object> = {
  readonly context: RouterContext
  readonly deps: Deps
  readonly params: Params
}
