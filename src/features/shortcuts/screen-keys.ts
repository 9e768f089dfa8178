/** Letters after G, by the path of a screen. */
const LETTERS: Readonly<Record<string, string>> = {
  '/report': 'r',
  '/watch': 'w',
  '/companies': 'c',
  '/company-comparison': 'p',
  '/budget': 'b',
}

type Entry = { readonly path: string; readonly name: string }
export type ScreenKey<E extends Entry = Entry> = { readonly letter: string; readonly entry: E }

/** The screens of the menu that a letter leads to. */
export function screenKeys<E extends Entry>(entries: readonly E[]): ScreenKey<E>[] {
  return entries.flatMap((entry) => {
    const letter = LETTERS[entry.path]
    return letter === undefined ? [] : [{ letter, entry }]
  })
}
