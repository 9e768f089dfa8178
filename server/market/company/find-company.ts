import { buildCompanyKeyFromName, parseCompanyTaxId, toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import { looksLikePersonName } from '#contract/catalogue/natural-person.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { toCompanyRef } from './company-input.ts'
import { type CompanyCandidate, findCompanyCandidates } from './queries/find.ts'
import { findSimilarCompanies } from './queries/list-similar.ts'

export type CompanyLookupResult = {
  readonly asked: string
  readonly company: CompanyRef | undefined
  readonly similar: readonly CompanyRef[]
}

/**
 * Value of the parameter `tin` for a company without a tax id whose name is shared by companies with a tax id
 * (`buildCompanyTaxIdParam` in src/lib/company-url.ts).
 */
const WITHOUT_TAX_ID = '-'

/**
 * Finds the company that a URL refers to: by tax id if given, else by name in any spelling. Prefers the most similar
 * name, then the company with the most wins.
 */
export async function findCompany(db: Db, name: string, tin: string | undefined): Promise<CompanyRef | undefined> {
  if (tin === undefined) return (await resolveNames(db, [name])).get(name)
  if (tin === WITHOUT_TAX_ID) return (await resolveNames(db, [name], ({ tax_id }) => tax_id === null)).get(name)
  const taxId = taxIdIn(tin)
  return taxId === undefined ? undefined : (await resolveNames(db, [taxId])).get(taxId)
}

export async function findCompanies(db: Db, names: readonly string[]): Promise<CompanyLookupResult[]> {
  const companiesByName = await resolveNames(db, names)
  const results: CompanyLookupResult[] = []
  for (const requested of names) {
    const company = companiesByName.get(requested)
    const similar =
      company || looksLikePersonName(requested) ? [] : (await findSimilarCompanies(db, [requested])).map(toCompanyRef)
    results.push({ asked: requested, company, similar })
  }
  return results
}

const taxIdIn = (text: string) => parseCompanyTaxId(normaliseThai(text))

async function resolveNames(
  db: Db,
  names: readonly string[],
  accepts: (company: CompanyCandidate) => boolean = () => true,
): Promise<Map<string, CompanyRef>> {
  const distinctNames = [...new Set(names)].filter((name) => name.trim() !== '')
  const candidates = await findCompanyCandidates(db, {
    keys: distinctNames.map(toCompanyNameKey),
    taxIds: distinctNames.flatMap((name) => taxIdIn(name) ?? []),
  })
  const matches = new Map<string, CompanyRef>()
  for (const name of distinctNames) {
    const [closest] = candidates
      .filter(accepts)
      .map((company) => ({ company, strangeness: nameDistance(company, name) }))
      .filter(({ strangeness }) => strangeness < (looksLikePersonName(name) ? LOOSE_DISTANCE : Infinity))
      .sort((a, b) => a.strangeness - b.strangeness)
    if (closest) matches.set(name, toCompanyRef(closest.company))
  }
  return matches
}

/**
 * Normalisations under which two spellings count as equal, strictest first. Names without letters can only match by the
 * first two.
 */
const NORMALISATIONS: readonly ((text: string) => string | undefined)[] = [
  (text) => text.normalize('NFC'),
  toNormalisedSearchText,
  buildCompanyKeyFromName,
  toCompanyNameKey,
]

/**
 * From this distance on, only the letters of two names match. A person's name (น.ส. ทดสอบ) must not open a company with
 * a similar name (นส.ทดสอบ).
 */
const LOOSE_DISTANCE = 4

/**
 * Returns the distance between a company and a requested name: 0 is equal, Infinity a different company. Callers sort
 * stably, so ties keep the order by wins. A former spelling ranks after another company's equally similar current name.
 */
function nameDistance({ name, spelling, key, tax_id }: CompanyCandidate, requested: string): number {
  if (key === tax_id) return key === taxIdIn(requested) ? 0 : Infinity
  const distanceTo = (text: string) => {
    const at = NORMALISATIONS.findIndex(
      (normalise) => (normalise(text) ?? '') !== '' && normalise(text) === normalise(requested),
    )
    return at < 0 ? Infinity : at * 2
  }
  return Math.min(distanceTo(name), distanceTo(spelling) + 1)
}
