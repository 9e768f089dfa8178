/** What a screen's start is told. */
type Place<Start> = Start extends (place: infer P) => unknown ? P : never
/** What a loader is told and uses; the router gives more. `waits`: the first screen of a visit, which is drawn with its answers. */
type Visit = { readonly preload: boolean; readonly waits?: boolean }

/**
 * The loader of a screen. It starts the screen's first queries while the code of the page is on its way, and waits for none of them: the page
 * has skeletons of its own, and says what failed. `load` brings the function `name` that asks; it is a chunk of its own, so that no screen loads the
 * questions of another one. A link that is only pointed at (`preload`) loads code and asks the server nothing, because some questions are recorded as a look.
 * Routes give no `loaderDeps`: another search would then be another match, which the pending screen may replace, with all that the page keeps.
 */
export function startsQueries<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return async (visit: Place<Module[Name]> & Visit): Promise<void> => {
    try {
      const start = (await load())[name] as (place: Place<Module[Name]>) => unknown
      // The page asks the same questions itself, and says what fails.
      const answers = visit.preload ? undefined : Promise.resolve(start(visit)).catch(() => undefined)
      if (visit.waits) await answers
    } catch {
      // Without the code of the loader the page asks when it is drawn.
    }
  }
}
