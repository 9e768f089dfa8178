import { lazyRouteComponent } from '@tanstack/react-router'
import { NetworkError } from '#src/lib/problem-error.ts'

/**
 * Like `lazyRouteComponent`, for the error screen with its retry when the code cannot be loaded. On its own it reloads
 * the window on such an error, and offline the browser would then show its own page in place of the app. After a
 * deployment `reloadOnceOnMissingChunks` reloads.
 */
export const createLazyPageComponent = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): ReturnType<typeof lazyRouteComponent<Module, Name>> =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new NetworkError('The code of the page could not be loaded', { cause })
      }),
    name,
  )
