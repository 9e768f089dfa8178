import { sizeTokens } from './trait-tokens.ts'

type Money = {
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
}

/** Sizes between which others are looked for, and the tokens that they may have. */
export type SizeRange = { readonly from: number; readonly to: number; readonly tokens: readonly number[] }

/** The budget, else the reference price, else what it was won for; undefined while nobody knows how large the project is. */
export function sizeOf({ budget_satang, estimate_satang, winner_satang }: Money): number | undefined {
  return [budget_satang, estimate_satang, winner_satang].find((money) => money !== null && money > 0) ?? undefined
}

export function sizeAround(satang: number | undefined, factor: number): SizeRange | undefined {
  if (satang === undefined) return undefined
  const from = Math.ceil(satang / factor)
  const to = Math.floor(satang * factor)
  return { from, to, tokens: sizeTokens(from, to) }
}
