import { type ComponentType, createElement, lazy, useState } from 'react'

/** A load of the code. `Component` suspends until loaded and throws if loading failed. */
type Attempt = { readonly Component: ComponentType<object>; readonly settled: Promise<void>; isDrawn: boolean }

const failures = new WeakMap<object, () => void>()

/**
 * Call from every error boundary's `onCatch`. Resets a failed load, so that the next render retries. Not earlier,
 * because React renders a failed component a second time before showing the boundary.
 */
export function forgetFailedLoad(error: unknown): void {
  if (typeof error === 'object' && error !== null) failures.get(error)?.()
}

/**
 * Like React's `lazy`, with a `preload` function (also called by the router) and retries. Loaded code renders
 * synchronously, without a fallback.
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
        // A failure of a preload that was never rendered has no boundary; the render retries.
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
    // Stable while mounted: a different component type would remount and lose its state.
    const [Drawn] = useState<ComponentType<object>>(toDraw)
    return createElement(Drawn, props)
  }
  const preload = () => {
    attempt ??= begin()
    return attempt.settled
  }
  return Object.assign(Component, { preload }) as unknown as M[K] & { preload: () => Promise<void> }
}
