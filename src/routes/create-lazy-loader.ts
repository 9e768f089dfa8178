type LoaderModule = Record<string, (context: never) => void>
type LazyLoader<Context> = ((context: Context) => void) & { readonly preload: () => Promise<unknown> }

/**
 * Returns a loader whose code is a separate chunk, because the signed-out pages need none of the queries and the
 * report not those of the calendar. Loaders only prefetch, so a route neither waits for the chunk nor fails without it.
 */
export const createLazyLoader = <Module extends LoaderModule, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): LazyLoader<Parameters<Module[Name]>[0]> =>
  Object.assign(
    (context: Parameters<Module[Name]>[0]): void =>
      void load().then(
        (module) => module[name]!(context as never),
        () => undefined,
      ),
    { preload: load },
  )

/** Loads the code of the route's loader. Failures are ignored, because the router loads the code again. */
export function preloadLoader({ options: { loader } }: { readonly options: { readonly loader?: unknown } }): void {
  ;(loader as Partial<LazyLoader<never>> | undefined)?.preload?.().catch(() => undefined)
}
