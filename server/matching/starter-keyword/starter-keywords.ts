/** Starter words by number of the business subtype. The number is stored and never changes meaning. */
export type StarterKeywords = Readonly<
  Record<
    number,
    { readonly include: readonly string[]; readonly ai: readonly string[]; readonly exclude: readonly string[] }
  >
>
