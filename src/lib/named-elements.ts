type ElementName =
  | `card ${string}`
  | `company ${string}`
  | `labels ${string}`
  | 'addWord'
  | 'currentFilterTab'
  | 'documentSearch'
  | 'filters'
  | 'main'
  | 'morningQueue'
  | 'pursuitNote'
  | 'pursuitOwner'
  | 'queueStart'
  | 'search'

const elements = new Map<ElementName, HTMLElement[]>()
const refs = new Map<ElementName, (element: HTMLElement | null) => (() => void) | undefined>()

/** Ref for an element that shortcuts and dialogs reach from elsewhere on the screen by `getNamedElement`. */
export function nameElement(name: ElementName) {
  const existing = refs.get(name)
  if (existing) return existing
  const ref = (element: HTMLElement | null) => {
    if (!element) return undefined
    elements.set(name, [...(elements.get(name) ?? []), element])
    return () => {
      const remaining = elements.get(name)?.filter((other) => other !== element) ?? []
      if (remaining.length > 0) elements.set(name, remaining)
      else {
        elements.delete(name)
        refs.delete(name)
      }
    }
  }
  refs.set(name, ref)
  return ref
}

/** Returns the latest mounted element of this name that is not behind a dialog. */
export const getNamedElement = (name: ElementName): HTMLElement | undefined =>
  elements.get(name)?.findLast((element) => element.closest('[inert]') === null)
