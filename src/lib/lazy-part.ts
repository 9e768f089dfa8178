import { type ComponentType, createElement } from 'react'

/** React draws a failed part a second time by itself, within one task; a press of "try again" comes later than this. */
const KEPT_MS = 1000

/**
 * A component whose code is loaded when it is first drawn. Unlike `lazy` of React, a load that failed is not the last word: it goes to the
 * boundary around it, and the next drawing asks again. The router may use it as the component of a route.
 */
export function lazyPart<M, K extends keyof M>(
  load: () => Promise<M>,
  name: K,
): M[K] & { preload: () => Promise<void> } {
  let part: M[K] | undefined
  let asked: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined
  const preload = () => {
    asked ??= load().then(
      (module) => {
        part = module[name]
      },
      (error: unknown) => {
        failure = { error }
        setTimeout(() => {
          failure = undefined
          asked = undefined
        }, KEPT_MS)
      },
    )
    return asked
  }
  const Part = (props: object) => {
    if (failure) throw failure.error
    // As React waits: for what is thrown. `use` wants to be asked in every drawing, and what is there needs no waiting.
    if (!part) throw preload()
    return createElement(part as ComponentType, props)
  }
  return Object.assign(Part, { preload }) as unknown as M[K] & { preload: () => Promise<void> }
}
