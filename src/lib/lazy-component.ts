import { type ComponentType, createElement, lazy, useState } from 'react'

type Attempt = { readonly Component: ComponentType<object>; readonly settled: Promise<void>; isDrawn: boolean }

const failures = new WeakMap<object, () => void>()

/**
 * Resets a failed load so that the next render retries. Call it from every error boundary's `onCatch`; resetting
 * earlier would not work, because React renders a failed component a second time before showing the boundary.
 */
export function resetFailedLazyLoad(error: unknown): void {
  if (typeof error === 'object' && error !== null) failures.get(error)?.()
}

/** Like React's `lazy`, with retries and a `preload` that never rejects. Loaded code renders without a fallback. */
export function lazyComponent<M, K extends keyof M>(
  load: () => Promise<M>,
  name: K,
): M[K] & { preload: () => Promise<void> } {
  let component: ComponentType<object> | undefined
  let attempt: Attempt | undefined
  const startLoad = (): Attempt => {
    const code = load().then((module) => {
      component = module[name] as ComponentType<object>
      return { default: component }
    })
    const forget = () => {
      attempt = undefined
    }
    const settled = code.then(
      () => undefined,
      (error: object) => {
        // A preload that failed before rendering reaches no error boundary, so reset it for the next render.
        if (attempt?.isDrawn) failures.set(error, forget)
        else forget()
      },
    )
    return { Component: lazy(() => code), settled, isDrawn: false }
  }
  const getComponent = () => {
    if (component) return component
    attempt ??= startLoad()
    attempt.isDrawn = true
    return attempt.Component
  }
  const Component = (props: object) => {
    // Keep the same component while it is mounted, because a different component type would remount and lose its state.
    const [Drawn] = useState<ComponentType<object>>(getComponent)
    return createElement(Drawn, props)
  }
  const preload = () => {
    attempt ??= startLoad()
    return attempt.settled
  }
  return Object.assign(Component, { preload }) as unknown as M[K] & { preload: () => Promise<void> }
}
