import { lazyRouteComponent } from '@tanstack/react-router'
import { NetworkError } from '#src/lib/problem-error.ts'

/**
 * Like `lazyRouteComponent`, but shows the error screen with a retry when the code cannot be loaded.
 * `lazyRouteComponent` would reload the window, and offline the browser would then show its own error page in place of
 * the app. After a deployment `reloadOnceOnMissingChunks` reloads.
 */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): ReturnType<typeof lazyRouteComponent<Module, Name>> => {
  const refuse = (cause: unknown) => {
    throw new NetworkError('The code of the page could not be loaded', { cause })
  }
  return lazyRouteComponent(() => load().catch(refuse), name)
}
