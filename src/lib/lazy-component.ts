import { type ComponentType, createElement, lazy, useState } from 'react'

/** A load of the code: `Component` suspends until it has come, or throws why it has not. */
type Attempt = { readonly Component: ComponentType<object>; readonly settled: Promise<void>; isDrawn: boolean }

/** Errors of failed loads → what makes the next drawing load again. */
const failures = new WeakMap<object, () => void>()

/**
 * To be called by every error boundary with what it has caught (`onCatch`). A load that failed is then no longer the last word: the part is
 * loaded anew when it is drawn next. Not earlier, because React draws what failed a second time before the boundary shows.
 */
export function forgetFailedLoad(error: unknown): void {
  if (typeof error === 'object' && error !== null) failures.get(error)?.()
}

/**
 * `lazy` of React for a part that a click or a route opens, with a load that can be begun ahead (`preload`, which the router calls too) and
 * tried again. Code that is there is drawn at once, without a fallback in between.
 */
export function lazyComponent<M, K extends keyof M>(
  load: () => Promise<M>,
  name: K,
): M[K] & { preload: () => Promise<void> } {
  let part: ComponentType<object> | undefined
  let attempt: Attempt | undefined
  const begin = (): Attempt => {
    const code = load().then((module) => {
      part = module[name] as ComponentType<object>
      return { default: part }
    })
    const forget = () => {
      attempt = undefined
    }
    const settled = code.then(
      () => undefined,
      (error: object) => {
        // What nobody has drawn yet has no boundary to show it; the drawing is the second try.
        if (attempt?.isDrawn) failures.set(error, forget)
        else forget()
      },
    )
    return { Component: lazy(() => code), settled, isDrawn: false }
  }
  const toDraw = () => {
    if (part) return part
    attempt ??= begin()
    attempt.isDrawn = true
    return attempt.Component
  }
  const Component = (props: object) => {
    // The same for as long as it is on screen: another type would be another component, without its state.
    const [Drawn] = useState<ComponentType<object>>(toDraw)
    return createElement(Drawn, props)
  }
  const preload = () => {
    attempt ??= begin()
    return attempt.settled
  }
  return Object.assign(Component, { preload }) as unknown as M[K] & { preload: () => Promise<void> }
}
