type LoaderContext<Start> = Start extends (context: infer P) => unknown ? P : never
/** Loader arguments used here. `waits` is true for the first screen of a visit, which renders with its data. */
type Visit = { readonly preload: boolean; readonly waits?: boolean }

/**
 * Returns a route loader that starts the screen's first queries while the page's code loads. It does not wait for them:
 * the page has skeletons and reports errors. `load` imports the function `name`, a separate chunk per screen.
 * Preloading a link loads only code, because some requests are recorded as a view. Routes use no `loaderDeps`: a
 * changed search would be a new match, and the pending screen could replace the page and its state.
 */
export function queryStarter<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return async (visit: LoaderContext<Module[Name]> & Visit): Promise<void> => {
    try {
      const start = (await load())[name] as (context: LoaderContext<Module[Name]>) => unknown
      const queries = visit.preload ? undefined : Promise.resolve(start(visit)).catch(() => undefined)
      if (visit.waits) await queries
    } catch {
      // If this chunk fails to load, the page starts its queries when it renders.
    }
  }
}
