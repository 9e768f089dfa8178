import type { WhoWins } from '#contract/market/who-wins.ts'
import { findProvinceByName, REGIONS, type Region } from '#contract/thai/province.ts'

type RegionSum = { readonly n: number; readonly value: number | null }

export function sumWinsByRegion({ provinces }: WhoWins): {
  readonly regions: readonly (RegionSum & { readonly region: Region })[]
  readonly unknown: number
} {
  const regions = REGIONS.map(({ code: region }) => {
    const regionProvinces = provinces.filter(
      ({ province }) => province !== null && findProvinceByName(province)?.region === region,
    )
    const priced = regionProvinces.filter(({ value }) => value !== null)
    return {
      region,
      n: regionProvinces.reduce((sum, { n }) => sum + n, 0),
      value: priced.length === 0 ? null : priced.reduce((sum, { value }) => sum + value!, 0),
    }
  })
  const unknown = provinces.find(({ province }) => province === null)?.n ?? 0
  return { regions: regions.toSorted((a, b) => b.n - a.n), unknown }
}
