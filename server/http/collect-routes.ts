import type { RouteApp } from '#server/platform/route/route-app.ts'

export type ListedRoute = { readonly url: string; readonly methods: readonly string[] }

/** Returns a list that fills as routes are registered, so call this before the first route. */
export function collectRoutes(app: RouteApp): readonly ListedRoute[] {
  const routes: ListedRoute[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url: withoutTrailingSlash(url), methods: [method].flat() })
  })
  return routes
}

export function findMethodsForPath(routes: readonly ListedRoute[], path: string): string[] {
  const segments = withoutTrailingSlash(path).split('/')
  const matchingMethods = routes.filter(({ url }) => covers(url.split('/'), segments)).flatMap(({ methods }) => methods)
  return [...new Set(matchingMethods)].sort()
}

const withoutTrailingSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

function covers(pattern: readonly string[], segments: readonly string[]): boolean {
  const star = pattern.indexOf('*')
  if (star === -1 && pattern.length !== segments.length) return false
  if (star >= segments.length) return false
  return pattern
    .slice(0, star === -1 ? undefined : star)
    .every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''))
}
