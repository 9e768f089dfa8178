export const BUYER_KINDS = [
  'tambon',
  'municipality',
  'town',
  'pao',
  'bangkok',
  'hospital',
  'health_office',
  'school',
  'college',
  'university',
  'faculty',
  'medical_school',
  'it_office',
  'ministry',
  'laboratory',
  'highway',
  'rural_road',
  'irrigation',
  'public_works',
  'province_hall',
  'agriculture',
  'office',
  'tourism',
  'police',
  'prison',
  'forest',
  'water',
  'airport',
  'disaster',
  'utility',
] as const
export type BuyerKind = (typeof BUYER_KINDS)[number]

/** Per buyer kind: share of the demo projects (in any unit), and median (baht) and spread of spending per project. */
export const SAMPLE_BUYER_SPENDING_STATS: Readonly<
  Record<BuyerKind, { readonly share: number; readonly median: number; readonly sigma: number }>
> = {
  tambon: { share: 20, median: 1_150_000, sigma: 1.0 },
  municipality: { share: 14, median: 1_700_000, sigma: 1.0 },
  town: { share: 7, median: 3_000_000, sigma: 1.1 },
  pao: { share: 7, median: 3_500_000, sigma: 1.1 },
  bangkok: { share: 5, median: 4_500_000, sigma: 1.3 },
  hospital: { share: 9, median: 1_700_000, sigma: 1.2 },
  health_office: { share: 2.2, median: 2_600_000, sigma: 1.2 },
  school: { share: 4, median: 1_000_000, sigma: 1.0 },
  college: { share: 2, median: 1_400_000, sigma: 0.9 },
  university: { share: 2.2, median: 2_600_000, sigma: 1.2 },
  faculty: { share: 2.2, median: 1_600_000, sigma: 0.9 },
  medical_school: { share: 1, median: 2_400_000, sigma: 1.1 },
  it_office: { share: 1.4, median: 2_400_000, sigma: 0.9 },
  ministry: { share: 5, median: 3_800_000, sigma: 1.3 },
  laboratory: { share: 1.2, median: 2_600_000, sigma: 1.0 },
  highway: { share: 4, median: 16_000_000, sigma: 1.1 },
  rural_road: { share: 2.6, median: 11_000_000, sigma: 0.9 },
  irrigation: { share: 3, median: 12_000_000, sigma: 1.1 },
  public_works: { share: 2.4, median: 16_000_000, sigma: 1.1 },
  province_hall: { share: 2.2, median: 2_000_000, sigma: 0.9 },
  agriculture: { share: 3, median: 1_500_000, sigma: 0.9 },
  office: { share: 3, median: 1_050_000, sigma: 0.8 },
  tourism: { share: 1.6, median: 2_200_000, sigma: 0.7 },
  police: { share: 1.4, median: 2_200_000, sigma: 1.0 },
  prison: { share: 1.4, median: 1_500_000, sigma: 1.0 },
  forest: { share: 1.8, median: 1_500_000, sigma: 0.9 },
  water: { share: 1.2, median: 9_000_000, sigma: 0.8 },
  airport: { share: 0.6, median: 5_000_000, sigma: 1.1 },
  disaster: { share: 0.9, median: 3_000_000, sigma: 1.0 },
  utility: { share: 2, median: 5_000_000, sigma: 1.2 },
}

export type BuyerWeights = Readonly<Partial<Record<BuyerKind, number>>>

/** Parses `'tambon:3 town'` as `{ tambon: 3, town: 1 }`. */
export function parseBuyerWeights(text: string): BuyerWeights {
  const weights: Partial<Record<BuyerKind, number>> = {}
  for (const part of text.split(' ')) {
    const [kind, weight] = part.split(':') as [BuyerKind, string | undefined]
    weights[kind] = weight === undefined ? 1 : Number(weight)
  }
  return weights
}
