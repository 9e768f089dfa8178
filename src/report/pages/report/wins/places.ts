import type { WhoWins } from '#contract/market/who-wins.ts'
import { provinceNamed, REGIONS, type Region } from '#contract/thai/province.ts'

type PlaceSum = { readonly n: number; readonly value: number | null }

export function placesOf({ provinces }: WhoWins): {
  readonly regions: readonly (PlaceSum & { readonly region: Region })[]
  readonly unknown: number
} {
  const regions = REGIONS.map(({ code: region }) => {
    const own = provinces.filter(({ province }) => province !== null && provinceNamed(province)?.region === region)
    const known = own.filter(({ value }) => value !== null)
    return {
      region,
      n: own.reduce((sum, { n }) => sum + n, 0),
      value: known.length === 0 ? null : known.reduce((sum, { value }) => sum + value!, 0),
    }
  })
  const unknown = provinces.find(({ province }) => province === null)?.n ?? 0
  return { regions: regions.toSorted((a, b) => b.n - a.n), unknown }
}
