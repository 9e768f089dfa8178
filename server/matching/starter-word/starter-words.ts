/** By number of the business subtype, which is stored and keeps its meaning. */
export type StarterWords = Readonly<
  Record<
    number,
    { readonly include: readonly string[]; readonly ai: readonly string[]; readonly exclude: readonly string[] }
  >
>
